import type { Evidence } from '../../findings/check.ts'
import { decodedPathOf, isSameSite, shown } from '../../site/addresses.ts'
import { folded } from '../../site/kinds/kind-phrases.ts'
import type { Page } from '../../site/site.ts'

/**
 * Finds what a newspaper wrote about the business: a page or a heading about the press, a quotation, and a link to its
 * source. It has no box of a testimonial's name, and is a word of others all the same.
 */
export function findPressQuote(page: Page): Evidence | undefined {
  const last = decodedPathOf(page.url).split('/').filter(Boolean).at(-1) ?? ''
  const isAboutPress =
    press.test(folded(last.replace(/\.\w{2,5}$/, ''))) ||
    page.headings.some(({ text }) => text.length <= 60 && press.test(folded(text)))
  if (!isAboutPress) return undefined
  const hasSource = page.links.some(
    ({ url, isInternal }) => !isInternal && !isSameSite(url, page.url) && !network.test(url),
  )
  const [quote] = quoted.exec(page.mainText.slice(0, 100_000)) ?? []
  return hasSource && quote !== undefined ? { url: page.url, value: shown(quote) } : undefined
}

/** Of texts as `folded` writes them. */
const press =
  /^(?:(?:in|from) the press|press(?: reviews?| quotes?| coverage| mentions)?|as seen (?:in|on)|media(?: coverage| mentions)|in the (?:news|media)|presse(?:stimmen|echo|spiegel|berichte)?|das sagt die presse|revue de presse|(?:ils parlent de nous|la presse en parle|on parle de nous)|(?:en la )?prensa|rassegna stampa|dicono di noi|(?:na )?imprensa|in de (?:pers|media)|de pers over ons|basinda(?: biz)?|пресса о нас|сми о нас|في الصحافه|メテ.?ィア掲載|掲載情報|언론 ?보도|媒体报道|媒體報導)$/u

/** Six words or more within marks. */
const quoted = /[„“"«»](?=\S)(?:[^\s„“”"«»]+\s+){5,80}[^\s„“”"«»]+[“”"«»]|「[^」]{15,300}」/u

const network =
  /^https?:\/\/(?:[\w-]+\.)*(?:facebook|instagram|linkedin|twitter|x|tiktok|pinterest|youtube|google)\.com\//i
