import type { Term } from '../findings/results.ts'

/**
 * Finds the words of the web trade in a text, each with one plain clause that says what it is. Most readers of a
 * report run a business of another trade. Without the clause they cannot tell what is asked of them, or of whom.
 */
export function termsIn(...texts: readonly string[]): Term[] {
  // An address such as https://example.com/sitemap.xml is a place, and no word that the reader has to know.
  const text = texts.join('\n').replace(/https?:\/\/\S+/g, (address) => fileOf(address))
  return terms.filter(({ pattern }) => pattern.test(text)).map(({ term, meaning }) => ({ term, meaning }))
}

/**
 * Returns a function that explains the given terms, each the first time only: "robots.txt: a text file that …." It
 * explains five at once, because a longer list is not read. The words of the trade come before everyday ones.
 */
export function createExplainer(): (given: readonly Term[]) => string {
  const said = new Set<string>()
  return (given) => {
    const fresh = given.filter(({ term }) => !said.has(term)).slice(0, maxExplained)
    for (const { term } of fresh) said.add(term)
    return explained(fresh)
  }
}

const maxExplained = 5

/** "robots.txt: a text file that tells bots which pages they may read." */
function explained(given: readonly Term[]): string {
  return given.map(({ term, meaning }) => `${term}: ${meaning}.`).join(' ')
}

/** The same as part of a paragraph; nothing where there is nothing to explain. */
export function inPlainWords(given: readonly Term[]): string[] {
  return given.length === 0 ? [] : [`In plain words. ${explained(given)}`]
}

/** The name of the file, where it is one of those that the table explains. */
function fileOf(address: string): string {
  return /(?:robots|llms|security)\.txt/.exec(address)?.[0] ?? 'address'
}

function word(term: string, pattern: RegExp, meaning: string): Term & { readonly pattern: RegExp } {
  return { term, pattern, meaning }
}

