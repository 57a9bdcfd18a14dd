import {
  asking,
  type Evidence,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { mayAskForReviews } from '../../signals/industry/trade-rules.ts'
import type { Signals } from '../../signals/signals.ts'
import { kindOfSite, whyNoBusiness } from '../../signals/site-kind/site-kind.ts'
import { decodeEscapes, shown, shownInQuotes } from '../../site/addresses.ts'
import { homeAddress } from '../../site/below-home.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { labelOf } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'

/** Pictures that call themselves reviews, by the name of their file or by their alternative text. */
function reviewPictures({ url, elements }: Page): readonly Evidence[] {
  return elements.flatMap(({ name, node, isHidden }) => {
    if (name !== 'img' || isHidden) return []
    const src = decodeEscapes(attributeOf(node, 'src').split(/[?#]/)[0] ?? '')
    const file = src.split('/').at(-1) ?? ''
    return [file, attributeOf(node, 'alt')].some((one) => ofReview.test(one))
      ? [{ url, value: `picture ${shown(src, 80)}` }]
      : []
  })
}

/** "review 1.png". The badge or the logo of a portal shows none. */
const ofReview =
  /^(?!.*(?:logo|icon|badge|stars?|banner|button|google|write|leave))(?:.*[^\p{L}])?(?:reviews?|testimonials?|bewertung(?:en)?|avis|reseñas?|recensione|recensioni|отзывы?)(?:[^\p{L}]|$)/iu

/**
 * Frames with posts of another service below a heading on patients, customers or reviews, two or more. One alone may be a post
 * of the business itself.
 */
function framedReviews({ url, elements }: Page): readonly Evidence[] {
  const frames = new Map<string, Evidence[]>()
  let heading = ''
  for (const { name, node, isHidden } of elements) {
    if (isHidden) continue
    if (/^h[1-6]$/.test(name)) heading = labelOf(node).slice(0, 200)
    if (name !== 'iframe' || !ofVoices.test(heading)) continue
    const src = attributeOf(node, 'src') || attributeOf(node, 'data-src')
    const host = embeddedPost.test(src) ? (URL.parse(src)?.host ?? '') : ''
    if (host === '') continue
    const value = `frame of ${shown(host, 60)} below “${shownInQuotes(heading, 60)}”`
    frames.set(heading, [...(frames.get(heading) ?? []), { url, value }])
  }
  return [...frames.values()].find((ones) => ones.length >= 2) ?? []
}

const embeddedPost =
  /^(?:https?:)?\/\/(?:(?:www|m)\.)?(?:facebook\.com\/plugins\/(?:post|comment_embed)\.php|instagram\.com\/(?:p|reel)\/[\w-]{1,40}\/embed|platform\.twitter\.com\/embed\/)/i

const ofVoices =
  /(?<!\p{L})(?:patient|pacient|pazient|pasient|kund(?:en|er)|klant|client|customer|review|testimon|reseñ|opini|avis (?!legal)|recension|depoiment|avaliaç|bewertung|beoordeling|hasta|müşteri|пациент|клиент|отзыв)/iu

/** Judges whether others vouch for the business: by reviews, testimonials or case studies. */
export function judgeProof({ reviews }: Signals, site: Site): Outcome {
  const { pages } = site
  const { how, evidence } = reviews
  const quotes = evidence.slice(0, 5).map(({ url, value }) => ({ url, value: shown(value) }))
  if (how === 'markup' || how === 'service' || how === 'section')
    return pass('Reviews, testimonials or case studies show what others say.', ...quotes)
  if (kindOfSite(site) !== 'business')
    return notApplicable(`${whyNoBusiness(site)}. Reviews are asked of businesses only.`)
  if (how !== 'unseen' && !mayAskForReviews(site))
    return notApplicable(
      'In Japan the rules for medical advertising forbid what patients tell of a treatment.',
    )
  if (how === 'unknown')
    return unmeasured(
      `It is not known whether others vouch for the site: ${evidence[0]?.value ?? 'too few pages were read'}.`,
    )
  if (how === 'unseen')
    return asking(
      fail(
        `A rating stands in the markup, and ${pages.length === 1 ? 'the page does not show' : `none of ${counted(pages.length, 'page')} shows`} it to readers. Search engines ask that readers can see what is marked up.`,
        `Take the rating out of the JSON-LD of ${shown(evidence[0]?.url ?? homeAddress(site))}, unless readers find it on that page with its source.`,
        ...quotes,
      ),
      { kind: 'unseen-rating' },
    )
  const [pictured, ...more] = pages.flatMap(reviewPictures)
  if (pictured !== undefined && more.length > 0)
    return asking(
      warn(
        `Pictures on ${shown(pictured.url)} are called reviews. Programs do not read the words in a picture.`,
        `If the rules of your trade allow it, set the words that others wrote there as text on ${shown(pictured.url)}, with their source. Leave out what you wrote yourself.`,
        ...[pictured, ...more].slice(0, 5),
      ),
      { kind: 'review-pictures' },
    )
  const framed = pages.map(framedReviews).find((ones) => ones.length > 0) ?? []
  const [frame] = framed
  if (frame !== undefined)
    return asking(
      warn(
        `${counted(framed.length, 'post')} of another service ${framed.length === 1 ? 'stands' : 'stand'} in frames on ${shown(frame.url)}. Engines do not read what stands in such frames.`,
        `If the rules of your trade allow it, quote one or two of these reviews as text on ${shown(frame.url)}. Give the name and the source. Leave out what you wrote yourself.`,
        ...framed.slice(0, 5),
      ),
      { kind: 'review-frames' },
    )
  return fail(
    `No review or testimonial, and no rating with its source, was found on ${counted(pages.length, 'page')}. Engines weigh what others say more than what a site says of itself.`,
    `If others have reviewed you elsewhere and the rules of your trade allow it, link or quote those reviews with their source on ${shown(homeAddress(site))}. Never publish one that you wrote yourself.`,
    ...quotes,
  )
}
