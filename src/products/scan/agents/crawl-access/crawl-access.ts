import { fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isGone } from '../../findings/document.ts'
import { needsHome } from '../../findings/needs.ts'
import { counted } from '../../findings/share.ts'
import { unlessSoft404 } from '../../findings/soft-404.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { isHtml } from '../../site/files/headers.ts'
import { type Robots, searchBots, userBots } from '../../site/files/robots.ts'
import { countWords } from '../../site/html/words.ts'
import { readPage } from '../../site/page.ts'
import type { Site } from '../../site/site.ts'
import type { Agent } from '../agent.ts'
import { isUnknown, judgeBotAccess } from './bot-access.ts'
import { judgeCanonical } from './canonical.ts'
import { judgeChallenge } from './challenge.ts'
import { judgeSignalSyntax, judgeTrainingStance } from './content-signals.ts'
import { judgeSitemapQuality } from './sitemap-quality.ts'

/**
 * Whether crawlers and assistants reach the right pages. A line in robots.txt or a wall before the page
 * keeps an excellent site out of every answer.
 */
export const crawlAccess: Agent = {
  id: 'crawl-access',
  name: 'Crawl access',
  checks: [
    { id: 'robots-file', title: 'robots.txt can be read', weight: 4, run: judgeRobotsFile },
    { id: 'search-tier', title: 'Search bots may read the pages', weight: 5, run: judgeSearchTier },
    { id: 'user-tier', title: 'Assistants may open pages for their users', weight: 4, run: judgeUserTier },
    {
      id: 'training-stance',
      title: 'The stance on AI training is stated',
      weight: 1,
      run: judgeTrainingStance,
    },
    { id: 'signal-syntax', title: 'Usage preferences can be parsed', weight: 2, run: judgeSignalSyntax },
    { id: 'bot-wall', title: 'Agents see what browsers see', weight: 4, run: judgeBotWall },
    { id: 'challenge', title: 'No challenge stands before the pages', weight: 4, run: judgeChallenge },
    {
      id: 'sitemap-quality',
      title: 'The sitemap leads to live pages',
      weight: 3,
      run: unlessSoft404(judgeSitemapQuality),
    },
    {
      id: 'canonical',
      title: 'The page names its primary address',
      weight: 3,
      run: needsHome(judgeCanonical),
    },
    { id: 'soft-404', title: 'Missing pages answer 404', weight: 5, run: judgeMissing },
  ],
}

/** Crawlers may stop reading here (RFC 9309, section 2.5). */
const maxRobotsBytes = 500 * 1_024

function judgeRobotsFile({ robots }: Site): Outcome {
  const { state, url, status, bytes, groups } = robots
  const type = shown(robots.contentType, 60) || 'no content type'
  if (isUnknown(robots)) return unmeasured('robots.txt was not read: no answer, or we were not let in.')
  if (state === 'unreachable') {
    return fail(
      `robots.txt answers with status ${status}; crawlers read that as "stay away from everything".`,
      `Let ${shown(url)} answer 200 with a text file, or 404 when there are no rules.`,
      { url, value: `status ${status}` },
    )
  }
  if (state === 'absent') {
    return warn(
      `There is no robots.txt (status ${status ?? 'unknown'}). Without it every crawler may read all pages, and no line there names the sitemap.`,
      `Publish ${shown(url)} as text/plain with at least "User-agent: *", "Allow: /" and a "Sitemap:" line.`,
      { url, value: `status ${status ?? 'unknown'}` },
    )
  }
  const evidence = { url, value: `${type}, ${counted(bytes, 'byte')}, ${counted(groups.length, 'group')}` }
  if (state === 'broken') {
    return fail(
      `robots.txt answers with ${type} in place of rules, so crawlers find none in it.`,
      `Serve ${shown(url)} as text/plain, or answer 404 when there are no rules.`,
      evidence,
    )
  }
  const fault = faultOf(robots)
  if (fault === undefined)
    return pass(`robots.txt is plain text with ${counted(groups.length, 'group')}.`, evidence)
  return warn(`robots.txt ${fault.reason}`, `${fault.fix}: ${shown(url)}.`, evidence)
}

