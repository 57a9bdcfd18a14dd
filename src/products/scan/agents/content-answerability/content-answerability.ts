import { isBlankPage } from '../../findings/blank-pages.ts'
import {
  asking,
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
} from '../../findings/check.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { besideFiller, ownWords } from '../../findings/own-words.ts'
import { isWrittenLater } from '../../findings/scripted/written-later.ts'
import {
  andOthers,
  andTheRest,
  counted,
  further,
  isMost,
  judgeShare,
  listed,
  missingToMost,
  portion,
  wordsToAdd,
} from '../../findings/share.ts'
import { mayAskForPrices } from '../../signals/industry/trade-rules.ts'
import { languageOf } from '../../signals/page-language.ts'
import type { Signals } from '../../signals/signals.ts'
import { isPrivate, kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { absolute, addressKey, shown } from '../../site/addresses.ts'
import { isArchive } from '../../site/contact/contact-pages.ts'
import { hasClosedText } from '../../site/html/closed-text.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { around, labelOf, textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { indexedPages } from '../../site/indexable.ts'
import { isAboutOnePerson } from '../../site/kinds/portraits.ts'
import { noticesOf, pagesOfKind } from '../../site/linked-pages.ts'
import type { Link, Page, Site } from '../../site/site.ts'
import { type Agent, byWords, foreign, kindLanguages } from '../agent.ts'
import { judgeAnswerFirst } from './answer-first.ts'
import { needsContent } from './content-pages.ts'
import { isGenericLinkText } from './generic-link-texts.ts'
import { judgeTitles } from './page-titles.ts'
import { judgeEvidence, judgeReadability } from './prose.ts'
import { pictureInPlaceOfText } from './text-pictures.ts'
import { judgeHierarchy, judgeLists, judgeQuestions } from './text-structure.ts'

/**
 * Whether an engine can quote an answer from the pages. Engines quote passages and not sites: text without a
 * plain statement, without headings or without figures is read and left out.
 */
export const contentAnswerability: Agent = {
  id: 'content-answerability',
  name: 'Content answerability',
  checks: [
    {
      id: 'answer-first',
      title: 'The page says at once what it is',
      weight: 4,
      run: needsHome(judgeAnswerFirst),
    },
    { id: 'depth', title: 'Pages have enough text', weight: 3, run: needsContent(judgeDepth) },
    { id: 'hierarchy', title: 'Headings divide the text', weight: 3, run: needsContent(judgeHierarchy) },
    {
      id: 'question-blocks',
      title: 'Questions are answered in short',
      weight: 3,
      run: (site, signals) => needsPages(() => judgeQuestions(indexedPages(site), site, signals))(site),
    },
    {
      id: 'evidence',
      title: 'Statements have figures',
      weight: 3,
      run: byWords(kindLanguages, needsContent(judgeEvidence)),
    },
    {
      id: 'boilerplate',
      title: 'Content comes before menus',
      weight: 3,
      run: needsContent(judgeBoilerplate),
    },
    {
      id: 'lists-tables',
      title: 'Lists and tables order the facts',
      weight: 2,
      run: needsContent(judgeLists),
    },
    {
      id: 'link-text',
      title: 'Links say where they lead',
      weight: 2,
      run: (site, signals) => judgeLinkText(site, signals),
    },
    {
      id: 'titles',
      title: 'Pages can be told apart by their titles',
      weight: 2,
      run: needsPages(judgeTitles),
    },
    { id: 'readability', title: 'The text is easy to read', weight: 2, run: needsContent(judgeReadability) },
  ],
}

/** Other checks say how long such a page and the answers to questions have to be. */
const enoughOfOwner = 150

/**
 * Judges only pages whose text was surely read in whole. Where most pages of a site are of another kind, or have their
 * text from scripts, the few that are left say nothing of how much the site tells.
 */
function judgeDepth(content: readonly Page[], site: Site): Outcome {
  const isNow = (page: Page) => page === site.home || !isArchive(page.url, site.now)
  const told = new Set([
    ...pagesOfKind(site, 'about').filter(({ mainText }) => countWords(mainText) >= enoughOfOwner),
    // What there is to say of one of the staff fills no 300 words.
    ...content.filter((page) => page !== site.home && isAboutOnePerson(page)),
  ])
  const answers = new Set(pagesOfKind(site, 'faq'))
  const current = content.filter((page) => isNow(page) && !told.has(page) && !answers.has(page))
  const pages = current.filter((page) => isWhole(page, site))
  if (pages.length * 2 < current.length)
    return unmeasured(
      'Scripts may write or open the text of most pages. None are run, so the length of the pages was not seen.',
    )
  const blank = indexedPages(site).filter(
    (page) => page !== site.home && isNow(page) && isBlankPage(page, site),
  )
  const left = indexedPages(site).filter(isNow).length - noticesOf(site).size - told.size - answers.size
  const all = pages.length + blank.length
  if (all < 3 && all * 3 < left)
    return unmeasured(
      `Only ${counted(pages.length, 'page')} of the ${left} that were read ${pages.length === 1 ? 'is' : 'are'} of a kind whose length can be judged, too few for a verdict.`,
    )
  const sizes = pages.map((page) => ({ page, words: ownWords(page) }))
  const thin = sizes.filter(({ words }) => words < 300).sort((a, b) => a.words - b.words)
  const good = pages.length - thin.length
  // The page that has most to say already; the shortest may be short for a good reason.
  const fullest = thin.find(({ page }) => page === site.home) ?? thin.at(-1)
  const others = thin.filter((one) => one !== fullest).toReversed()
  const apart = [
    ...(content.some((page) => told.has(page)) ? ['pages about you'] : []),
    ...(content.some((page) => answers.has(page)) ? ['pages of questions'] : []),
  ]
  const reason = `${portion(good, all, 'content page', 'has', 'have')} 300 words or more of main text${apart.length === 0 ? '' : `; ${listed(apart)} are not counted`}.`
  const evidence = (fullest === undefined ? sizes : [fullest, ...others])
    .slice(0, 5)
    .map(({ page, words }): Evidence => {
      const picture = pictureInPlaceOfText(page)
      return {
        url: page.url,
        value: `${counted(words, 'word')} of main text${besideFiller(page)}${picture === undefined ? '' : `, and ${picture}`}`,
      }
    })
  if (isMost(good, all)) return pass(reason, ...evidence)
  const empty = blank.slice(0, 5).map((page) => shown(page.url))
  const needed = Math.max(0, missingToMost(good, pages.length))
  const lengthened = (fullest === undefined ? [] : [fullest, ...others]).slice(0, needed)
  const hasPicture = ({ page }: { readonly page: Page }) => pictureInPlaceOfText(page) !== undefined
  const inPictures = lengthened.some(hasPicture)
    ? ' Where a picture shows the text of a page, put its words into the page as text.'
    : ''
  const found = fail(
    `${blankPages(blank)}${reason} Thin pages answer little and give an engine few passages to quote.`,
    [
      ...(blank.length === 0
        ? []
        : [
            `${blank.length === 1 ? 'Write' : 'Write each of'} ${listed(empty)}, or take out the links to what you do not write.`,
          ]),
      ...(lengthened.length === 0
        ? []
        : [
            `Write ${wordsToAdd(300 - (fullest?.words ?? 0))} more words on ${shown(fullest?.page.url ?? '')}, so that it has at least 300. Answer what visitors ask${questionsOf(site)}.${moreThin(others, needed - 1)}${inPictures}`,
          ]),
    ].join(' '),
    ...blank.slice(0, 5).map(({ url }) => ({ url, value: 'no text of its own' })),
    ...evidence,
  )
  return asking(found, {
    kind: 'length',
    ...(empty.length > 0 && { blank: empty }),
    pages: lengthened.map(({ page, words }) => ({
      url: shown(page.url),
      more: wordsToAdd(300 - words),
      ...(hasPicture({ page }) && { hasPicture: true }),
    })),
  })
}

/** "3 pages have no text of their own." They are told first: each is a promise of the menu that is not kept. */
function blankPages(blank: readonly Page[]): string {
  if (blank.length === 0) return ''
  return blank.length === 1
    ? '1 page has no text of its own. '
    : `${blank.length} pages have no text of their own. `
}

/** Those that lack least first, each with its number of words. */
function moreThin(
  others: readonly { readonly page: Page; readonly words: number }[],
  needed: number,
): string {
  if (needed < 1) return ''
  const named = others
    .slice(0, Math.min(needed, 2))
    .map(({ page, words }) => `${wordsToAdd(300 - words)} more on ${shown(page.url)}`)
  const rest = needed - named.length
  return ` Write ${listed([...named, ...(rest > 0 ? [`as many as are missing on ${further(rest, 'short page')}`] : [])])}.`
}

/** A dialog that no control was seen to open may hold text of the page, and so may a script. */
function isWhole(page: Page, site: Site): boolean {
  return !isWrittenLater(page, site) && (countWords(page.mainText) >= 300 || !hasClosedText(page))
}

function questionsOf(site: Site): string {
  const kind = kindOfSite(site)
  if (kind === 'business')
    return `: what it is, for whom${mayAskForPrices(site) ? ', how it works and what it costs' : ' and how it works'}`
  return isPrivate(kind)
    ? ' about the subject of the page'
    : ': who it is, what happens there, when and where, and whom to ask'
}

/** On a shorter page no menu can be long. */
const minWords = 50

function judgeBoilerplate(all: readonly Page[], site: Site): Outcome {
  const isLater = (page: Page) => isWrittenLater(page, site)
  // A page with nothing of its own has no content that menus could bury.
  const pages = all.filter((page) => countWords(page.mainText) >= 10 && !isLater(page))
  if (pages.length === 0 && all.some(isLater))
    return unmeasured('Scripts write the text of the pages. None are run, so its place was not seen.')
  if (pages.every(({ text }) => countWords(text) < minWords))
    return notApplicable(`The content pages have fewer than ${minWords} words each, menus included.`)
  const isBuried = ({ share, start = 0 }: MeasuredPage) => share < 40 || start > 30
  // Of a short page the share says nothing, and forms and asides bury no text.
  const measured = pages
    .filter(({ text }) => countWords(text) >= minWords)
    .map((page): MeasuredPage => ({ page, ...measureContent(page) }))
    .filter((one) => !isBuried(one) || !isBesideMain(one.page))
  if (measured.length === 0)
    return notApplicable(
      'Forms, asides and dialogs make most of what stands around the text of the content pages. That is content itself, and no menu.',
    )
  const buried = measured.filter(isBuried)
  const good = measured.length - buried.length
  const judged = judgeShare(
    good,
    measured.length,
    {
      reason: `${portion(good, measured.length, 'content page', 'is', 'are')} well ordered: the main text is 40 % or more of all text and begins within its first 30 %. An agent with little room reads the beginning first.`,
      fix: `On ${shown(buried[0]?.page.url ?? '')}, ${boilerplateFix(buried[0])}.${andOthers(buried.length)}`,
    },
    (buried.length > 0 ? buried : measured).map(({ page, share, start }) => ({
      url: page.url,
      value: `main text is ${share} % of all text${start === undefined ? '' : ` and begins at ${start} %`}`,
    })),
  )
  const [worst] = buried
  return worst !== undefined && lacksText(worst) ? asking(judged, { kind: 'share' }) : judged
}

interface MeasuredPage extends ReturnType<typeof measureContent> {
  readonly page: Page
}

/** The text begins early enough, so it is too short for what stands around it. */
function lacksText({ start = 0 }: { readonly start?: number | undefined }): boolean {
  return start <= 30
}

/** Most of what the main text lacks stands in forms, asides and dialogs: that is content, and no menu. */
function isBesideMain({ $, text, mainText }: Page): boolean {
  const menus = $('nav, header, footer, [role="navigation"], [role="banner"], [role="contentinfo"]')
    .toArray()
    .filter((element) => !around(element).some(({ name }) => /^(?:nav|header|footer|main)$/.test(name)))
  const lost = countWords(text) - countWords(mainText)
  return countWords(textWithin(menus)) * 2 < lost
}

function boilerplateFix(
  buried: { readonly page: Page; readonly start?: number | undefined } | undefined,
): string {
  if (buried !== undefined && lacksText(buried))
    return 'write more text, or fewer words in the menus and lists of links around it'
  if (buried === undefined || buried.page.$('main, [role="main"]').length === 0)
    return 'put the content into a main element, and shorten the menus and lists of links before it'
  const copies = menuCopies(buried.page)
  return copies < 2
    ? 'put fewer menus and links before the main element'
    : `write the menu once: it stands ${copies} times before the text. A style can show one menu on screens of each size`
}

/** How often the same links stand before the main text, where a template has a menu for each size of screen. */
function menuCopies({ $ }: Page): number {
  const counts = new Map<string, number>()
  for (const { attribs } of $('a[href]').not('main a, [role="main"] a, footer a').toArray().slice(0, 2_000)) {
    const target = attribs.href ?? ''
    counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  const often = [...counts.values()].toSorted((one, other) => other - one)
  // A menu has four entries or more; the home page and the telephone number are linked more often.
  return often[3] ?? 0
}

/**
 * Whole percentages. The start is found by the first words of the main text, because later parts may be left
 * out of it; undefined where already these stand apart.
 */
function measureContent({ text, mainText }: Page): { share: number; start: number | undefined } {
  const all = countWords(text)
  const at = [60, 20].map((length) => text.indexOf(mainText.slice(0, length))).find((place) => place >= 0)
  return {
    share: all === 0 ? 0 : Math.floor((countWords(mainText) * 100) / all),
    start: text.length === 0 || at === undefined ? undefined : Math.ceil((at * 100) / text.length),
  }
}

function judgeLinkText({ pages, home }: Site, signals: Signals): Outcome {
  if (pages.length === 0) return unmeasured('No page answered 200 with HTML, so there was nothing to read.')
  const strange = foreign(kindLanguages, signals)
  if (strange !== undefined) return strange
  const start = addressKey((home ?? pages[0])?.url ?? '')
  // "Start" in a menu is the name of a page, and that of the home page in many languages.
  const isMenuItem = (page: Page, link: Link) =>
    link.isNavigation || (page !== home && addressKey(link.url) === start)
  const links = pages.flatMap((page) => {
    const language = languageOf(page).code
    const isNamed = namedLinks(page, language)
    const here = addressKey(page.url)
    return page.links
      .filter(({ text }) => text !== '')
      .map((link) => ({
        url: page.url,
        text: link.text,
        target: link.url,
        // A link to a part of the same page leads to what was read already.
        isGeneric:
          addressKey(link.url) !== here &&
          !isMenuItem(page, link) &&
          isGenericLinkText(link.text, language) &&
          !isNamed(link),
      }))
  })
  if (links.length === 0) return notApplicable('The pages have no links with text.')
  const generic = links.filter(({ isGeneric }) => isGeneric)
  const reason = `${portion(generic.length, links.length, 'link', 'has', 'have')} a text such as "read more" that says nothing about the target.`
  const distinct = new Map(generic.map((link) => [`${link.text} ${link.target}`, link]))
  const evidence = [...distinct.values()]
    .slice(0, 5)
    .map(({ url, text, target }) => ({ url, value: `"${shown(text, 40)}" to ${shown(target)}` }))
  const [first] = generic
  if (first === undefined) {
    return pass(
      `${portion(links.length, links.length, 'link', 'says where it leads', 'say where they lead')}.`,
      {
        url: pages[0]?.url ?? '',
        value: `0 generic texts in ${counted(links.length, 'link')}`,
      },
    )
  }
  if (generic.length * 10 < links.length) return pass(reason, ...evidence)
  return fail(
    `${reason} Agents choose links by their text.`,
    `On ${shown(first.url)}, let the text of the link to ${shown(first.target)} say what is there, in place of "${shown(first.text, 40)}".${andTheRest(generic.length - 1, 'link')}`,
    ...evidence,
  )
}

/** Whether a link has a better name than its text: "More" is read as "More about bees" where an attribute says so. */
function namedLinks(page: Page, language: string | undefined): (link: Link) => boolean {
  const key = (url: string, text: string) => `${addressKey(url)} ${text}`
  const named = new Set(
    page.elements.flatMap(({ name, node }) => {
      const target = name === 'a' ? absolute(attributeOf(node, 'href'), page.url) : undefined
      if (target === undefined) return []
      const label = attributeOf(node, 'aria-label') || attributeOf(node, 'title')
      const isTold =
        attributeOf(node, 'aria-labelledby') !== '' ||
        attributeOf(node, 'aria-describedby') !== '' ||
        (label !== '' && !isGenericLinkText(label, language))
      return isTold ? [key(target, labelOf(node))] : []
    }),
  )
  return ({ url, text }) => named.has(key(url, text))
}
