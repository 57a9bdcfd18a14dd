import { asking, fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { silentFormsOf } from '../../findings/forms/silent-forms.ts'
import { besideFiller, ownWords } from '../../findings/own-words.ts'
import { hasEmptyMount, isWrittenLater } from '../../findings/scripted/written-later.ts'
import { counted, listed } from '../../findings/share.ts'
import { mayAskForPrices } from '../../signals/industry/trade-rules.ts'
import type { Signals } from '../../signals/signals.ts'
import { isPrivate, kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { currentPages } from '../../site/contact/contact-pages.ts'
import { sampleMailsOf } from '../../site/contact/mail-addresses.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { typeName } from '../../site/html/json-ld.ts'
import { isLogoHeading } from '../../site/html/main/logo-headings.ts'
import { hasMicrodata } from '../../site/html/microdata.ts'
import { isPlaceholderText } from '../../site/html/opening-noise.ts'
import { labelOf } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * The checks of what the home page itself says: its text, JSON-LD, title, ways of contact and main heading.
 * They read the HTML as sent, because most crawlers of answer engines run no scripts.
 */
export function judgeText(home: Page, site: Site): Outcome {
  const words = ownWords(home)
  const evidence = {
    url: home.url,
    value: `${counted(words, 'word')} of main text in the HTML${besideFiller(home)}`,
  }
  if (words >= 150)
    return pass(`The HTML holds ${words} words of main text, readable without JavaScript.`, evidence)
  if (home.reply.isCut)
    return unmeasured(
      `The page was too long to be read to its end. What was read holds ${counted(words, 'word')} of main text.`,
    )
  const judge = words >= 50 ? warn : fail
  if (isRendered(home)) {
    return judge(
      `The HTML holds ${words === 0 ? 'no' : `only ${counted(words, 'word')} of`} main text (150 words are enough), and a script writes what else there is. Most crawlers of answer engines do not run JavaScript and see nothing else.`,
      `Send the main text of ${shown(home.url)} in the HTML itself: render it on the server or when the site is built.`,
      evidence,
    )
  }
  const found = judge(
    `The page has ${words === 0 ? 'no' : `only ${counted(words, 'word')} of`} main text (150 words are enough). There is little that an answer engine could read or quote.`,
    `Write 150 words or more of main text on ${shown(home.url)}: ${subjectOf(site)}.`,
    evidence,
  )
  return asking(found, { kind: 'first-text' })
}

/** A parish has no prices, and a project no address. */
function subjectOf(site: Site): string {
  const kind = kindOfSite(site)
  if (kind === 'business')
    return `what you offer, for whom${mayAskForPrices(site) ? ', where and at what price' : ' and where'}`
  return isPrivate(kind)
    ? 'what it is about, for whom it is and what they find there'
    : 'who you are, what happens there, when and where'
}

/**
 * Whether a script writes the page: it loads a script file, and the mount element of a framework or the
 * whole page is empty, or holds a text such as "Loading…".
 */
function isRendered(home: Page): boolean {
  const hasScript = home.elements.some(
    ({ name, node }) => name === 'script' && attributeOf(node, 'src') !== '',
  )
  return (
    hasScript &&
    (countWords(home.text) === 0 || hasEmptyMount(home) || home.lines.slice(0, 300).some(isPlaceholderText))
  )
}

export function judgeJsonLd(home: Page, site: Site): Outcome {
  const types = home.jsonLd.nodes.filter((node) => node.isSchemaOrg).flatMap((node) => node.types)
  if (types.length > 0) {
    return pass(`The page describes itself in JSON-LD with ${counted(types.length, 'typed node')}.`, {
      url: home.url,
      value: `@type ${shown(listed([...new Set(types)].slice(0, 5)))}`,
    })
  }
  const { blocks, errors } = home.jsonLd
  if (blocks === 0 && hasMicrodata(home))
    return unmeasured(
      'The page describes itself in microdata, in attributes of its elements. This check reads JSON-LD only.',
    )
  const stray = home.jsonLd.nodes.find((node) => node.isTop && node.types.length > 0)
  const vocabulary = vocabularyOf(home)
  if (stray !== undefined && !otherVocabulary.test(vocabulary ?? ''))
    return fail(
      `The page has ${counted(blocks, 'JSON-LD block')}, and none says that its words are those of schema.org. An engine cannot tell what they mean.`,
      `Write "https://schema.org" as the @context of the JSON-LD on ${shown(home.url)}, and leave its other lines as they are.`,
      {
        url: home.url,
        value: `${typeName(stray, 'node')} ${vocabulary === undefined ? 'without @context' : `with the @context “${shown(vocabulary, 80)}”`}`,
      },
    )
  const broken = errors.length > 0 ? `, of which ${errors.length} cannot be parsed` : ''
  return fail(
    `${blocks === 0 ? 'The page has no JSON-LD' : `The page has ${counted(blocks, 'JSON-LD block')}${broken}, and no schema.org node with a type`}. An engine has to guess who you are and what you offer.`,
    `Add a script of type application/ld+json with a schema.org Organization (name, url, logo) to ${shown(home.url)}.${/^(?:person|publication|library|unclear)$/.test(kindOfSite(site)) ? ' Where one person runs the site, describe a Person (name, url, image) in its place.' : ''}`,
    { url: home.url, value: `${counted(blocks, 'JSON-LD block')}${broken}, 0 schema.org nodes` },
  )
}

/** One that is meant, and no slip in the address of schema.org; an object is one that gives the words other meanings. */
const otherVocabulary = /^\{|(?:w3\.org|w3id\.org|purl\.org|xmlns\.com|ogp\.me)(?:\/|$)/i

/** What the JSON-LD states as its @context; an object as it is written. Undefined where it states none. */
function vocabularyOf({ $ }: Page): string | undefined {
  const text = $('script[type*="ld+json" i]').text().slice(0, 200_000)
  return /"@context"\s*:\s*(?:"([^"]{0,200})"|(\{[^}]{0,200}))/
    .exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
}

export function judgeContact({ contactPath }: Signals, site: Site): Outcome {
  const { home } = site
  if (home === undefined)
    return unmeasured('The page did not answer 200 with HTML, so there was nothing to read.')
  if (contactPath !== undefined) {
    return pass('There is a way to get in touch or to order that an agent can use.', {
      url: contactPath.url,
      value: shown(contactPath.value),
    })
  }
  const [contact] = pagesOfKind(site, 'contact').filter((page) => page !== home)
  const [sample] = site.pages.flatMap((page) =>
    sampleMailsOf(page).shown.map((address) => ({
      url: page.url,
      value: `${shown(address)}, of a template`,
    })),
  )
  const inVain = silentFormsOf(site).length > 0 ? ' that sends something' : ''
  const found = fail(
    `No telephone number, e-mail address, messenger, form${inVain} or cart was found in the HTML of ${currentPages(site)}${contact ? '' : ', nor a link to one'}. An agent finds no place here to write, book or order.`,
    contact
      ? `Put your telephone number or e-mail address on ${shown(contact.url)} and on ${shown(home.url)}, as a tel: or mailto: link.`
      : `Add a tel: or mailto: link to ${shown(home.url)}, or link a contact or booking page that has one.`,
    {
      url: home.url,
      value: `no telephone number, e-mail address, form${inVain}${contact ? ' or cart' : ', cart or contact link'}`,
    },
    ...(contact ? [{ url: contact.url, value: 'no telephone number, e-mail address or form' }] : []),
    ...(sample ? [sample] : []),
  )
  return asking(found, { kind: 'first-contact-facts' })
}

/** @param included a file that a script puts into the page, which may have the heading */
export function judgeMainHeading(home: Page, site: Site, included?: string): Outcome {
  const texts = home.headings.flatMap(({ level, text }) => (level === 1 ? [text] : []))
  // The same evidence is shown once, so a heading that stands there twice says so.
  const evidence = [...new Set(texts)].slice(0, 5).map((text) => {
    const times = texts.filter((other) => other === text).length
    return { url: home.url, value: `h1: "${shown(text)}"${times > 1 ? `, ${times} times` : ''}` }
  })
  if (texts.length === 1) return pass('Exactly one main heading names the topic of the page.', ...evidence)
  if (texts.length === 0 && included !== undefined)
    return unmeasured(
      `The page has no main heading as sent. A script puts ${included} into it, which may have one and was not read.`,
    )
  if (texts.length === 0 && home.reply.isCut)
    return unmeasured(
      'The page was too long to be read to its end, and no main heading stands in what was read.',
    )
  if (texts.length === 0 && isWrittenLater(home, site))
    return unmeasured(
      'The page has no main heading as sent. Scripts write its text, and none are run, so the heading was not seen.',
    )
  if (texts.length === 0) {
    const isHidden = home.elements.some((element) => element.name === 'h1' && element.isHidden)
    const found = fail(
      isHidden
        ? 'The main heading of the page is hidden from readers, and engines pass over hidden text.'
        : 'The page has no main heading with text, so an engine must infer its topic.',
      `Give ${shown(home.url)} one h1 that says what the page is about.`,
      { url: home.url, value: isHidden ? 'an h1 that is not shown' : '0 h1 elements with text' },
    )
    return asking(found, { kind: 'no-main-heading' })
  }
  const inFooter = home
    .$('[class*="footer" i] h1, [id*="footer" i] h1')
    .toArray()
    .map((element) => spokenText(element))
  const own = texts.filter((text) => !inFooter.includes(text))
  if (own.length === 1)
    return warn(
      `The page has ${texts.length} main headings, of which ${counted(texts.length - 1, 'stands', 'stand')} in the footer, so its topic is ambiguous to an engine.`,
      `Let "${shownInQuotes(own[0] ?? '', 80)}" stay the only h1 of ${shown(home.url)}, and make ${listed([...new Set(inFooter)].slice(0, 3).map((text) => `"${shownInQuotes(text, 60)}"`))} in the footer a paragraph.`,
      ...evidence,
    )
  const logos = home
    .$('h1')
    .toArray()
    .slice(0, 100)
    .filter(isLogoHeading)
    .map((element) => labelOf(element) || spokenText(element))
  const [mainOne, ...more] = texts.filter((text) => !logos.includes(text))
  if (mainOne !== undefined && more.length === 0)
    return asking(
      warn(
        `The page has ${texts.length} main headings, and one is the name of the site in its header. An engine sees no single topic then.`,
        `Let "${shownInQuotes(mainOne, 80)}" stay the only h1 of ${shown(home.url)}. Make "${shownInQuotes(logos[0] ?? '', 60)}" in the header a p or span on each page, and let the style keep its look.`,
        ...evidence,
      ),
      { kind: 'logo-heading' },
    )
  const found = warn(
    `The page has ${texts.length} main headings, so its topic is ambiguous to an engine.`,
    `Keep as the only h1 of ${shown(home.url)} the one that says what the page is about. Where none does, write it at the top of the text. Make the others h2, and let the style keep their look. Scripts that look for an h1 have to follow.`,
    ...evidence,
  )
  return asking(found, {
    kind: 'one-main-heading',
    lines: [...new Set(texts)].map((text) => shown(text)),
  })
}
