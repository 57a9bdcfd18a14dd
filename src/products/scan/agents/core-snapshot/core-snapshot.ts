import { readSitemapAddresses } from '../../crawl/sitemap-addresses.ts'
import { fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isRefusal, startPageFix } from '../../findings/document.ts'
import { runsNoPrograms } from '../../findings/hosting.ts'
import { needsHome } from '../../findings/needs.ts'
import { includedPart } from '../../findings/scripted/included-parts.ts'
import { scriptedMenu } from '../../findings/scripted/scripted-parts.ts'
import { unlessShell } from '../../findings/scripted/shell.ts'
import { counted, listed } from '../../findings/share.ts'
import { straySitemap } from '../../findings/stray-sitemap.ts'
import { isLanguageSwitch } from '../../signals/generic-titles.ts'
import { absolute, addressKey, shown, shownInQuotes } from '../../site/addresses.ts'
import { homeAddress, rootNote, siteFolder } from '../../site/below-home.ts'
import { repliesFor, type SiteReply } from '../../site/capture.ts'
import { isChallengePage, isEmptyBody } from '../../site/challenge-page.ts'
import { looksLikeHtml } from '../../site/files/headers.ts'
import { searchBots } from '../../site/files/robots.ts'
import { commentFirst } from '../../site/files/sitemap.ts'
import { targetsIn } from '../../site/forwarding.ts'
import { indexBansOf } from '../../site/indexable.ts'
import type { Page, Site } from '../../site/site.ts'
import { type Agent, byWords, kindLanguages } from '../agent.ts'
import { judgeBotAccess } from '../crawl-access/bot-access.ts'
import { judgeContact, judgeJsonLd, judgeMainHeading, judgeText } from './home-content.ts'
import { judgeLlms } from './llms-guide.ts'
import { judgeTitle } from './title-and-description.ts'
import { judgeWrongContacts } from './wrong-contacts.ts'

/**
 * The ten checks that decide whether an agent can find, read and use a page at all. A light scan runs only
 * these, so they need nothing but the home page, robots.txt, the sitemap and llms.txt.
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
    {
      id: 'contact-path',
      title: 'There is a way to get in touch',
      weight: 3,
      run: (site, signals) =>
        judgeWrongContacts(site.pages) ??
        byWords(kindLanguages, () => unlessShell(() => judgeContact(signals, site))(site))(site, signals),
    },
    {
      id: 'one-h1',
      title: 'One main heading names the topic',
      weight: 2,
      run: needsHome((home, site) =>
        judgeMainHeading(home, site, includedPart(site) ?? (scriptedMenu(site) && 'header and menu')),
      ),
    },
    { id: 'llms-sane', title: 'llms.txt is a readable guide', weight: 1, run: judgeLlms },
  ],
}

function judgeReach(site: Site): Outcome {
  const { capture } = site
  const [home] = repliesFor(capture, 'home')
  if (home === undefined) return unmeasured('The page gave no answer.')
  const hops = home.redirects.length
  const end = shown(home.finalUrl)
  const evidence = {
    url: home.url,
    value: `status ${home.status} after ${counted(hops, 'redirect')}, at ${shown(home.finalUrl, 150)}`,
  }
  if (home.status !== 200) {
    const [browser] = repliesFor(capture, 'home-browser')
    const isWall = browser?.status === 200
    return fail(
      `The page answers with status ${home.status}, so an agent gets an error in place of its text.`,
      isWall
        ? `Let ${end} answer programs that give their own name, their User-Agent, as it answers browsers.`
        : startPageFix(home),
      evidence,
      ...(isWall ? [{ url: browser.url, value: "status 200 for a browser's User-Agent" }] : []),
    )
  }
  if (isChallengePage(home)) {
    return unmeasured(
      'The page answers 200 with a challenge for humans in place of its text, which another check reports.',
    )
  }
  if (isEmptyBody(home)) {
    return fail(
      'The page answers 200 with an empty body, so an agent gets nothing to read.',
      `Let ${end} answer with the page to every User-Agent.`,
      { ...evidence, value: `${evidence.value}, 0 characters` },
    )
  }
  if (!home.finalUrl.startsWith('https:')) {
    return fail(
      'The page is served without https; agents and answer engines prefer or demand an encrypted address.',
      `Serve ${end} over https and redirect http to it.`,
      evidence,
    )
  }
  const forward = home.redirects.find(({ status }) => status === 200)
  if (forward !== undefined)
    return warn(
      'The page that stands there only sends browsers on, by a line (meta refresh) or a script in it. Programs that wait for a redirect of the server stop there.',
      forwardFix(forward.url, home, otherLanguages(site, forward.url)),
      { url: forward.url, value: `a page that sends browsers on to ${shown(home.finalUrl, 150)}` },
    )
  if (hops <= 1) return pass(`The page answers 200 over https after ${counted(hops, 'redirect')}.`, evidence)
  return (hops <= 3 ? warn : fail)(
    `The page is reached after ${hops} redirects; each costs time, and some agents give up on the way.`,
    `Let ${shown(home.url)} redirect to ${end} in one step.`,
    evidence,
  )
}

/** Where the first page chose a language, one of them for all visitors would take the choice away. */
function forwardFix(start: string, home: SiteReply, others: readonly string[]): string {
  const order = `Let ${shown(start)} show the page of ${shown(home.finalUrl)} itself`
  const [other] = others
  if (other === undefined)
    return `${order}${runsNoPrograms(home) ? '' : ', or have the server redirect to it with status 301'}.`
  return `${order}${runsNoPrograms(home) ? '' : ', or have the server redirect each visitor by the language of the browser'}. Keep a link to ${others.length === 1 ? 'the other language' : 'each other language'} in its HTML, such as to ${shown(other)}, so that visitors can still choose.`
}

