import { isUnknown } from '../../agents/crawl-access/bot-access.ts'
import { listed } from '../../findings/share.ts'
import { homeAddress, rootNote, siteFolder } from '../../site/below-home.ts'
import { repliesFor } from '../../site/capture.ts'
import { searchBots, trainingBots, userBots } from '../../site/files/robots.ts'
import { createJudge, type RobotsRule, tokenOf } from '../../site/files/robots-rules.ts'
import { commentFirst } from '../../site/files/sitemap.ts'
import type { Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { sitemapBlock } from './sitemap-block.ts'
import { isFitRobots } from './snippets/fit-to-quote.ts'

/**
 * A robots.txt by RFC 9309 that lets search bots and assistants read the pages and leaves every other rule of the
 * site as it is. A bot that has a group of its own obeys no other group, so the new group repeats the prohibitions
 * that the bots are under now, except those of the pages that the scan has read.
 */
export function robotsBlock(site: Site): Draft | undefined {
  const { robots, origin } = site
  if (robots.state === 'unreachable' || isUnknown(robots)) return undefined
  const own = robots.state === 'ok' ? repliesFor(site.capture, 'robots')[0]?.body : ''
  if (own === undefined || own.length > maxCharacters || !isFitRobots(own)) return undefined
  const isNew = robots.state !== 'ok'
  const hasNewSitemap = isNew && sitemapBlock(site) !== undefined
  const pages = [`${origin}/`, ...site.pages.slice(0, 5).map(({ url }) => url)]
  const shutOut = [...searchBots, ...userBots].filter((bot) =>
    pages.some((page) => !robots.isAllowed(bot, page)),
  )
  const kept = withoutBots(own, shutOut).trim()
  const text = `${[
    ...(kept === '' ? ['User-agent: *\nAllow: /'] : [kept]),
    ...(shutOut.length > 0 ? [groupFor(site, shutOut, pages)] : []),
    ...sitemapLine(site, hasNewSitemap),
  ].join('\n\n')}\n`
  return {
    block: {
      kind: 'robots.txt',
      where: isNew
        ? `Save it as ${origin}/robots.txt, as plain text.${rootNote(site)}${hasNewSitemap ? ` Its last line names the list of pages at ${siteFolder(homeAddress(site))}sitemap.xml. Publish that file at the same time, or leave the line out.` : ''}`
        : `Put it in place of what ${origin}/robots.txt holds now, as plain text.${keptOut(site, shutOut)}`,
      text,
      missing: [],
    },
    title: `${isNew ? 'Publish' : 'Replace'} robots.txt, the file that tells bots what they may read.`,
    why: 'Bots that keep to the rules obey the file robots.txt. What they may not read, or cannot understand, is missing from their answers.',
    pasted: { robots: text },
    aims: [
      'core-snapshot/search-bots',
      'crawl-access/search-tier',
      'crawl-access/user-tier',
      'crawl-access/robots-file',
    ],
  }
}

/** An owner who shut out bots that collect texts for training should see that they stay out. */
function keptOut({ robots, origin }: Site, letIn: readonly string[]): string {
  const out = trainingBots.filter((bot) => !robots.isAllowed(bot, `${origin}/`))
  return letIn.length === 0 || out.length === 0
    ? ''
    : ` ${listed(out.slice(0, 3))} ${out.length > 3 ? 'and others ' : ''}stay shut out: they collect texts for training.`
}

/** A longer file gets no block: the reader of a report could not compare the two versions by eye. */
const maxCharacters = 6_000

/** Takes the bots out of the groups of a file. A group that no bot is left in goes with its rules. */
function withoutBots(file: string, bots: readonly string[]): string {
  const names = new Set(bots.map((bot) => bot.toLowerCase()))
  const kept: string[] = []
  let [isRule, isLeft, isTaken] = [true, true, false]
  for (const line of file.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      // User-agent lines behind a rule begin a group.
      if (isRule) [isRule, isLeft, isTaken] = [false, false, false]
      const isOut = names.has(tokenOf(value).toLowerCase())
      if (isOut) isTaken = true
      else [isLeft] = [true]
      if (!isOut) kept.push(line)
      continue
    }
    const isOfGroup = /^(?:allow|disallow|content-signal|content-usage|crawl-delay)$/.test(name)
    if (name === 'allow' || name === 'disallow') isRule = true
    if (isOfGroup && isTaken && !isLeft) continue
    kept.push(line)
  }
  return kept.join('\n').replace(/\n{3,}/g, '\n\n')
}

function groupFor({ robots, origin }: Site, bots: readonly string[], pages: readonly string[]): string {
  const names = new Set([...bots.map((bot) => bot.toLowerCase()), '*'])
  const rules = robots.groups
    .filter(({ agents }) => agents.some((agent) => names.has(agent.toLowerCase())))
    .flatMap((group) => group.rules)
    .filter((rule) => rule.path !== '' && isHarmless(rule, origin, pages))
    .map(({ type, path }) => `${type === 'allow' ? 'Allow' : 'Disallow'}: ${path}`)
  return [...bots.map((bot) => `User-agent: ${bot}`), ...new Set(['Allow: /', ...rules])].join('\n')
}

/** Whether the rule alone leaves all these pages open. */
function isHarmless(rule: RobotsRule, origin: string, pages: readonly string[]): boolean {
  const isAllowed = createJudge([{ agents: ['*'], rules: [rule], signals: [] }], origin)
  return pages.every((page) => isAllowed('*', page))
}

/** A sitemap that the scan could read, or in a new file the one that another block of the report holds. */
function sitemapLine(site: Site, hasNewSitemap: boolean): string[] {
  const { robots, sitemap } = site
  // One step of the report takes the comment out of a broken one.
  const [file] = sitemap.files.filter(({ state, problem }) => state === 'ok' || problem === commentFirst)
  if (hasNewSitemap) return [`Sitemap: ${siteFolder(homeAddress(site))}sitemap.xml`]
  return robots.sitemaps.length > 0 || file === undefined ? [] : [`Sitemap: ${file.url}`]
}
