/**
 * Says who does an action. Whoever runs a dental practice changes no code, and has to know which steps to pass on
 * and which nobody else can take.
 * @param id the leading finding of the action: `entity-trust/about`
 */
export function whoActs(id: string, hasBlock: boolean): string {
  if (hasBlock) return webWorker
  const [agent = ''] = id.split('/', 1)
  if (writing.has(id) || (agent === 'content-answerability' && !coding.has(id))) return writer
  return agent === 'workflow-automation' || deciding.has(id) ? owner : webWorker
}

const webWorker = 'Give this to whoever looks after your website.'
const writer = 'You can do this, or whoever writes your texts.'
const owner = 'You decide this. Whoever looks after your website then puts it in place.'

/** Words on a page have to change, and no code. */
const writing: ReadonlySet<string> = new Set([
  'core-snapshot/ssr-text',
  'core-snapshot/title-desc',
  'entity-trust/about',
  'entity-trust/citations',
  'freshness-index/newest',
  'workflow-automation/faq',
])

/** These speak of text, and code has to change. */
const coding: ReadonlySet<string> = new Set(['content-answerability/boilerplate'])

/** Only the business knows or may say it. */
const deciding: ReadonlySet<string> = new Set([
  'crawl-access/training-stance',
  'entity-trust/legal',
  'entity-trust/proof',
  'entity-trust/profiles',
  'entity-trust/nap',
  'structured-data/same-as',
])
