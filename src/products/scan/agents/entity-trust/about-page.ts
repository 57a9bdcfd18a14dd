import { asking, fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { counted, wordsToAdd } from '../../findings/share.ts'
import { unreadEntry, unreadPlace } from '../../findings/unread-places.ts'
import { isOnePersons } from '../../signals/site-kind/one-person.ts'
import { kindOfSite, nounOf } from '../../signals/site-kind/site-kind.ts'
import { absolute, addressKey, depthOf, shown } from '../../site/addresses.ts'
import { homeAddress } from '../../site/below-home.ts'
import { isContactLine } from '../../site/contact/contact-lines.ts'
import { fromMenuOf } from '../../site/contact/menus.ts'
import { attributeOf, type PageElement } from '../../site/html/elements.ts'
import { formsOf } from '../../site/html/forms.ts'
import { sectionsOfKind } from '../../site/html/page-sections.ts'
import { around, type Element, textWithin } from '../../site/html/visible-text.ts'
import { countWords, isTemplateText } from '../../site/html/words.ts'
import { isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import { isAboutOnePerson } from '../../site/kinds/portraits.ts'
import { noticesOf, pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/** Judges whether a page or a section tells who stands behind the site. Engines look there before they trust the rest. */
export function judgeAbout(pages: readonly Page[], site: Site): Outcome {
  const kind = kindOfSite(site)
  const noun = nounOf(kind)
  // The home page in another language is a home page.
  const isOtherHome = (page: Page) => page !== site.home && isLanguageRoot(page.url)
  const own = pagesOfKind(site, 'about').filter((page) => !isOtherHome(page))
  const left = own.find(({ text }) => isTemplateText(text))
  // A privacy notice begins with "Who we are", too.
  const notices = noticesOf(site)
  const sections: AboutSection[] = [
    ...own
      .filter((page) => isOpen(page) && !listsReleases(page))
      // Where a template's text is left, the rest has to do alone.
      .map((page) => ({
        page,
        words: isTemplateText(page.text) ? ownWordsOf(page) : countWords(page.mainText),
      }))
      .filter(({ page, words }) => page !== left || words >= enough)
      .map(({ page, words }) => ({ url: page.url, words })),
    ...pages.flatMap((page, at) =>
      notices.has(page) || listsReleases(page) || isOtherHome(page) || own.includes(page)
        ? []
        : aboutSections(page, at === 0).filter(
            ({ name = '' }) => kind !== 'event' || !aboutPerson.test(name),
          ),
    ),
    ...(isOnePersons(site) ||
    isCalledAbout(site) ||
    kind === 'event' ||
    (site.home !== undefined && tellsOfItself(site.home))
      ? pages.slice(0, 1).map(({ url, mainText }) => ({ url, words: countWords(mainText) }))
      : []),
  ].toSorted((one, other) => other.words - one.words)
  const evidence = sections.slice(0, 5).map((one) => ({
    url: one.url,
    value: `${counted(one.words, 'word')}${belowName(one.name)}`,
  }))
  // A site of one page tells of the practice in one part, and of its dentist in the next. A part that only its id in the code
  // calls so may be the history of a disease, and is not added.
  const onPages = [...Map.groupBy(sections, ({ url }) => url).values()].map((parts) => {
    const added = parts.filter(({ isById }, at) => at === 0 || isById !== true)
    return { parts: added.length, words: added.reduce((sum, { words }) => sum + words, 0) }
  })
  const fullest = onPages.toSorted((one, other) => other.words - one.words)[0]
  if (fullest !== undefined && fullest.words > almostEnough)
    return pass(
      `${fullest.parts === 1 ? 'A text' : `${fullest.parts} texts`} about the people or the company ${fullest.parts === 1 ? 'has' : 'have'} ${fullest.words} words.`,
      ...evidence,
    )
  const portraits = pages.filter((page) => page !== site.home && isAboutOnePerson(page))
  const told = portraits.reduce((sum, { mainText }) => sum + countWords(mainText), 0)
  if (told >= enough)
    return pass(
      `${counted(portraits.length, 'page')} about single people ${portraits.length === 1 ? 'has' : 'have'} ${told} words.`,
      ...portraits
        .slice(0, 5)
        .map(({ url, mainText }) => ({ url, value: counted(countWords(mainText), 'word') })),
    )
  const unread = unreadPlace(site, 'about')
  if (unread) return unmeasured(`It is not known what the site says of itself: ${unread.reason}.`)
  if (kind === 'library')
    return notApplicable('The site documents software, and a page about a business is not expected of it.')
  // A page of its own is the place to tell more, even where a part of the home page has more words.
  const onOwn = sections.find(({ url }) => own.some((page) => page.url === url))
  const first = onOwn ?? sections.find(({ name = '' }) => !ofValues.test(name)) ?? sections[0]
  if (first && !(left && onOwn === undefined)) {
    const isPage = own.some((page) => page.url === first.url)
    const { name } = first
    const part = belowName(name)
    // Where little is there, the whole length says more than what is missing.
    const more = first.words >= 100 ? wordsToAdd(enough - first.words) : undefined
    const found = fail(
      `The ${isPage ? 'page' : 'part of the page'}${part} about the people or the company has ${counted(first.words, 'word')}. 150 words are asked for, because engines learn there who stands behind a site.`,
      `${more === undefined ? `Tell on ${shown(first.url)}${part} who runs` : `Write ${counted(more, 'more word')} on ${shown(first.url)}${part} about who runs`} the ${noun}, since when, where and ${kind === 'business' ? 'with what experience' : 'what for'}.`,
      ...evidence,
    )
    return asking(found, { kind: 'people', heading: name, more })
  }
  if (left) {
    const found = fail(
      'The page about the people or the company still has the text that came with its template, so engines learn there who made the template.',
      `Replace the text of ${shown(left.url)}: tell in 150 words or more who stands behind the site, since when, where and what for.`,
      { url: left.url, value: `"${shown(left.mainText, 100)}"` },
    )
    return asking(found, { kind: 'people-page', change: 'replace' })
  }
  const parent = parentSite(site)
  if (parent !== undefined)
    return unmeasured(`${shown(parent)}, the site above this one, is linked and was not read.`)
  const entry = site.home && unreadEntry(site.home, site)
  if (entry)
    return unmeasured(`It is not known whether a page tells who stands behind the site: ${entry.reason}.`)
  const found = fail(
    `No page about the people or the company was found ${pages.length === 1 ? 'on the page that was read or behind its links' : `among ${pages.length} pages and the links there`}. Engines look for one to learn who stands behind a site.`,
    `Write at least 150 words about who runs the ${noun} on a page of its own, and link it ${fromMenuOf(site)}.`,
    { url: homeAddress(site), value: `no about or team page linked on ${counted(pages.length, 'page')}` },
  )
  return asking(found, { kind: 'people-page', change: 'new' })
}

/** How many words about the people or the company are asked for. */
const enough = 150
/** Who is asked for 150 words and writes 145 has done it. */
const almostEnough = enough * 0.95

/** Without the parts that came with a template: a page may tell of the practice, and have "Lorem ipsum" for its team. */
function ownWordsOf({ mainPart }: Page): number {
  return mainPart.paragraphs
    .filter((text) => !isTemplateText(text))
    .reduce((sum, text) => sum + countWords(text), 0)
}

/** How the business works, and not who it is. */
const ofValues = /philosoph|filosof|mission|leitbild|(?:unsere|our) (?:werte|values)|valores|valori/iu

/** "About Ada Lind" on the site of a conference: who speaks there. */
const aboutPerson = /^about \p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+$/iu

function belowName(name: string | undefined): string {
  return name === undefined ? '' : ` below "${name}"`
}

/** "The band was formed in 1990 … our members include": the home page itself tells who stands behind the site. */
function tellsOfItself({ mainText }: Page): boolean {
  const text = mainText.slice(0, 5_000)
  return founded.test(text) && inPlural.test(text)
}

const founded =
  /(?<!\p{L})(?:(?:was|were|been) (?:formed|founded|established|started|set up)|(?:formed|founded|established) in (?:1[89]|20)\d\d|(?:wurde|wurden) (?:\p{L}+ ){0,4}gegründet|(?:été|est) fond[ée]e?|fue fundad[oa]|(?:è|fu) (?:stat[oa] )?fondat[oa]|(?:is|werd) opgericht)(?!\p{L})/iu
const inPlural =
  /(?<!\p{L})(?:we are|our members|our history|wir sind|unsere mitglieder|nous sommes|somos|nuestros miembros|siamo|i nostri soci|wij zijn|onze leden)(?!\p{L})/iu

/** `/fr/`, `/pt-br/index.html`, and not `/dr-lind`. */
function isLanguageRoot(url: string): boolean {
  return /^\/[a-z]{2}(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl))?(?:\/(?:index\.\w{2,5})?)?$/i.test(
    new URL(url).pathname,
  )
}

/** "About" in the menu leads to the home page itself, and not to a section of it. */
function isCalledAbout({ home, pages }: Site): boolean {
  if (home === undefined) return false
  const key = addressKey(home.url)
  return pages.some(({ elements, url }) =>
    elements.some(({ name, node, isHidden, region }) => {
      if (name !== 'a' || isHidden || region === 'footer') return false
      const href = attributeOf(node, 'href')
      const target = href === '' || href.includes('#') ? undefined : absolute(href, url)
      return target !== undefined && addressKey(target) === key && isTextOfKind(textWithin([node]), 'about')
    }),
  )
}

/** Behind a login a board keeps its work, not what it says of itself. */
function isOpen(page: Page): boolean {
  return formsOf(page).every(({ use }) => use !== 'login' && use !== 'account')
}

/** "History" may be that of a program: its headings are versions. */
function listsReleases({ headings }: Page): boolean {
  return (
    headings.filter(({ text }) =>
      /^\W{0,2}(?:version |release |v\.? ?)?\d{1,4}\.\d{1,4}(?:\.|\s|\W|$)/i.test(text),
    ).length >= 2
  )
}

/** `https://example.com/` on app.example.com: the maker of an app tells there who he is. */
function parentSite({ pages, origin, registrableDomain: domain }: Site): string | undefined {
  const own = new URL(origin).hostname.replace(/^www\./, '')
  if (own === domain) return undefined
  return pages
    .flatMap(({ links }) => links)
    .find(({ url }) => depthOf(url) === 0 && new URL(url).hostname.replace(/^www\./, '') === domain)?.url
}

interface AboutSection {
  readonly url: string
  readonly words: number
  readonly name?: string
  /** Neither a link nor a heading names it so. */
  readonly isById?: boolean
}

/** A site of one page may have a section for it, and so may another page, under a heading. */
function aboutSections(home: Page, isHome: boolean): AboutSection[] {
  const named = new Map(
    sectionsOfKind(home, 'about')
      .filter(({ element }) => !isHero(element, home))
      .map(({ element, label }) => [element, label]),
  )
  // "Our mission" on each of four cards is a template's word for what the card offers.
  const labels = home.elements.filter(
    (element) => isAboutLabel(element) && (isHome || /^h[1-6]$/.test(element.name)),
  )
  const labelled = new Set(labels.length > 2 ? [] : labels.flatMap(({ node }) => sectionAround(node) ?? []))
  return (
    home.elements
      .filter(
        ({ name, node, isHidden, region }) =>
          // The link "Home" with the id "nav-about" leads there.
          !isHidden && name !== 'a' && region !== 'nav' && (labelled.has(node) || named.has(node)),
      )
      // A paragraph within a section of that name is part of it.
      .filter(({ node }) => !around(node).some((outer) => labelled.has(outer) || named.has(outer)))
      .filter(({ node }) => !isQuotation(node, home))
      .slice(0, 5)
      // With the name on the body, the menu and the footer would count.
      .map(({ node }) => ({
        url: home.url,
        words: wordsIn(node, home),
        ...nameOf(node, home, named.get(node)),
        isById: !labelled.has(node) && named.get(node) === attributeOf(node, 'id'),
      }))
      .filter(({ words }) => words > 0)
  )
}

/** The words of a section, without those of the heading that names it and of the ways to reach the business. */
function wordsIn(section: Element, home: Page): number {
  if (section.name === 'body') return countWords(home.mainText)
  const title = titleOf(section, home)
  const words = countWords(textWithin([section], isContactLine))
  return title === undefined ? words : Math.max(0, words - countWords(title))
}

/** Its first heading, or the words of the menu that lead to it. */
function nameOf(section: Element, page: Page, label = ''): { name?: string } {
  if (section.name === 'body') return {}
  // An id in the code is no word that its owner could look for.
  const said = label === attributeOf(section, 'id') ? '' : label
  const name = shown(titleOf(section, page) ?? said, 60)
  return name === '' ? {} : { name }
}

/**
 * The text of its first heading. A whole sentence that is marked as one is text of the section, and visitors may read another
 * text where a script takes it from a list of languages.
 */
function titleOf(section: Element, { elements }: Page): string | undefined {
  const heading = elements.find(
    ({ name, node }) => /^h[1-6]$/.test(name) && (node === section || around(node).includes(section)),
  )
  const text = heading === undefined ? '' : textWithin([heading.node])
  const isListed = Object.keys(heading?.node.attribs ?? {}).some((name) => ofTextList.test(name))
  return text === '' || isListed || countWords(text) > maxTitleWords ? undefined : text
}

/** `data-translate="doctor_title"` */
const ofTextList = /^data-(?:translate|translation|i18n|l10n|lang)(?:-key)?$/

const maxTitleWords = 9

/** "Our team" above nothing but what a customer says of it. */
function isQuotation(section: Element, { elements }: Page): boolean {
  const quoted = elements
    .filter(({ name, node }) => name === 'blockquote' && around(node).includes(section))
    .reduce((sum, { node }) => sum + countWords(textWithin([node])), 0)
  return quoted * 2 > countWords(textWithin([section]))
}

/** The part with the main heading. Its label may be "Presentation", but it is no text about the people or the company. */
function isHero(section: Element, { elements }: Page): boolean {
  return (
    attributeOf(section, 'aria-label') !== '' &&
    attributeOf(section, 'id') === '' &&
    elements.some(
      ({ name, node }) =>
        name === 'h1' && around(node).includes(section) && !isTextOfKind(textWithin([node]), 'about'),
    )
  )
}

/** "About us" above a text, in whatever element. */
function isAboutLabel({ name, node, region, isHidden }: PageElement): boolean {
  if (
    isHidden ||
    region === 'nav' ||
    region === 'footer' ||
    !/^(?:div|span|p|small|strong|h[1-6])$/.test(name)
  )
    return false
  const text = textWithin([node])
  if (text.length > 40) return text.length <= 60 && ofOne.test(text)
  return isTextOfKind(text, 'about') || life.test(text) || ofOne.test(text)
}

/** "About Dr. Lind", above what a practice tells of its doctor. */
const ofOne =
  /^\W{0,6}(?:about|meet|über|à propos d[eu]|sobre|acerca de|over) (?:the )?(?:dr|doctor|doktor|docteur|prof|dott|dra|founder|owner|author)(?!\p{L})/iu

/** What one person tells of themselves is called so. */
const life =
  /^(?:(?:short |brief )?(?:cv|curriculum vitae|bio|biography|résumé)|(?:kurz)?lebenslauf|kurzbiogra(?:f|ph)ie|parcours|notice biographique|currículo?|semblanza|breve biografia|cenni biografici|korte biografie)$/iu

/** The nearest element around a label with more than a few words of its own. */
function sectionAround(label: Element): Element | undefined {
  return around(label)
    .slice(0, 4)
    .find((outer) => outer.name !== 'body' && outer.name !== 'html' && countWords(textWithin([outer])) >= 30)
}
