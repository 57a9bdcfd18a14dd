import { wallOf } from '../agents/crawl-access/challenge.ts'
import { judgeShell } from '../agents/render-performance/js-shell.ts'
import { homeAnswer, isRefusal, startPageFix } from '../findings/document.ts'
import { inWords } from '../findings/in-words.ts'
import type { Gate } from '../findings/results.ts'
import { isShellPage } from '../findings/scripted/shell.ts'
import { counted, listed } from '../findings/share.ts'
import { shown } from '../site/addresses.ts'
import { repliesFor } from '../site/capture.ts'
import { isEmptyBody } from '../site/challenge-page.ts'
import { isHtml } from '../site/files/headers.ts'
import { forwardTarget } from '../site/forwarding.ts'
import { countWords } from '../site/html/words.ts'
import { isUnindexed } from '../site/indexable.ts'
import { readPage } from '../site/page.ts'
import type { Site } from '../site/site.ts'

/**
 * What keeps agents out of a site caps both totals, whatever else is good: the best markup behind a wall is
 * read by no agent. Gates are read from the site and not from findings, so that a light scan, which makes few
 * checks, has the same caps as a full one.
 *
 * @returns the gates that hold, the lowest cap first
 */
export function gatesOf(site: Site): Gate[] {
  return [wallGate(site), noindexGate(site), shellGate(site), botsGate(site)].flatMap((gate) =>
    gate === undefined ? [] : [{ ...gate, reason: inWords(gate.reason), fix: inWords(gate.fix) }],
  )
}

/**
 * Scales a total to the lowest cap: a wall leaves 20 % of it. If the total were only cut off at the cap, an empty
 * page, of which many checks find nothing bad to say, would stand above a poor page that can be read.
 */
export function capped(total: number, gates: readonly Pick<Gate, 'cap'>[]): number {
  return (total * Math.min(100, ...gates.map(({ cap }) => cap))) / 100
}

/** The checks that report what a gate is about, the one with the clearest fix first. */
export const checksOfGate: Readonly<Record<Gate['id'], readonly string[]>> = {
  wall: [
    'crawl-access/bot-wall',
    'crawl-access/challenge',
    'core-snapshot/reach',
    'render-performance/js-shell',
    'core-snapshot/ssr-text',
  ],
  noindex: ['core-snapshot/indexable'],
  shell: ['render-performance/js-shell', 'core-snapshot/ssr-text'],
  bots: ['crawl-access/search-tier', 'crawl-access/user-tier', 'core-snapshot/search-bots'],
}

function wallGate(site: Site): Gate | undefined {
  const home = homeAnswer(site.capture)
  if (home === undefined) return undefined
  const url = shown(home.finalUrl)
  const gate = (what: string, fix: string): Gate => ({
    id: 'wall',
    cap: 20,
    reason: `We could not read your site: ${what}.`,
    fix,
  })
  const challenge = wallOf(home)
  if (challenge !== undefined) {
    const status = home.status === 200 ? '' : `it answers ${home.status} to agents and `
    return gate(
      `${status === '' ? 'it ' : status}shows a challenge for humans in place of the page (${challenge.value})`,
      `Let the bot protection pass public pages such as ${url} without a challenge. Keep it on forms and logins. Then scan again.`,
    )
  }
  if (home.status !== 200) {
    return isRefusal(home.status)
      ? gate(
          `it answers ${home.status} to agents`,
          `Let assistants read your public pages. Your server refuses them: it answers ${home.status}. Ask whoever runs it to let them pass, then scan again.`,
        )
      : gate(`it answers ${home.status}`, startPageFix(home))
  }
  const [browser] = repliesFor(site.capture, 'home-browser')
  // A light scan asks as no browser, and takes the page for what everybody gets.
  const nothing = () =>
    forwardTarget(home) === home.finalUrl
      ? gate(
          'the page only loads itself again',
          `Take the refresh out of ${url}, and write there what you offer.`,
        )
      : browser === undefined || browser.body === home.body
        ? gate(
            'the page has no text',
            `Write into ${url} what you offer, as text. Agents and browsers get the same page, and nothing stands in it.`,
          )
        : gate('it sends agents an empty page', `Let ${url} answer with the page and its text.`)
  if (isEmptyBody(home)) return nothing()
  if (!isHtml(home)) return undefined
  const words = countWords(site.home?.text ?? '')
  const browserWords = browser?.status === 200 && isHtml(browser) ? countWords(readPage(browser).text) : 0
  if (words < 50 && browserWords > 4 * words && browserWords >= 50) {
    return gate(
      `it sends agents ${counted(words, 'word')} of the page and browsers ${browserWords}`,
      `Serve the same HTML at ${url} to every User-Agent.`,
    )
  }
  return words > 0 || site.home === undefined || isShell(site) ? undefined : nothing()
}

/** Most website systems have one switch for all pages, so an owner who is told of one page would look for the wrong thing. */
function noindexGate({ home, pages }: Site): Gate | undefined {
  if (home === undefined || !isUnindexed(home)) return undefined
  const banned = pages.filter(isUnindexed).length
  return {
    id: 'noindex',
    cap: 30,
    reason: 'Your site asks search and answer engines to leave it out. So none may show or cite it.',
    fix:
      banned > 1
        ? `If the site is meant to be found, let search engines in again: take "noindex" off all pages. It was found on ${banned} of ${pages.length}. Most website systems have one switch for it.`
        : `If the site is meant to be found, let search engines in again: take "noindex" off ${shown(home.url)}, and off other pages that carry it.`,
  }
}

function shellGate(site: Site): Gate | undefined {
  const { home } = site
  if (home === undefined || !isShell(site)) return undefined
  return {
    id: 'shell',
    cap: 40,
    reason: `Your site sends agents a page without content: ${counted(countWords(home.text), 'word')} in the HTML. Scripts write the rest, and most agents run none.`,
    fix: `Render ${shown(home.url)} on the server or when the site is built, so that its text stands in the HTML.`,
  }
}

/** Only the home page is asked, because a light scan reads no other. */
function isShell(site: Site): boolean {
  return site.home !== undefined && (isShellPage(site.home) || judgeShell(site).result === 'fail')
}

function botsGate({ robots, origin, home }: Site): Gate | undefined {
  // A file that we may not read can still let others in.
  if (robots.status === undefined || isRefusal(robots.status)) return undefined
  const url = home?.url ?? `${origin}/`
  const refused = answerBots.filter((bot) => !robots.isAllowed(bot, url))
  if (2 * refused.length < answerBots.length) return undefined
  return {
    id: 'bots',
    cap: 50,
    reason: `Your robots.txt shuts out ${listed([...new Set(refused.map(assistantOf))])}. These assistants may neither find nor open your pages. Their bots are called ${listed(refused)}.`,
    fix: `In ${shown(robots.url)}, remove the rules that keep ${listed(refused)} out, or add a group that allows them.`,
  }
}

/** "ChatGPT" of the bot "OAI-SearchBot": the name that its users know. */
function assistantOf(bot: string): string {
  if (/^(?:OAI|ChatGPT)/.test(bot)) return 'ChatGPT'
  return bot.startsWith('Claude') ? 'Claude' : 'Perplexity'
}

/** The bots by which the assistants with the most users search, and open a page that a user asks about. */
const answerBots = [
  'OAI-SearchBot',
  'Claude-SearchBot',
  'PerplexityBot',
  'ChatGPT-User',
  'Claude-User',
  'Perplexity-User',
]
