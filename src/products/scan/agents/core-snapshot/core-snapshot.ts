import { fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { documentsOf, isRefusal } from '../../findings/document.ts'
import { needsHome } from '../../findings/needs.ts'
import { counted, listed } from '../../findings/share.ts'
import { absolute, shown } from '../../site/addresses.ts'
import { answered } from '../../site/capture.ts'
import { mediaTypeOf } from '../../site/files/headers.ts'
import { searchBots } from '../../site/files/robots.ts'
import { attributeOf, elementsOf } from '../../site/html/elements.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { indexBansOf } from '../../site/indexable.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Agent } from '../agent.ts'
import { judgeBotAccess } from '../crawl-access/bot-access.ts'
import { mounts } from '../render-performance/js-shell.ts'
import { findContactPath } from './contact-path.ts'

/**
 * The ten things that decide whether an agent can find, read and use a page at all. They are all that a light
 * scan says, so they need nothing but the home page, robots.txt, the sitemap and llms.txt.
 */
export const coreSnapshot: Agent = {
  id: 'core-snapshot',
  name: 'Core snapshot',
  checks: [
    { id: 'reach', title: 'The page is reached directly', weight: 5, run: judgeReach },
    { id: 'ssr-text', title: 'The HTML holds enough text', weight: 5, run: needsHome(judgeText) },
    { id: 'search-bots', title: 'Search bots are let in', weight: 5, run: judgeSearchBots },
    { id: 'indexable', title: 'The page may be indexed', weight: 4, run: needsHome(judgeIndexable) },
    { id: 'jsonld-any', title: 'The page has facts for machines', weight: 4, run: needsHome(judgeJsonLd) },
    { id: 'title-desc', title: 'Title and description fit', weight: 3, run: needsHome(judgeTitle) },
    { id: 'sitemap', title: 'There is a sitemap', weight: 3, run: judgeSitemap },
    { id: 'contact-path', title: 'There is a way to get in touch', weight: 3, run: needsHome(judgeContact) },
    { id: 'one-h1', title: 'One main heading names the topic', weight: 2, run: needsHome(judgeMainHeading) },
    { id: 'llms-sane', title: 'llms.txt is a readable guide', weight: 1, run: judgeLlms },
  ],
}

function judgeReach({ capture }: Site): Outcome {
  const [home] = answered(capture, 'home')
  if (home === undefined) return unmeasured('The page gave no answer.')
  const hops = home.redirects.length
  const end = shown(home.finalUrl)
  const seen = {
    url: home.url,
    value: `status ${home.status} after ${counted(hops, 'redirect')}, at ${shown(home.finalUrl, 150)}`,
  }
  if (home.status !== 200) {
    const [browser] = answered(capture, 'home-browser')
    const isWall = browser?.status === 200
    return fail(
      `The page answers with status ${home.status}, so an agent gets an error in place of its text.`,
      isWall
        ? `Let ${end} answer 200 also to requests whose User-Agent header names an agent; a browser's was let in.`
        : `Let ${end} answer 200 with the page.`,
      seen,
      ...(isWall ? [{ url: browser.url, value: "status 200 for a browser's User-Agent" }] : []),
    )
  }
  if (!home.finalUrl.startsWith('https:')) {
    return fail(
      'The page is served without https; agents and answer engines prefer or demand an encrypted address.',
      `Serve ${end} over https and redirect http to it.`,
      seen,
    )
  }
  if (hops <= 1) return pass(`The page answers 200 over https after ${counted(hops, 'redirect')}.`, seen)
  return (hops <= 3 ? warn : fail)(
    `The page is reached after ${hops} redirects; each costs time, and some agents give up on the way.`,
    `Let ${shown(home.url)} redirect to ${end} in one step.`,
    seen,
  )
}

function judgeText(home: Page): Outcome {
  const words = countWords(home.mainText)
  const seen = { url: home.url, value: `${counted(words, 'word')} of main text in the HTML` }
  if (words >= 150)
    return pass(`The HTML holds ${words} words of main text, readable without JavaScript.`, seen)
  const judge = words >= 50 ? warn : fail
  if (isRendered(home)) {
    return judge(
      `The HTML holds ${words === 0 ? 'no' : `only ${counted(words, 'word')} of`} main text (150 words are enough), and a script writes what else there is. Most crawlers of answer engines do not run JavaScript and see nothing else.`,
      `Send the main text of ${shown(home.url)} in the HTML itself: render it on the server or when the site is built.`,
      seen,
    )
  }
  return judge(
    `The page has ${words === 0 ? 'no' : `only ${counted(words, 'word')} of`} main text (150 words are enough), so there is little that an answer engine could read or quote.`,
    `Write 150 words or more of main text on ${shown(home.url)}: what you offer, for whom, where and at what price.`,
    seen,
  )
}

