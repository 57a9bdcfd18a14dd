import { type Evidence, fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { counted, portion } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import type { SiteReply } from '../../site/capture.ts'
import { isChallengePage } from '../../site/challenge-page.ts'
import { headerOf, isHtml } from '../../site/files/headers.ts'
import { isTemplateKey } from '../../site/html/template-text.ts'
import { countWords } from '../../site/html/words.ts'
import { readPage } from '../../site/page.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether a puzzle for humans replaces the page. An agent cannot solve it and should not, so the
 * content behind it is closed. A captcha beside readable text guards only a form and gives a warning.
 */
export function judgeChallenge({ capture, pages }: Site): Outcome {
  const answers = capture.exchanges
    .filter((exchange): exchange is SiteReply => exchange.outcome === 'replied')
    .filter(({ purpose }) => purpose === 'home' || purpose === 'page')
  const [first] = answers
  if (first === undefined) return unmeasured('No page gave an answer.')
  const signs = answers.flatMap((answer) => {
    const readBefore = pages.find((page) => page.reply === answer)
    return signOf(answer, readBefore ?? (isHtml(answer) ? readPage(answer) : undefined)) ?? []
  })
  const walls = signs.filter(({ isWall }) => isWall)
  const fix = `Let the bot protection pass public pages such as ${shown((walls[0] ?? signs[0])?.evidence.url ?? first.url)} without a challenge, and keep it on forms and logins.`
  const evidence = (walls.length > 0 ? walls : signs).slice(0, 5).map((sign) => sign.evidence)
  if (walls.length > 0) {
    return fail(
      `${portion(walls.length, answers.length, 'page', 'shows', 'show')} a challenge for humans in place of the content; agents that do not solve such puzzles stop there.`,
      fix,
      ...evidence,
    )
  }
  if (signs.length > 0) {
    return warn(
      `${portion(signs.length, pages.length, 'page', 'loads', 'load')} the script of a captcha. The text can be read, but an agent may not get through a form that the captcha guards.`,
      `Where a form with the captcha stands, use a check without a puzzle, beginning with ${shown(evidence[0]?.url ?? first.url)}. A form without a captcha needs no such script.`,
      ...evidence,
    )
  }
  if (pages.length === 0) return unmeasured('No page answered 200 with HTML, so there was nothing to read.')
  return pass(`No challenge and no captcha was found on ${counted(answers.length, 'page')}.`, {
    url: first.url,
    value: 'no cf-mitigated header, challenge title or captcha script',
  })
}

/** Returns what shows that an answer is a puzzle for humans in place of the page; undefined when it is the page. */
export function wallOf(answer: SiteReply): Evidence | undefined {
  const sign = signOf(answer, isHtml(answer) ? readPage(answer) : undefined)
  return sign?.isWall ? sign.evidence : undefined
}

interface Sign {
  readonly isWall: boolean
  readonly evidence: Evidence
}

function signOf(answer: SiteReply, page: Page | undefined): Sign | undefined {
  for (const name of ['cf-mitigated', 'x-amzn-waf-action']) {
    const value = headerOf(answer, name)
    if (value !== '')
      return { isWall: true, evidence: { url: answer.url, value: shown(`${name}: ${value}`) } }
  }
  if (page === undefined) return undefined
  if (isChallengePage(answer)) {
    return { isWall: true, evidence: { url: answer.url, value: `title "${shown(page.title)}"` } }
  }
  const script = page
    .$('script[src], iframe[src]')
    .toArray()
    .map((element) => page.$(element).attr('src') ?? '')
    .find(isCaptcha)
  if (script === undefined) return undefined
  const words = countWords(page.text)
  // A template loads the script on all pages, and the captcha stands where a form is.
  if (answer.status === 200 && words >= 50 && (page.$(guarded).length === 0 || isUnset(page)))
    return undefined
  return {
    isWall: answer.status !== 200 || words < 50,
    evidence: { url: answer.url, value: `${shown(script)}, beside ${counted(words, 'word')}` },
  }
}

/** With the site key of a template no puzzle is shown: `data-sitekey="your-recaptcha-site-key"`. */
function isUnset({ $ }: Page): boolean {
  const keys = $('[data-sitekey]')
    .toArray()
    .map(({ attribs }) => attribs['data-sitekey'] ?? '')
  return keys.length > 0 && keys.every(isTemplateKey)
}

const guarded = 'form, textarea, iframe[src*="captcha" i], [data-sitekey]'

const captchaAddresses = [
  'challenges.cloudflare.com/',
  'hcaptcha.com/',
  'google.com/recaptcha/',
  'recaptcha.net/recaptcha/',
  'captcha-delivery.com/',
  'captcha.awswaf.com/',
  'arkoselabs.com/',
  'funcaptcha.com/',
  'friendlycaptcha.com/',
]

/** With a site key in its address, reCAPTCHA runs as version 3 and shows no puzzle. */
function isCaptcha(address: string): boolean {
  const script = address.slice(0, 500).toLowerCase()
  if (!captchaAddresses.some((host) => script.includes(host))) return false
  return !/[?&]render=(?!explicit|onload)[^&]/.test(script)
}
