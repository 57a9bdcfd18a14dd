import type { SiteReply } from './capture.ts'
import { headerOf } from './files/headers.ts'

/**
 * Recognizes a reply that stands in place of the site: a puzzle for humans, or nothing at all. Checks that
 * read it as a page would report the title, the markup and the language of a bot protection as those of the
 * site.
 */
export function isChallengePage(reply: SiteReply): boolean {
  if (headerOf(reply, 'cf-mitigated') !== '' || headerOf(reply, 'x-amzn-waf-action') !== '') return true
  const start = reply.body.slice(0, 20_000)
  if (challengeMarks.test(start)) return true
  const [, title = ''] = /<title[^>]{0,200}>\s{0,100}([^<]{1,100})/i.exec(start) ?? []
  return challengeTitles.has(
    title
      .trim()
      .toLowerCase()
      .replace(/[.…!]+$/, ''),
  )
}

/** Whether a reply of 200 holds no text, no picture and no script that could bring any. */
export function isEmptyBody(reply: SiteReply): boolean {
  return reply.body.trim() === ''
}

/** Titles of the waiting pages of known bot protections. */
const challengeTitles: ReadonlySet<string> = new Set([
  'just a moment',
  'attention required! | cloudflare',
  'checking your browser',
  'checking your browser before accessing',
  'human verification',
  'verify you are human',
  'are you a robot?',
  'security check',
  'ddos-guard',
  'pardon our interruption',
  'one moment, please',
])

/** What only their scripts hold. */
const challengeMarks =
  /window\._cf_chl_opt\s*=|captcha-delivery\.com\/captcha|_Incapsula_Resource|px-captcha-container/
