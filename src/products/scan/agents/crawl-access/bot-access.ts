import { type Evidence, type Outcome, unmeasured } from '../../findings/check.ts'
import { isRefusal } from '../../findings/document.ts'
import { counted, judgeShare, listed, portion } from '../../findings/share.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import type { Robots } from '../../site/files/robots.ts'
import type { Site } from '../../site/site.ts'

/**
 * Judges whether robots.txt lets a group of bots read some pages. Each pair of bot and page counts once. The
 * verdict names the bots, so that the owner of the site knows which line to change.
 */
export function judgeBotAccess(
  { robots }: Site,
  bots: readonly string[],
  urls: readonly string[],
  loss: string,
): Outcome {
  if (isUnknown(robots)) {
    return unmeasured('robots.txt was not read, so nothing is known about who is let in.')
  }
  const shutOut = bots.flatMap((bot) => {
    const closed = urls.filter((url) => !robots.isAllowed(bot, url))
    return closed.length === 0 ? [] : [{ bot, closed }]
  })
  const all = bots.length * urls.length
  const good = all - shutOut.reduce((sum, { closed }) => sum + closed.length, 0)
  if (robots.state === 'unreachable') {
    return judgeShare(
      good,
      all,
      {
        reason: `robots.txt answers ${robots.status}, which crawlers read as "stay away from everything". ${loss}`,
        fix: `Let ${shown(robots.url)} answer 200 with a text file, or 404 when there are no rules.`,
      },
      [{ url: robots.url, value: `status ${robots.status}` }],
    )
  }
  if (shutOut.length === 0) {
    return judgeShare(
      good,
      all,
      {
        reason: `All ${bots.length} bots may read ${urls.length === 1 ? 'the page' : `the ${urls.length} pages that were tried`}.`,
        fix: '',
      },
      [{ url: robots.url, value: `${listed(bots.slice(0, 5))} may read ${shown(pathOf(urls[0] ?? '/'))}` }],
    )
  }
  const names = listed(shutOut.map(({ bot }) => bot))
  const closed = [...new Set(shutOut.flatMap((one) => one.closed.map(pathOf)))]
  return judgeShare(
    good,
    all,
    {
      reason: `${urls.length === 1 ? portion(good, all, 'bot', 'may read the page', 'may read the page') : `${good} of ${all} visits (${counted(bots.length, 'bot')} to ${urls.length} pages) are allowed`}; robots.txt shuts out ${names}. ${loss}`,
      fix: `In ${shown(robots.url)}, remove the Disallow rules that keep ${names} from ${shown(closed.slice(0, 3).join(', '), 100)}, or add a group that allows them.`,
    },
    shutOut.map(
      ({ bot, closed: own }): Evidence => ({
        url: robots.url,
        value: `${bot} ${permission(own.map(pathOf), urls.length)}`,
      }),
    ),
  )
}

/** "may read 4 of 5 pages, and not /c". */
function permission(closed: readonly string[], count: number): string {
  const paths = shown(closed.join(' '), 100)
  if (count === 1) return `may not read ${paths}`
  const open = count - closed.length
  return open === 0
    ? `may read none of ${count} pages`
    : `may read ${open} of ${count} pages, and not ${paths}`
}

/**
 * The file was not received, or was refused to us (403, 429). Crawlers take a refusal for "no rules" (RFC
 * 9309, 2.3.1.3), but a crawler that is let in may get rules that we do not know.
 */
export function isUnknown({ status }: Robots): boolean {
  return status === undefined || (status < 500 && isRefusal(status))
}