/** A script from a file runs, and what it would fill is empty: a mount element of a framework, or all of the page. */
function isRendered(home: Page): boolean {
  const elements = elementsOf(home)
  const hasScript = elements.some(({ name, node }) => name === 'script' && attributeOf(node, 'src') !== '')
  const found = elements
    .filter(({ node }) => mounts.includes(attributeOf(node, 'id')))
    .slice(0, mounts.length)
  return hasScript && (countWords(home.text) === 0 || found.some(({ node }) => textWithin([node]) === ''))
}

function judgeSearchBots(site: Site): Outcome {
  return judgeBotAccess(
    site,
    searchBots.slice(0, 5),
    [`${site.origin}/`],
    'An answer engine cannot cite what its search bot may not read.',
  )
}

function judgeIndexable(home: Page): Outcome {
  const bans = indexBansOf(home.answer, home.$)
  const seen = bans.slice(0, 5).map(({ value }) => ({ url: home.url, value: shown(value) }))
  if (bans.length === 0) {
    return pass('Neither the page nor its headers ask to be left out of an index.', {
      url: home.url,
      value: 'no noindex in the robots meta elements or X-Robots-Tag',
    })
  }
  const crawlers = bans.flatMap(({ crawler }) => crawler ?? [])
  return fail(
    crawlers.length === bans.length
      ? `The page asks ${listed([...new Set(crawlers)])} not to index it, so it is missing from the answers built on that index.`
      : 'The page asks all engines not to index it, so none can show or cite it.',
    `Remove "${shown(bans[0]?.value ?? '', 80)}" from ${shown(home.url)}.`,
    ...seen,
  )
}

function judgeJsonLd(home: Page): Outcome {
  const types = home.jsonLd.nodes.filter((node) => node.isSchemaOrg).flatMap((node) => node.types)
  if (types.length > 0) {
    return pass(`The page describes itself in JSON-LD with ${counted(types.length, 'typed node')}.`, {
      url: home.url,
      value: `@type ${shown(listed([...new Set(types)].slice(0, 5)))}`,
    })
  }
  const { blocks, errors } = home.jsonLd
  const broken = errors.length > 0 ? `, of which ${errors.length} cannot be parsed` : ''
  return fail(
    `${blocks === 0 ? 'The page has no JSON-LD' : `The page has ${counted(blocks, 'JSON-LD block')}${broken}, and no schema.org node with a type`}. An engine has to guess who you are and what you offer.`,
    `Add a script of type application/ld+json with a schema.org Organization (name, url, logo) to ${shown(home.url)}.`,
    { url: home.url, value: `${counted(blocks, 'JSON-LD block')}${broken}, 0 schema.org nodes` },
  )
}

function judgeTitle(home: Page): Outcome {
  const parts = [
    { name: 'title', text: home.title, least: 10, most: 70 },
    { name: 'description', text: home.description, least: 50, most: 170 },
  ].map((part) => {
    const length = Array.from(part.text).length
    return { ...part, length, isFit: length >= part.least && length <= part.most }
  })
  const seen = parts.map(({ name, text, length }) => ({
    url: home.url,
    value: length === 0 ? `no ${name}` : `${name}, ${counted(length, 'character')}: "${shown(text)}"`,
  }))
  const unfit = parts.filter(({ isFit }) => !isFit)
  if (unfit.length === 0)
    return pass('Title and description have lengths that engines can show whole.', ...seen)
  return (unfit.length === 1 ? warn : fail)(
    `The page has ${listed(unfit.map(({ name, length }) => (length === 0 ? `no ${name}` : `a ${name} of ${counted(length, 'character')}`)))}. Engines then cut what they show or make up their own summary.`,
    `On ${shown(home.url)}, write ${listed(unfit.map(({ name, least, most }) => `a ${name} of ${least} to ${most} characters`))} to say what the site offers.`,
    ...seen,
  )
}

