import { counted } from '../../findings/share.ts'
import type { Work } from '../../findings/work.ts'

/**
 * Says in plain words what an action is, to owners of other trades. The fix names elements and attributes, and stands in
 * the message to the person who changes them. As a title it tells the owner of a practice nothing.
 * @param id the leading finding of the action
 * @param page the page that the fix names
 * @param work what the fix asks for in values, where it tells two fixes of one check apart
 * @returns undefined where the fix is plain already
 */
export function ownerTitle(id: string, fix: string, page: string, work?: Work): string | undefined {
  return titles.get(id)?.(page, fix, work)
}

type Title = (page: string, fix: string, work: Work | undefined) => string | undefined

/** "on the page" where the fix names all that is to be mended, and else "on your pages, beginning with the page". */
function on(page: string, fix: string, word: 'on' | 'into' = 'on'): string {
  return goesOn.test(fix) ? `${word} your pages, beginning with ${page}` : `${word} ${page}`
}

/** How a fix goes on after the first page or thing: "Do the same on 3 more pages." */
const goesOn =
  /\bDo (?:the same|so)\b|\b(?:more|other|each|every|all|another) (?:such )?(?:page|picture|link|button|field|element|form|control)s?\b|beginning with/

const titles: ReadonlyMap<string, Title> = new Map<string, Title>([
  [
    'crawl-access/training-stance',
    () => 'Decide whether AI models may be trained with your texts, and have it written into robots.txt.',
  ],
  ['workflow-automation/faq', questions],
  ['workflow-automation/support', questions],
  ['content-answerability/question-blocks', questions],
  ['content-answerability/hierarchy', headings],
  [
    'content-answerability/titles',
    () => 'Have each page given a title of its own, by which it can be found.',
  ],
  [
    'core-snapshot/one-h1',
    (page, _fix, work) =>
      work?.kind === 'logo-heading'
        ? `Have the name in the header of ${page} made a plain line, so that one main heading is left.`
        : `Give ${page} one main heading that says what the page is about.`,
  ],
  [
    'structured-data/parse-errors',
    (page) => `Have a mistake corrected in the facts for machines on ${page}. Programs cannot read them now.`,
  ],
  [
    'accessibility-actionability/real-controls',
    (page) => `Have what can be clicked on ${page} made into real buttons or links.`,
  ],
  ['structured-data/required-props', (page) => `Have the facts completed that machines read on ${page}.`],
  [
    'structured-data/organization',
    (page) => `Have the description of you completed that machines read on ${page}.`,
  ],
  [
    'freshness-index/feed',
    (page, _fix, work) =>
      work?.kind === 'take-out-feed'
        ? `Have a link to a list of new articles, which is not there, taken out of ${page}.`
        : 'Have a file published that tells programs which articles are new.',
  ],
  ['structured-data/page-type', (page) => `Have ${page} say to machines what kind of page it is.`],
  [
    'structured-data/website-node',
    (page) => `Have the name of your site written into ${page}, in the form that machines read.`,
  ],
  [
    'structured-data/richness',
    (page) => `Have more facts about you written into ${page}, in the form that machines read.`,
  ],
  [
    'structured-data/same-as',
    (_page, _fix, work) =>
      `Name ${work?.kind === 'one-more-profile' ? 'one more' : 'two or more'} of your entries elsewhere, such as maps, networks or a register.`,
  ],
  [
    'structured-data/open-graph',
    (page, _fix, work) =>
      work?.kind === 'preview' && work.isDescriptionShared
        ? `Write a description of ${page} for search engines, and have a preview prepared for apps that show links.`
        : `Have a preview of ${page} prepared for apps that show links.`,
  ],
  [
    'entity-trust/proof',
    (page, _fix, work) =>
      work?.kind === 'unseen-rating'
        ? `Have the rating that machines read on ${page} taken out, unless readers find it there with its source.`
        : undefined,
  ],
  ['entity-trust/profiles', () => 'Have your entries elsewhere named in the form that machines read.'],
  [
    'entity-trust/nap',
    (page, _fix, work) => {
      if (work?.kind === 'one-way-of-contact')
        return 'Show one way to reach you, such as an e-mail address or a profile.'
      if (work?.kind === 'first-contact-facts')
        return 'Show your telephone number, e-mail address and street address on the site.'
      if (work?.kind === 'sample-address')
        return `Put your own street address in place of that of the template on ${page}.`
      return work?.kind === 'contact-markup'
        ? `Have your contact facts written into ${page} in the form that machines read.`
        : 'Have the same telephone number, e-mail address and street address written everywhere.'
    },
  ],
  [
    'entity-trust/accountability',
    (page, _fix, work) => {
      if (work?.kind === 'left-open-text') return `Fill in what the template of ${page} left open.`
      return work?.kind === 'security-file'
        ? securityFile()
        : 'Say on a page of your site who answers for it.'
    },
  ],
  ['security-safety/security-txt', securityFile],
  [
    'freshness-index/newest',
    (page, _fix, work) =>
      work?.kind === 'mark-dates'
        ? 'Have each article show the day on which it was published.'
        : `Publish something new, or revise a page, and show its date. The newest day that was found is that of ${page}.`,
  ],
  [
    'freshness-index/pictures',
    (page, _fix, work) =>
      work?.kind === 'gone-pictures'
        ? `Have ${work.count === 1 ? 'a picture' : `${work.count} pictures`} shown again that visitors of ${page}${work.pages > 1 ? ' and other pages' : ''} do not see.`
        : undefined,
  ],
  ['freshness-index/lastmod', () => 'Have the day of the last change of each page written into the sitemap.'],
  ['freshness-index/conditional', () => 'Have the web server say when a page has not changed.'],
  [
    'render-performance/img-dims',
    (page, fix) => `Have the size of each picture written ${on(page, fix, 'into')}.`,
  ],
  [
    'render-performance/linked-files',
    (page, _fix, work) =>
      work?.kind === 'missing-styles'
        ? `Have a missing file for the design of ${page} put back, or taken out of the page.`
        : `Have a missing script of ${page} put back, or taken out.`,
  ],
  [
    'render-performance/js-shell',
    // Another fault of the check is a menu alone that comes by a script.
    (page, fix) =>
      fix.startsWith('Render ')
        ? `Have the texts that scripts put into ${page} written into the page itself. Programs see an empty page now.`
        : fix.startsWith('Write the heading ')
          ? `Have the texts that a script adds written ${on(page, fix, 'into')}. Programs do not see them there now.`
          : undefined,
  ],
  [
    'render-performance/counters',
    (page) => `Have the figures that count up written into ${page}. Programs read 0 there now.`,
  ],
  [
    'render-performance/static-cache',
    () => 'Have browsers keep pictures and styles of your site, so that its pages load faster.',
  ],
  [
    'accessibility-actionability/alt',
    (page, fix) => `Have each picture described in words ${on(page, fix)}.`,
  ],
  [
    'accessibility-actionability/lang',
    (page, fix) =>
      goesOn.test(fix)
        ? `Have each page say in which language it is written, beginning with ${page}.`
        : `Have ${page} say in which language it is written.`,
  ],
  [
    'accessibility-actionability/landmarks',
    (page, fix) =>
      `Have the ${[...(/<main>|main element/.test(fix) ? ['text'] : []), ...(/<nav>|nav element/.test(fix) ? ['menu'] : [])].join(' and the ') || 'text'} of ${goesOn.test(fix) ? `each page marked as such, beginning with ${page}` : `${page} marked as such`}.`,
  ],
  [
    'accessibility-actionability/aria-valid',
    (page, fix) => `Have faulty marks for screen readers corrected ${on(page, fix)}.`,
  ],
  [
    'accessibility-actionability/autocomplete',
    (page, fix) => `Have the fields of your forms say what belongs into them ${on(page, fix)}.`,
  ],
  [
    'accessibility-actionability/names',
    (page, fix, work) =>
      `Have each button and link named for programs${work?.kind === 'empty-links' ? ', and links that lead nowhere given an address,' : ''} ${on(page, fix)}.`,
  ],
  [
    'accessibility-actionability/labels',
    (page, fix) => `Have the label of each form field tied to its field ${on(page, fix)}.`,
  ],
  [
    'accessibility-actionability/iframes',
    (page) => `Have a title added to the map or other page that is embedded in ${page}.`,
  ],
])

function securityFile(): string {
  return 'Have the file security.txt published. It tells where to report a security problem.'
}

function questions(named: string, fix: string, work: Work | undefined): string {
  if (work?.kind === 'other-answers') return `Answer the questions on ${named} in 20 to 80 words each.`
  if (work?.kind === 'more-questions')
    return `Add ${counted(work.more, 'question')} with ${work.more === 1 ? 'its short answer' : 'their short answers'} to “${work.heading}” on ${named}.`
  const [, page] = /(?<!\blinked )\bon (https?:\/\/[^\s,;]*[^\s,;.:])/i.exec(fix) ?? []
  return `Write down the questions that you are asked most, at least 4, and publish them with short answers on ${page ?? 'a new page'}.`
}

/** Other pages may have another fault, so “the same” is not said of them. */
function headings(page: string, fix: string): string {
  const [, more] = /Do the same on (another|\d+ more)/.exec(fix) ?? []
  return `Put the headings of ${page}${more === undefined ? '' : ` and of ${more === 'another' ? 'another page' : `${more} pages`}`} in order.`
}