function faultOf({ contentType, groups, bytes }: Robots): { reason: string; fix: string } | undefined {
  if (contentType !== 'text/plain') {
    return {
      reason: 'is not served as text/plain, and some crawlers ignore it then.',
      fix: 'Serve it as text/plain',
    }
  }
  if (groups.length === 0) {
    return {
      reason: 'has no group of rules, so it says to no crawler what it may read.',
      fix: 'Begin it with "User-agent: *" and the rules',
    }
  }
  if (bytes > maxRobotsBytes) {
    return {
      reason: `has ${bytes} bytes, and crawlers may ignore what comes after ${maxRobotsBytes}.`,
      fix: 'Shorten it with patterns in place of single addresses',
    }
  }
  return undefined
}

function judgeSearchTier(site: Site): Outcome {
  return judgeBotAccess(
    site,
    searchBots,
    samplesOf(site),
    'What a search bot may not read is not cited in its answers.',
  )
}

function judgeUserTier(site: Site): Outcome {
  return judgeBotAccess(
    site,
    userBots,
    samplesOf(site),
    'When a user asks an assistant about the page, it cannot open it.',
  )
}

function samplesOf({ pages, origin }: Site): string[] {
  const urls = pages.slice(0, 5).map(({ url }) => url)
  return urls.length > 0 ? urls : [`${origin}/`]
}

function judgeBotWall({ capture, home: page }: Site): Outcome {
  const [ours] = repliesFor(capture, 'home')
  const [theirs] = repliesFor(capture, 'home-browser')
  if (ours === undefined || theirs === undefined) {
    return unmeasured('The page was not read both as a crawler and as a browser.')
  }
  if (theirs.status !== 200) {
    return unmeasured(
      `A request with a browser's User-Agent was answered with status ${theirs.status}, so there is nothing to compare with.`,
    )
  }
  if (ours.status !== theirs.status) {
    return fail(
      `With a browser's User-Agent the page answers ${theirs.status}, and to this scanner, which says who it is, ${ours.status}. Other agents that do so may meet the same wall.`,
      `Let ${shown(ours.finalUrl)} answer ${theirs.status} also to requests whose User-Agent header names an agent, at least for public pages.`,
      { url: ours.finalUrl, value: `status ${ours.status} for an agent, ${theirs.status} for a browser` },
    )
  }
  const words = isHtml(ours) ? countWords((page ?? readPage(ours)).text) : 0
  const browserWords = isHtml(theirs) ? countWords(readPage(theirs).text) : 0
  const evidence = {
    url: ours.finalUrl,
    value: `${counted(words, 'word')} for an agent, ${browserWords} for a browser`,
  }
  if (words * 2 >= browserWords) return pass('An agent gets the same page as a browser.', evidence)
  return fail(
    `This scanner, which says who it is, gets ${counted(words, 'word')} of the page where a browser's User-Agent gets ${browserWords}. Other agents may miss the same parts.`,
    `Serve the same HTML at ${shown(ours.finalUrl)} to every User-Agent.`,
    evidence,
  )
}

function judgeMissing({ capture }: Site): Outcome {
  const [missing] = repliesFor(capture, 'missing')
  if (missing === undefined) return unmeasured('No missing page was asked for.')
  const { status } = missing
  const evidence = {
    url: missing.url,
    value: `status ${status}${missing.finalUrl === missing.url ? '' : ` at ${shown(missing.finalUrl, 100)}`}`,
  }
  if (isGone(missing)) return pass(`A page that does not exist answers ${status}.`, evidence)
  if (status >= 400 && status < 500) {
    return unmeasured(`A page that cannot exist answers ${status}, which tells nothing about missing pages.`)
  }
  return fail(
    `A page that does not exist answers with status ${status}. Crawlers then take error pages for content, or content for errors.`,
    `Let addresses without a page, such as ${shown(missing.url)}, answer 404.`,
    evidence,
  )
}