function judgeSitemap({ capture, sitemap, origin }: Site): Outcome {
  const read = sitemap.files.find(({ state }) => state === 'ok')
  if (read !== undefined) {
    const pages = counted(sitemap.urls.length, 'page')
    return pass(`The sitemap can be read and lists ${pages}.`, {
      url: read.url,
      value: `${read.kind ?? 'list'}, ${pages}`,
    })
  }
  const broken = sitemap.files.find(({ state }) => state === 'broken')
  if (broken !== undefined) {
    return fail(
      'A sitemap answers, but it is not a readable urlset or sitemapindex, so crawlers learn no address from it.',
      `Make ${shown(broken.url)} a valid XML sitemap.`,
      { url: broken.url, value: shown(broken.problem ?? 'neither urlset nor sitemapindex') },
    )
  }
  const asked = capture.exchanges.filter(({ purpose }) => purpose === 'sitemap')
  const [absent] = answered(capture, 'sitemap')
  const isUnseen = asked.some((exchange) => exchange.outcome !== 'answered' || isRefusal(exchange.status))
  if (absent === undefined || isUnseen) {
    return unmeasured('The sitemap was not read.')
  }
  return fail(
    'There is no sitemap, so crawlers know only the pages that they find through links.',
    `Publish ${shown(origin)}/sitemap.xml and name it in robots.txt with a "Sitemap:" line.`,
    { url: absent.url, value: `status ${absent.status}` },
  )
}

function judgeContact(home: Page): Outcome {
  const found = findContactPath(home)
  if (found !== undefined) {
    return pass('The page offers a way to get in touch or to order that an agent can use.', {
      url: home.url,
      value: shown(found),
    })
  }
  return fail(
    'No telephone or e-mail link, no form for a message or an order, no cart and no link to contact, booking, quotes or demos was found in the HTML of this page, so an agent finds no place here to start a conversation or an order.',
    `Link a contact or booking page from ${shown(home.url)}, or add a tel: or mailto: link.`,
    { url: home.url, value: 'no tel:, mailto:, form, cart or contact link' },
  )
}

function judgeMainHeading(home: Page): Outcome {
  const texts = home.headings.flatMap(({ level, text }) => (level === 1 ? [text] : []))
  const seen = texts.slice(0, 5).map((text) => ({ url: home.url, value: `h1: "${shown(text)}"` }))
  if (texts.length === 1) return pass('Exactly one main heading names the topic of the page.', ...seen)
  if (texts.length === 0) {
    return fail(
      'The page has no main heading with text, so an engine must infer its topic.',
      `Give ${shown(home.url)} one h1 that says what the page is about.`,
      { url: home.url, value: '0 h1 elements with text' },
    )
  }
  return warn(
    `The page has ${texts.length} main headings, so its topic is ambiguous to an engine.`,
    `Keep "${shown(texts[0] ?? '', 80)}" as the only h1 of ${shown(home.url)} and make the others h2.`,
    ...seen,
  )
}

/** Its absence says nothing about a site. Once it is served, models read what it says. */
function judgeLlms({ capture }: Site): Outcome {
  const [document] = documentsOf(capture, 'llms')
  const [llms] = answered(capture, 'llms')
  if (document === undefined || llms === undefined) return unmeasured('/llms.txt was not read.')
  const { url, status, body } = llms
  if (status >= 500) {
    return fail(
      `/llms.txt answers with status ${status}, so a model that looks for a guide meets an error.`,
      `Let ${shown(url)} answer 200 with a Markdown guide, or 404 when there is none.`,
      { url, value: `status ${status}` },
    )
  }
  if (document.state === 'absent') return notApplicable(`There is no llms.txt (status ${status}).`)
  if (document.state === 'unseen') return unmeasured(`/llms.txt ${document.why}.`)
  const type = mediaTypeOf(llms)
  const seen = { url, value: `${shown(type, 40) || 'no content type'}: ${shown(body.slice(0, 300))}` }
  if (document.state === 'page' || !type.startsWith('text/')) {
    return fail(
      '/llms.txt answers 200 with something that is not plain text, so the guide for models is broken.',
      `Let ${shown(url)} answer 404, or serve a Markdown guide as text/plain or text/markdown.`,
      seen,
    )
  }
  const missing = [
    ...(/^\ufeff?#[ \t]{1,9}\S/m.test(body) ? [] : ['a heading that begins with "# "']),
    ...(hasLink(body, llms.finalUrl) ? [] : ['a link of the form [name](address)']),
    ...(Array.from(body.trim()).length >= 50 ? [] : ['at least 50 characters of text']),
  ]
  if (missing.length === 0) return pass('llms.txt is text with a heading and links.', seen)
  return fail(
    `llms.txt lacks ${listed(missing)}, so a model finds no guide in it.`,
    `Add ${listed(missing)} to ${shown(url)}.`,
    seen,
  )
}

/** Bounded runs, because the file is a stranger's. */
function hasLink(markdown: string, base: string): boolean {
  for (const [, address] of markdown.matchAll(/\[[^\]\n]{1,300}\]\(([^)\s]{1,2000})\)/g)) {
    if (address !== undefined && absolute(address, base) !== undefined) return true
  }
  return false
}
