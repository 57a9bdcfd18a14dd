import type { Block } from '../../../findings/results.ts'

/** What has to be changed, as a finding says it. */
export interface Change {
  /** Of the check that reports it, where one does. */
  readonly title?: string | undefined
  readonly reason: string
  readonly fix: string
  readonly evidence: readonly { readonly url: string; readonly value: string }[]
}

/** The first page that a fix names. */
export function pageNamedIn(fix: string): string | undefined {
  return /https?:\/\/[^\s,;]*[^\s,;.:]/.exec(fix)?.[0]
}

/**
 * A message that the owner sends to the person who looks after the website. Where nothing can be pasted, that person has
 * to change code, and needs to know what, where, and how to see that it is done.
 */
export function handOnBlock({ title, reason, fix, evidence }: Change): Block {
  const todo = fix.split(/(?<=[.!?])\s+(?=\p{Lu})/u)
  const lines = [
    'Please change this on our website.',
    '',
    'What to do:',
    ...todo.map((one, place) => `${place + 1}. ${one}`),
    ...(evidence.length === 0 ? [] : ['', 'Where it was seen:']),
    ...evidence.slice(0, 10).map(({ url, value }) => `- ${url}: ${value}`),
    ...(evidence.some(({ value }) => /<[a-z][^<>]*>/i.test(value))
      ? ['', 'The elements are quoted in short. Leave everything else in their lines as it is.']
      : []),
    '',
    `Why: ${reason}`,
    '',
    title === undefined
      ? 'It is done when a new scan no longer reports it.'
      : `It is done when a new scan no longer lists the check “${title}”.`,
  ]
  return {
    kind: 'text',
    where: 'Send this to whoever looks after your website:',
    text: `${lines.join('\n')}\n`,
    missing: [],
  }
}
