import { ScanFailure } from '../findings/scan-failure.ts'
import { isAction, isSameSite } from '../site/addresses.ts'
import type { FailedRequest, SiteReply, SkippedRequest } from '../site/capture.ts'
import { isHtml } from '../site/files/headers.ts'
import { searchBots, userBots } from '../site/files/robots.ts'
import { forwardingScript, forwardTarget, targetsIn } from '../site/forwarding.ts'
import { scriptFetch } from './agent-fetches.ts'
import type { CaptureRun } from './capture-run.ts'
import { pageFetch } from './planned-fetch.ts'

/**
 * The first step of every scan: robots.txt, then the page. A caller who wrote no scheme means the site
 * however it is served, so https is tried first and http after it. Afterwards the run's exchanges begin with
 * the robots.txt that rules the page, and the page.
 * @param caller aborted when the worker aborts the scan, which is no failure of the site.
 * @throws ScanFailure with a sentence for the caller
 */
export async function openSite(
  run: CaptureRun,
  request: { url: string; hasScheme: boolean },
  caller: AbortSignal,
): Promise<SiteReply> {
  let first: ScanFailure | undefined
  for (const url of addressesToTry(request)) {
    const { exchange: reply, lastUrl } = await run.fetchOne(pageFetch('home', url))
    if (reply.outcome === 'replied') {
      const home = await sentOn(run, reply)
      const robots = run.robotsOf(home.finalUrl)?.exchange
      const others = run.exchanges.filter((exchange) => exchange !== robots && exchange.purpose !== 'home')
      run.setHome(home.finalUrl)
      run.exchanges.splice(0, run.exchanges.length, ...(robots ? [robots] : []), home, ...others)
      return home
    }
    caller.throwIfAborted()
    const failure = explain(run, url, reply, lastUrl)
    // A server's reply says more than the failure of https. If neither scheme works, the error of https is
    // thrown.
    if (failure.code !== 'SITE_UNREACHABLE') throw failure
    first ??= failure
  }
  throw first ?? new ScanFailure('SITE_UNREACHABLE', `${request.url} could not be fetched.`)
}

/** The page to which the first one only sends browsers on, where it is of the same site and opens; else the first one. */
async function sentOn(run: CaptureRun, first: SiteReply): Promise<SiteReply> {
  if (first.status !== 200 || !isHtml(first)) return first
  const target = forwardTarget(first) ?? (await scriptedTarget(run, first))
  if (target === undefined || target === first.finalUrl || !isSameSite(target, first.finalUrl)) return first
  if (isAction(target)) return first
  const { exchange } = await run.fetchOne(pageFetch('home', target))
  if (exchange.outcome !== 'replied' || exchange.status !== 200 || !isHtml(exchange)) return first
  const { url, finalUrl, redirects } = first
  return {
    ...exchange,
    url,
    redirects: [...redirects, { url: finalUrl, status: first.status }, ...exchange.redirects],
  }
}

/** Where a script file leads on from a page that has nothing but that script. Of several languages the first is read. */
async function scriptedTarget(run: CaptureRun, first: SiteReply): Promise<string | undefined> {
  const file = forwardingScript(first)
  if (file === undefined) return undefined
  const { exchange } = await run.fetchOne(scriptFetch(file))
  return exchange.outcome === 'replied' && exchange.status === 200
    ? targetsIn(exchange.body, first.finalUrl)[0]
    : undefined
}

function addressesToTry({ url, hasScheme }: { url: string; hasScheme: boolean }): string[] {
  if (hasScheme) return [url]
  const insecure = new URL(url)
  insecure.protocol = 'http:'
  return [url, insecure.href]
}

/**
 * Why there is no page, and what to do about it.
 * @param lastUrl the address of the last request. Redirects may have led to another host than the caller
 * named.
 */
function explain(
  run: CaptureRun,
  url: string,
  home: FailedRequest | SkippedRequest,
  lastUrl: string,
): ScanFailure {
  if (home.outcome === 'failed') {
    return unreachable(url, home)
  }
  switch (home.reason) {
    case 'deadline':
      return new ScanFailure(
        'SITE_TOO_SLOW',
        `${url} did not answer within the time of the scan. ${tryAgain}`,
      )
    case 'action':
    case 'budget':
      return new ScanFailure(
        'SITE_UNREACHABLE',
        `${url} redirects too often, or over too many hosts. Scan the address where the redirects end.`,
      )
    case 'robots':
      return explainRobots(run, lastUrl)
  }
}

function explainRobots(run: CaptureRun, url: string): ScanFailure {
  const rules = run.robotsOf(url)
  const robots = rules?.exchange
  if (robots?.outcome === 'failed') {
    return unreachable(robots.url, robots)
  }
  if (robots?.outcome === 'replied' && robots.status >= 500) {
    return new ScanFailure(
      'ROBOTS_UNREACHABLE',
      `${robots.finalUrl} answered with status ${robots.status}. Until it answers with 200 or 404, nothing of the site may be read. Repair it, then scan again.`,
    )
  }
  // Its owner may never have heard of the file, and can send on what stands in quotation marks.
  const home = `${new URL(url).origin}/`
  const areAllShutOut = [...searchBots, ...userBots].every(
    (bot) => rules?.robots.isAllowed(bot, home) === false,
  )
  const request = areAllShutOut
    ? 'Please let programs read our website: take out of robots.txt what forbids it, or tell me why it is there.'
    : `Please add "User-agent: ${run.productToken}" with "Allow: /" to robots.txt of our website.`
  return new ScanFailure(
    'ROBOTS_DISALLOWED',
    `robots.txt, the file of a site that tells programs what they may read, does not let our scanner read ${url}, so there is no score.${areAllShutOut ? ' It shuts out search engines and assistants, too.' : ''} If it is your site, send this to whoever looks after it: “${request}” Then scan again.`,
  )
}

function unreachable(url: string, { reason, message }: FailedRequest): ScanFailure {
  return new ScanFailure('SITE_UNREACHABLE', `${url} could not be fetched. ${message} ${tryAgain}`, {
    isUnreached: unreached.has(reason),
  })
}

/** Words of `FetchReason` for a host that could not be found or connected to. */
const unreached: ReadonlySet<string> = new Set(['dns', 'lookup', 'connect', 'timeout'])

const tryAgain = 'Check that the address is right and that the site is online, then scan again.'
