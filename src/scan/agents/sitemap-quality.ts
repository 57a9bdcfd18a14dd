import { isSameSite, shown } from '../addresses.ts'
import { type Answered, answered } from '../capture.ts'
import { type Evidence, fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../check.ts'
import { isHtml } from '../headers.ts'
import { indexBansOf } from '../indexable.ts'
import { parseHtml } from '../parse-html.ts'
import type { Site } from '../site.ts'
import { isRefusal } from './document.ts'

/**
 * Whether the sitemap keeps its promise: addresses of this host that answer and may be indexed. A crawler that
 * meets dead ends in it trusts the rest less and comes more rarely.
 */
export function judgeSitemapQuality({ capture, sitemap, origin }: Site): Outcome {
  const file = sitemap.files.find(({ state }) => state === 'ok')
  if (file === undefined) {
    const isUnread = capture.exchanges.some(
      (exchange) =>
        exchange.purpose === 'sitemap' && (exchange.outcome !== 'answered' || isRefusal(exchange.status)),
    )
    return isUnread
      ? unmeasured('The sitemap was not read.')
      : notApplicable('There is no readable sitemap whose addresses could be tried.')
  }
  if (sitemap.isOverLimit) {
    return fail(
      'The sitemap names more than 50,000 addresses in one file or is too large; crawlers may drop it.',
      `Split ${shown(file.url)} into several files and list them in a sitemapindex.`,
      { url: file.url, value: `more than ${sitemap.urls.length} addresses` },
    )
  }
  const host = new URL(origin).host
  const strangers = sitemap.urls.filter(({ loc }) => URL.parse(loc)?.host !== host)
  const tried = answered(capture, 'sitemap-url')
  if (tried.length === 0) return unmeasured('None of the addresses in the sitemap was tried.')
  const dead = tried.flatMap((answer) => deadEndOf(answer) ?? [])
  const good = tried.length - dead.length
  const evidence: Evidence[] = [
    { url: file.url, value: `${good} of ${tried.length} sampled addresses answer 200 and may be indexed` },
    ...strangers.slice(0, 1).map(({ loc }) => ({
      url: file.url,
      value: `${strangers.length} of ${sitemap.urls.length} addresses on another host: ${shown(loc, 80)}`,
    })),
    ...dead.slice(0, 3),
  ]
  if (dead.length === 0 && strangers.length === 0) {
    return pass(
      `All ${tried.length} sampled addresses of the sitemap answer 200 and may be indexed.`,
      ...evidence,
    )
  }
  const isTolerable = good * 10 >= tried.length * 8 && strangers.every(({ loc }) => isSameSite(loc, origin))
  return (isTolerable ? warn : fail)(
    `${good} of ${tried.length} sampled addresses answer 200 and may be indexed, and ${strangers.length} of ${sitemap.urls.length} are on another host. The map sends crawlers to dead ends.`,
    `List in ${shown(file.url)} only addresses of ${shown(host)} that answer 200, beginning with ${shown(dead[0]?.url ?? strangers[0]?.loc ?? origin)}.`,
    ...evidence,
  )
}

function deadEndOf(answer: Answered): Evidence | undefined {
  if (answer.status !== 200) return { url: answer.url, value: `status ${answer.status}` }
  const markup = answer.body !== '' && isHtml(answer) ? parseHtml(answer.body) : undefined
  const ban = indexBansOf(answer, markup).find(({ crawler }) => crawler === undefined)
  return ban === undefined ? undefined : { url: answer.url, value: shown(ban.value) }
}