const terms = [
  word(
    'JSON-LD, markup',
    /JSON-LD|\bmarkup\b/,
    'facts about a page, written into it for machines; visitors do not see them',
  ),
  word('schema.org', /schema\.org/, 'the common vocabulary for facts that machines read'),
  word('node', /\bnodes?\b/, 'one thing that is described for machines, such as your business or a price'),
  word('sameAs', /\bsameAs\b/, 'the list of your profiles elsewhere, written for machines'),
  word('BreadcrumbList', /BreadcrumbList/, 'the way from the home page to this page, written for machines'),
  word('FAQPage', /FAQPage/, 'the questions and answers of a page, written for machines'),
  word('Offer', /\bOffers?\b/, 'a price with its currency, written for machines'),
  word('robots.txt', /robots\.txt/, 'a text file that tells bots which pages they may read'),
  word('Content-Signal', /Content-Signal/, 'a line in robots.txt that says what bots may do with your texts'),
  word(
    'OAI-SearchBot, ChatGPT-User and the like',
    /OAI-SearchBot|ChatGPT-User|PerplexityBot|Perplexity-User|Claude-SearchBot|Claude-User|Googlebot|Bingbot|GPTBot/,
    'the names of the programs by which assistants and search engines read websites',
  ),
  word('llms.txt', /llms\.txt/, 'a text file that tells assistants which of your pages to read'),
  word('security.txt', /security\.txt/, 'a text file that tells where to report a security problem'),
  word('sitemap', /\bsitemaps?\b/i, 'a file that lists the addresses of your pages for search engines'),
  word('lastmod', /\blastmod\b/, 'the date of the last change, in the sitemap'),
  word('feed', /\bfeeds?\b/i, 'a file by which programs learn what is new on a site'),
  word('noindex', /\bnoindex\b/i, 'a request to search engines to leave a page out'),
  word('canonical', /\bcanonical\b/, 'the address that counts where a page has several'),
  word('Open Graph', /Open Graph|\bog:/, 'lines in a page from which apps make the preview of a link'),
  word('head', /\bhead of\b/, 'the beginning of a page’s code, before what visitors see'),
  word('HTML', /\bHTML\b/, 'the code of a page'),
  word('JavaScript', /\bJavaScript\b/, 'small programs in a page; most agents do not run them'),
  word(
    'header',
    /\bheader lines?\b|ETag|Last-Modified|Strict-Transport-Security|X-Content-Type-Options|Vary:|Content-Encoding|\b[Hh]eaders?\b(?!-|\.\w| code)/,
    'a line that the web server sends before a page; visitors do not see it',
  ),
  word(
    'Content-Security-Policy',
    /Content-Security-Policy|\bCSP\b/,
    'a header that limits what a page may load, against injected scripts',
  ),
  word('SameSite', /SameSite/, 'a setting of a cookie that keeps other sites from using it'),
  word('User-Agent', /User-Agent/i, 'the name that a program gives when it asks for a page'),
  word(
    'status',
    /\bstatus \d{3}\b|\banswers? \d{3}\b|\b30[18]\b/,
    'the number in a server’s answer: 200 the page, 301 or 308 moved, 403 refused, 404 not there',
  ),
  word('HTTP/2, HTTP/3', /HTTP\/[23]|ALPN/, 'newer ways to send a page; the server chooses one (ALPN)'),
  word('Content-Usage', /Content-Usage/, 'a header that says what bots may do with your texts'),
  word('p, span element', /\b(?:p|span) element/, 'a paragraph, or a piece of text, in the code of a page'),
  word('Article', /\bArticle \(/, 'facts about a text (headline, date, author), written for machines'),
  word('areaServed', /\bareaServed\b/, 'the region that you serve, written for machines'),
  word('defer, async', /\bdefer\b|\basync\b/, 'marks by which a page need not wait for a script'),
  word('Flesch-Kincaid', /Flesch-Kincaid/, 'a measure of how hard a text is to read, as a year of school'),
  word('RSS, Atom', /\bRSS\b|\bAtom\b/, 'the usual formats of feeds'),
  word('CDN', /\bCDN\b/, 'a service that delivers a site from many places'),
  word('gzip', /\bgzip\b|Brotli/, 'a way to pack pages, so that they load faster'),
  word('h1, h2, h3', /\bh[1-6]\b/i, 'main headings, headings and subheadings of a page'),
  word('alt', /\balt\b/, 'the description of a picture, for those who cannot see it'),
  word('aria-label', /\baria\b|\baria-[a-z]+/i, 'a name for a button or field that only programs read'),
  word(
    'role',
    /\brole=|\ba role\b|\bno role\b/,
    'a mark that says what a part of a page is, such as a button',
  ),
  word('onclick', /\bonclick\b/, 'a mark by which any part of a page reacts to a click'),
  word('div element', /\bdiv\b/, 'a plain box in the code of a page'),
  word('main and nav element', /\b(?:main|nav) element/, 'marks around the text and the menu of a page'),
  word('accessibility tree', /accessibility tree/, 'what programs and screen readers see of a page'),
  word('autocomplete', /\bautocomplete\b/, 'a mark that says which fact belongs into a field'),
  word('markdown', /\bmarkdown\b/i, 'plain text with simple marks for headings and lists'),
  word('viewport', /\bviewport\b/, 'a line that fits a page to the screen of a phone'),
  word(
    'meta element',
    /\bmeta elements?\b|\bmeta\b/,
    'a line about the page in its code; visitors do not see it',
  ),
  word('Cache-Control', /Cache-Control/, 'a header that says how long a browser may keep a file'),
  word('static files', /\bstatic files?\b/, 'files that are the same for all visitors, such as pictures'),
  word('stylesheet', /\bstylesheets?\b/, 'a file that says how pages look'),
  word('usage preference', /\busage preference/, 'a note that says what programs may do with your texts'),
  word('training crawler', /\btraining (?:crawler|bot)s?\b/, 'a program that collects texts for AI models'),
  word('retrieval tools', /\bretrieval tools?\b/, 'programs that fetch pages for assistants'),
  word('tag services', /\btag services?\b/, 'services that count visits and clicks'),
  word('imprint', /\bimprint\b/, 'a page that says who runs the site'),
  word('frame', /\bframes?\b/, 'a part of a page that shows another page, such as a map'),
  word('parameters', /\bparameters\b/, 'what stands behind “?” in an address'),
  word(
    'host of a website',
    /\bmoves?\b[^.]{0,60}\bhosts?\b|\bhost of your (?:web)?site\b|\bhosts the site\b/,
    'the company on whose computers your site lies',
  ),
  word(
    'host',
    /(?<!\bmoves?\b[^.]{0,60})\b(?:another|other|one) hosts?\b/,
    'the name at the beginning of an address',
  ),
  word('template', /\btemplates?\b/, 'the pattern from which a website system makes its pages'),
  word('attribute, property', /\battributes?\b|\bpropert(?:y|ies)\b/, 'a piece of information in the code'),
  word('element', /\belements?\b/, 'a part of the code of a page'),
  word('crawler', /\bcrawlers?\b/i, 'a program that reads websites page by page'),
  word('agent', /\bagents?\b/i, 'a program that reads and uses websites for a person'),
  word('engine', /\b(?:answer )?engines?\b/i, 'a service that answers questions from websites'),
] as const
