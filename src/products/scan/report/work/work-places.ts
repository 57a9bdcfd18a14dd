import type { Action } from '../../findings/results.ts'

/** How the title of the question begins that comes before all steps. */
export const questionStart = 'Decide whether the address '

/** Where one person does the work of an action, in one visit. */
export type WorkPlace = keyof typeof places

/** What a person does there, as a heading: it says what to open, and not what our area of checks is called. */
export const places = {
  address: 'Decide which address of your website is the true one.',
  facts: 'Have the facts that machines read completed on your pages.',
  head: 'Complete what search engines and apps show of the home page.',
  files: 'Have the files published that guide programs.',
  server: 'Have the settings of the web server changed.',
  template: 'Have the code of your pages corrected.',
  texts: 'Rewrite the texts of your main pages.',
  questions: 'Write questions and their answers.',
  people: 'Tell who you are, with what proves it.',
  articles: 'Put authors, dates and sources on your articles.',
  contact: 'Make it easy to reach you through the site itself.',
  links: 'Repair links that lead nowhere.',
  safety: 'Have what makes the site unsafe to read removed.',
  interfaces: 'Publish the descriptions of your interfaces.',
} as const

export function placeOf({ id, block, title }: Pick<Action, 'id' | 'block' | 'title'>): WorkPlace {
  if (title.startsWith(questionStart)) return 'address'
  const known = byCheck.get(id)
  if (known !== undefined) return known
  if (block !== undefined && /^(?:robots\.txt|llms\.txt|sitemap\.xml)$/.test(block.kind)) return 'files'
  const [agent = ''] = id.split('/', 1)
  return byArea[agent] ?? 'template'
}

const byArea: Readonly<Record<string, WorkPlace>> = {
  'core-snapshot': 'texts',
  'crawl-access': 'files',
  'structured-data': 'facts',
  'content-answerability': 'texts',
  'agent-files': 'files',
  'agent-protocols': 'interfaces',
  'entity-trust': 'people',
  'freshness-index': 'articles',
  'render-performance': 'server',
  'accessibility-actionability': 'template',
  'workflow-automation': 'contact',
  'security-safety': 'server',
}

/** Checks whose work is done elsewhere than that of their area. */
const byCheck: ReadonlyMap<string, WorkPlace> = new Map<string, WorkPlace>([
  ['core-snapshot/reach', 'server'],
  ['core-snapshot/search-bots', 'files'],
  ['core-snapshot/indexable', 'head'],
  ['core-snapshot/jsonld-any', 'facts'],
  ['core-snapshot/title-desc', 'head'],
  ['core-snapshot/sitemap', 'files'],
  ['core-snapshot/contact-path', 'contact'],
  ['core-snapshot/llms-sane', 'files'],
  ['crawl-access/soft-404', 'server'],
  ['crawl-access/bot-wall', 'server'],
  ['crawl-access/challenge', 'server'],
  ['crawl-access/canonical', 'head'],
  ['structured-data/open-graph', 'head'],
  ['content-answerability/question-blocks', 'questions'],
  ['content-answerability/boilerplate', 'template'],
  ['content-answerability/titles', 'head'],
  ['agent-files/md-negotiation', 'interfaces'],
  ['agent-files/md-twin', 'interfaces'],
  ['agent-files/md-parity', 'interfaces'],
  ['agent-files/md-links', 'interfaces'],
  ['agent-files/md-alternate', 'interfaces'],
  ['agent-files/llms-advertised', 'server'],
  ['entity-trust/brand-name', 'head'],
  ['entity-trust/nap', 'facts'],
  ['entity-trust/authorship', 'articles'],
  ['entity-trust/citations', 'articles'],
  ['freshness-index/internal-links', 'links'],
  ['freshness-index/pictures', 'template'],
  ['freshness-index/lastmod', 'files'],
  ['freshness-index/coverage', 'files'],
  ['freshness-index/conditional', 'server'],
  ['freshness-index/footer-year', 'template'],
  ['render-performance/js-shell', 'template'],
  ['render-performance/text-size', 'template'],
  ['render-performance/html-size', 'template'],
  ['render-performance/head-scripts', 'template'],
  ['render-performance/img-dims', 'template'],
  ['render-performance/linked-files', 'template'],
  ['render-performance/counters', 'template'],
  ['render-performance/viewport', 'head'],
  ['workflow-automation/faq', 'questions'],
  ['workflow-automation/support', 'questions'],
  ['security-safety/injection', 'safety'],
  ['security-safety/leaked-keys', 'safety'],
  ['security-safety/mixed', 'template'],
  ['security-safety/security-txt', 'files'],
  ['entity-trust/accountability', 'people'],
])
