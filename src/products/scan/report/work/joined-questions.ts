import type { Block } from '../../findings/results.ts'
import { shownInQuotes } from '../../site/addresses.ts'
import { kindSaid } from '../blocks/said-facts.ts'
import { type Issue, idOf } from '../scoring.ts'
import { gatherEntries, stanceOnTraining } from './decisions.ts'
import { placeOf } from './seen.ts'

/**
 * What an answer of the owner adds to the message of another action, because both change the same lines. As a step of its own
 * it asked for the same again, or undid what the other had done.
 */
export interface JoinedQuestion {
  /** The finding that is settled with the other action. */
  readonly issue: Issue
  /** How the owner comes to the answer. */
  readonly steps: readonly string[]
  /** What the message asks for, where it does not ask already. */
  readonly asks?: string
  /** What the web person does with the answer. */
  readonly order?: string
}

/** The questions of other findings that go into a message with a block. */
export function joinedToBlock(block: Block, issues: readonly Issue[]): readonly JoinedQuestion[] {
  const changesEntries = block.missing.some((one) => one.endsWith('(sameAs)'))
  const isOneThere = block.missing.some((one) => /one more of your entries.*\(sameAs\)$/.test(one))
  const isNewRobots = block.kind === 'robots.txt' && /^User-agent: \*$/im.test(block.text)
  const entries = issues.filter((issue) => entryChecks.has(idOf(issue)))
  // A logo is asked for once.
  const logos = block.missing.some((one) => one.endsWith('(logo)'))
    ? issues.filter(
        (issue) =>
          idOf(issue) === description && /^Add (?:url and |name, url and )?logo to the /.test(issue.fix),
      )
    : []
  // What the description does not know of the contacts it asks for.
  const contacts = block.says?.some((one) => one.startsWith(kindSaid))
    ? issues.filter((issue) => idOf(issue) === contactCheck && issue.work?.kind === 'contact-markup')
    : []
  return [
    // Several checks ask for the entries, and the owner gathers them once.
    ...(changesEntries
      ? entries.map(
          (issue, at): JoinedQuestion => ({ issue, steps: at === 0 ? entrySteps(entries, isOneThere) : [] }),
        )
      : []),
    ...[...logos, ...contacts].map((issue): JoinedQuestion => ({ issue, steps: [] })),
    ...(isNewRobots ? issues.filter((issue) => idOf(issue) === stance).map(stanceQuestion) : []),
  ]
}

const entryChecks: ReadonlySet<string> = new Set(['structured-data/same-as', 'entity-trust/profiles'])
const description = 'structured-data/organization'
const contactCheck = 'entity-trust/nap'
const stance = 'crawl-access/training-stance'

/** @param isOneThere the lines that are pasted have one entry already */
function entrySteps(entries: readonly Issue[], isOneThere: boolean): readonly string[] {
  return [
    ...gatherEntries(
      entries.flatMap(({ evidence }) => evidence),
      isOneThere,
    ),
    `Have you ${isOneThere ? 'no other one' : 'fewer than two'}? Send the message without ${isOneThere ? 'it' : 'them'}. The check of your profiles then stays open.`,
  ]
}

function stanceQuestion(issue: Issue): JoinedQuestion {
  return {
    issue,
    steps: [
      ...stanceOnTraining,
      'Write “no” or “yes” into the message. Without an answer robots.txt is published all the same, and the check of your stance stays open.',
    ],
    asks: 'whether AI models may be trained with your texts, if you want to say so: “no” or “yes”',
    order:
      'The answer about training below becomes one more line right below “User-agent: *”. For “no” it is “Content-Signal: ai-train=no”, for “yes” it is “Content-Signal: ai-train=yes”. Without an answer, add no such line.',
  }
}

/**
 * The question of another finding that goes into the message of a change. Of a page whose headings are put in order the owner
 * says which line is the main one. Where there is one already, it stays unless another is named, so that nothing waits for
 * an answer.
 */
export function joinedToChange(order: Issue, issues: readonly Issue[]): JoinedQuestion | undefined {
  if (order.work?.kind !== 'heading-order') return undefined
  const place = placeOf(order)
  const issue = issues.find((one) => one.work?.kind === 'one-main-heading' && placeOf(one) === place)
  const missing = issues.find((one) => one.work?.kind === 'no-main-heading' && placeOf(one) === place)
  if (missing !== undefined)
    return {
      issue: missing,
      steps: [],
      asks: 'the words of the main heading: a line of the page, or a new one with your name, what you do and the place',
      order:
        'The answer below becomes the one main heading (h1) of the page. Is it a line of the page? Then that line becomes the h1, whatever else is said of it here. Is it new? Then it goes to the top of the text. Let the headings behind it skip no level.',
    }
  const [line] = issue?.work?.kind === 'one-main-heading' ? issue.work.lines : []
  if (issue === undefined || line === undefined) return undefined
  const first = shownInQuotes(line)
  return {
    issue,
    steps: [],
    asks: `the line that says what the page is about, if another line than “${first}” says it better`,
    order: `“${first}” stays the one main heading (h1). Does the answer below name another line? Then make that one the h1, and “${first}” an h2.`,
  }
}

/** The block with the places for the answers. */
export function withQuestions(block: Block, questions: readonly JoinedQuestion[]): Block {
  const orders = questions.flatMap(({ order }) => order ?? [])
  const asks = questions.flatMap((one) => one.asks ?? [])
  return orders.length === 0 && asks.length === 0
    ? block
    : { ...block, where: [block.where, ...orders].join(' '), missing: [...block.missing, ...asks] }
}
