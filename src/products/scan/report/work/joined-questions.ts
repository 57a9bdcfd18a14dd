import type { Block } from '../../findings/results.ts'
import { gatherEntries } from './decisions.ts'
import type { Wording } from './texts/wording.ts'

/**
 * A finding whose answer goes into the message of another action, because both change the same lines. As a step of its own
 * it asked for the same again, or undid what the other had done.
 */
export interface JoinedQuestion {
  readonly ids: readonly string[]
  /** Whether the message that is sent changes those lines. */
  readonly fits: (block: Block) => boolean
  /** How the owner comes to the answer. */
  readonly steps: (evidence: Wording['evidence']) => readonly string[]
  /** What the message asks for, where it does not ask already. */
  readonly asks?: string
  /** What the web person does with the answer. */
  readonly order?: string
}

export const joinedQuestions: readonly JoinedQuestion[] = [
  {
    ids: ['structured-data/same-as', 'entity-trust/profiles'],
    fits: ({ missing }) => missing.some((one) => one.endsWith('(sameAs)')),
    steps: (evidence) => [
      ...gatherEntries(evidence),
      'Have you fewer than two? Send the message without them. The check of your profiles then stays open.',
    ],
  },
  {
    ids: ['crawl-access/training-stance'],
    fits: ({ kind, text }) => kind === 'robots.txt' && /^User-agent: \*$/im.test(text),
    steps: () => [
      'Decide whether makers of AI models may train them with your texts. Both answers are common. It does not change whether assistants may find and cite you.',
      'Write “no” or “yes” into the message. Without an answer robots.txt is published all the same, and the check of your stance stays open.',
    ],
    asks: 'whether AI models may be trained with your texts, if you want to say so: “no” or “yes”',
    order:
      'The answer about training below becomes one more line right below “User-agent: *”. For “no” it is “Content-Signal: ai-train=no”, for “yes” it is “Content-Signal: ai-train=yes”. Without an answer, add no such line.',
  },
]

/** The block with the places for the answers. */
export function withQuestions(block: Block, questions: readonly JoinedQuestion[]): Block {
  const orders = questions.flatMap(({ order }) => order ?? [])
  const asks = questions.flatMap((one) => one.asks ?? [])
  return orders.length === 0 && asks.length === 0
    ? block
    : { ...block, where: [block.where, ...orders].join(' '), missing: [...block.missing, ...asks] }
}
