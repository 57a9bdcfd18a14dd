import type { Action } from '../../findings/results.ts'
import type { Work } from '../../findings/work.ts'

/**
 * Says who does an action. The owner of a dental practice changes no code, and has to know which steps to pass on
 * and which are the owner's own. What the owner decides comes first: a block only writes the decision down.
 * @param id the leading finding of the action: `entity-trust/about`
 * @param hasBlock whether something is to be pasted or handed on
 * @param work what the finding asks for, because one check may ask for words or for code
 */
export function whoActs(id: string, hasBlock: boolean, work?: Work): string {
  const [agent = ''] = id.split('/', 1)
  if (decides(id, work) || (agent === 'workflow-automation' && !writing.has(id))) return owner
  if (hasBlock || asksForCode(work)) return webWorker
  if (writing.has(id) || (agent === 'content-answerability' && !coding.has(id))) return writer
  return webWorker
}

/** Whether the work is to write, so that nothing is handed on. */
export function isForWriter(who: string | undefined): boolean {
  return who === writer
}

/** Whether the owner can begin today, without the person who looks after the website. */
export function isDoable(who: string): boolean {
  return who !== webWorker
}

/**
 * Whether an action of an owner is done by another person, with nothing to decide first. The owner cannot judge it and has
 * to send it alone, so all of these are one message.
 */
export function isHandedOn({
  who,
  block,
  terms,
  keepsOut,
}: Pick<Action, 'who' | 'block' | 'terms' | 'keepsOut'>): boolean {
  // Terms are explained to owners alone. What keeps agents out is sent at once, and to whom it concerns.
  return who === webWorker && block !== undefined && terms !== undefined && !keepsOut
}

/** Checks of formats that only makers of software know. To other owners their findings are no advice. */
export function isForDevelopers(id: string): boolean {
  return /^(?:agent-protocols\/|agent-files\/md-)/.test(id)
}

/** A check of words that asks for lines of code in this case. */
export function asksForCode(work: Work | undefined): boolean {
  return work !== undefined && ofCode.has(work.kind)
}

const ofCode: ReadonlySet<Work['kind']> = new Set([
  'mark-dates',
  // What each heading becomes is known, so there is nothing to write.
  'heading-order',
  'logo-heading',
  'unseen-rating',
  'left-open-text',
])

/** Of several main headings the owner says which one stays, and the words of a title are the owner's. */
function decides(id: string, work: Work | undefined): boolean {
  if (asksForCode(work)) return false
  return deciding.has(id) || work?.kind === 'title' || work?.kind === 'one-main-heading'
}

export const webWorker = 'Give this to whoever looks after your website.'
export const writer = 'You can do this, or whoever writes your texts.'
export const owner = 'You decide this. Whoever looks after your website then puts it in place.'

/** Words on a page have to change, and no code. */
const writing: ReadonlySet<string> = new Set([
  'core-snapshot/one-h1',
  'core-snapshot/ssr-text',
  'entity-trust/about',
  'entity-trust/authorship',
  'entity-trust/citations',
  'freshness-index/newest',
  'workflow-automation/faq',
  'workflow-automation/support',
])

/** These speak of text, and code has to change. */
const coding: ReadonlySet<string> = new Set([
  'content-answerability/boilerplate',
  'content-answerability/titles',
])

/** Only the business knows or may say it. */
const deciding: ReadonlySet<string> = new Set([
  'crawl-access/training-stance',
  'entity-trust/legal',
  'entity-trust/proof',
  'entity-trust/profiles',
  'entity-trust/nap',
  'structured-data/same-as',
])
