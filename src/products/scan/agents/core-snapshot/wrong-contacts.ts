import { type Outcome, warn } from '../../findings/check.ts'
import type { Page } from '../../site/site.ts'
import { judgeDeadCalls } from './dead-call.ts'
import { judgeOtherMailboxes } from './other-mailbox.ts'

/** Judges the links to call and to write, in whatever language the pages are. Undefined where nothing is wrong with them. */
export function judgeWrongContacts(pages: readonly Page[]): Outcome | undefined {
  const found = [judgeDeadCalls(pages), judgeOtherMailboxes(pages)].flatMap((one) =>
    one !== undefined && 'fix' in one ? [one] : [],
  )
  if (found.length === 0) return undefined
  return warn(
    found.map(({ reason }) => reason).join(' '),
    found.map(({ fix }) => fix).join(' '),
    ...found.flatMap(({ evidence }) => evidence),
  )
}