/** The home page in other languages, as its head, the links of its menu or the script that chose it name them. */
function otherLanguages({ home, capture }: Site, start: string): readonly string[] {
  if (home === undefined) return []
  const named = home
    .$('link[rel~="alternate" i][hreflang]:not([hreflang="x-default" i])')
    .toArray()
    .slice(0, 50)
    .flatMap(({ attribs }) => absolute(attribs.href ?? '', home.url) ?? [])
  const linked = home.links.flatMap(({ text, url, isInternal }) =>
    isInternal && isLanguageSwitch(text) ? [url] : [],
  )
  const chosen = () =>
    repliesFor(capture, 'script').flatMap(({ status, body }) =>
      status === 200 ? targetsIn(body, start) : [],
    )
  const own = addressKey(home.url)
  return [
    ...new Map(
      ([named, linked].find(({ length }) => length > 0) ?? chosen())
        .filter((url) => addressKey(url) !== own)
        .map((url) => [addressKey(url), url]),
    ).values(),
  ]
}

function judgeSearchBots(site: Site): Outcome {
  return judgeBotAccess(
    site,
    searchBots.slice(0, 5),
    [homeAddress(site)],
    'An answer engine cannot cite what its search bot may not read.',
  )
}

function judgeIndexable(home: Page): Outcome {
  const bans = indexBansOf(home.reply, home.$)
  const evidence = bans.slice(0, 5).map(({ value }) => ({ url: home.url, value: shown(value) }))
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
    ...evidence,
  )
}

function judgeSitemap(site: Site): Outcome {
  const { capture, sitemap } = site
  const read = sitemap.files.find(({ state }) => state === 'ok')
  if (read !== undefined) {
    const pages = counted(sitemap.urls.length, 'page')
    // An index whose parts stand at another host or were not read.
    if (sitemap.urls.length === 0 && read.kind !== undefined && /index/i.test(read.kind))
      return unmeasured(
        `The sitemap index ${shown(read.url)} can be read. None of the sitemaps that it names was read at this site, so their pages are not known.`,
      )
    const raw = capture.exchanges.find(
      (one) => one.purpose === 'sitemap' && one.outcome === 'replied' && one.finalUrl === read.url,
    )
    const written =
      raw?.outcome === 'replied'
        ? readSitemapAddresses(raw.body).urls.filter(({ loc }) => !URL.canParse(loc))
        : []
    const [relative] = written
    if (sitemap.urls.length === 0 && relative !== undefined)
      return fail(
        `The sitemap names ${counted(written.length, 'address', 'addresses')} without the host, such as "${shownInQuotes(relative.loc, 80)}". Engines read whole addresses alone, so they learn none of them.`,
        `Write each address in ${shown(read.url)} in full, beginning with ${site.origin}/.`,
        { url: read.url, value: `<loc>${shown(relative.loc, 80)}</loc>` },
      )
    const stray = straySitemap(site)
    if (stray !== undefined) return fail(stray.reason, stray.fix, { url: read.url, value: stray.quote })
    const named = sitemap.files.filter(({ url }) => site.robots.sitemaps.includes(url))
    const [first] = named
    if (first && named.every(({ state }) => state === 'absent' || state === 'broken'))
      return warn(
        `robots.txt names ${shown(first.url)}, which is no sitemap; that of the site stands at another address, which crawlers have to guess.`,
        `In robots.txt, write "Sitemap: ${shown(read.url)}" in place of that address.`,
        { url: first.url, value: answerAt(capture, first.url) },
        { url: read.url, value: `${read.kind ?? 'list'}, ${pages}` },
      )
    return pass(`The sitemap can be read and lists ${pages}.`, {
      url: read.url,
      value: `${read.kind ?? 'list'}, ${pages}`,
    })
  }
  // A site that answers every path with a page has no sitemap there.
  const isPage = (url: string) =>
    repliesFor(capture, 'sitemap').some((reply) => reply.url === url && looksLikeHtml(reply.body))
  const broken = sitemap.files.find(({ state, url }) => state === 'broken' && !isPage(url))
  if (broken !== undefined) {
    return fail(
      'A sitemap answers, but it is not a readable urlset or sitemapindex, so crawlers learn no address from it.',
      broken.problem === commentFirst
        ? `Take the comment out of the first line of ${shown(broken.url)}. The XML declaration has to come first.`
        : `Make ${shown(broken.url)} a valid XML sitemap.`,
      { url: broken.url, value: shown(broken.problem ?? 'neither urlset nor sitemapindex') },
    )
  }
  const exchanges = capture.exchanges.filter(({ purpose }) => purpose === 'sitemap')
  const [absent] = repliesFor(capture, 'sitemap')
  const isUnseen = exchanges.some(
    (exchange) => exchange.outcome !== 'replied' || isRefusal(exchange.status) || isChallengePage(exchange),
  )
  if (absent === undefined || isUnseen) {
    return unmeasured('The sitemap was not read.')
  }
  return fail(
    'There is no sitemap, so crawlers know only the pages that they find through links.',
    `Publish ${shown(siteFolder(homeAddress(site)))}sitemap.xml and name it in robots.txt with a "Sitemap:" line.${rootNote(site)}`,
    { url: absent.url, value: answerAt(capture, absent.url) },
  )
}

/** What answers where a sitemap should be. */
function answerAt(capture: Site['capture'], url: string): string {
  const reply = repliesFor(capture, 'sitemap').find((one) => one.url === url)
  if (reply === undefined) return 'was not read'
  return reply.status === 200 ? 'status 200, a web page' : `status ${reply.status}`
}
