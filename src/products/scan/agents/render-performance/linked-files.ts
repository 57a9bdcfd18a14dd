import { asking, fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isGone } from '../../findings/document.ts'
import { andTheRest, counted, further } from '../../findings/share.ts'
import { absolute, addressKey, shown } from '../../site/addresses.ts'
import type { Exchange, SiteReply } from '../../site/capture.ts'
import { addressesOf, baseOf, stylesheetsOf } from '../../site/html/references.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether the stylesheets and scripts of the site that its pages load are there. Without its stylesheet visitors see
 * a page as bare text, and its owner, whose browser may have kept the file, does not.
 */
export function judgeLinkedFiles({ pages, capture }: Site): Outcome {
  const asked = capture.exchanges.filter(isPart)
  if (asked.length === 0)
    return notApplicable('The pages load no stylesheets and no scripts from their own site.')
  const replies = asked.filter((one) => one.outcome === 'replied')
  if (replies.length === 0) return unmeasured('The stylesheets and scripts of the pages gave no answer.')
  const missing = replies
    .filter(isGone)
    .flatMap((reply) => {
      const page = pages.find((one) => loads(one, reply))
      return page === undefined ? [] : [{ ...reply, page }]
    })
    .toSorted((one, other) => Number(isStyle(other)) - Number(isStyle(one)))
  const [first] = missing
  if (first === undefined)
    return pass(
      `${counted(replies.length, 'stylesheet or script', 'stylesheets and scripts')} of the pages answered.`,
      {
        url: replies[0]?.url ?? '',
        value: `status ${replies[0]?.status}`,
      },
    )
  const others = pages.filter((page) => page !== first.page && loads(page, first)).length
  const where = `${shown(first.page.url)}${others === 0 ? '' : ` and ${further(others, 'page')}`}`
  const noun = isStyle(first) ? 'stylesheet' : 'script'
  const hasOthers = replies.some(
    (reply) => isStyle(reply) && reply.status === 200 && loads(first.page, reply),
  )
  const lost = isStyle(first)
    ? `Visitors see the page ${onSmallScreens(first.page, first) ? 'on telephones ' : ''}without ${hasOthers || first.page.$('style').text().length > maxOwnStyle ? 'a part of ' : ''}its design.`
    : 'What it does for visitors may not happen.'
  const found = (isStyle(first) ? fail : warn)(
    `${missing.length === 1 ? `A ${noun} that the pages load is` : `${missing.length} files that the pages load are`} not there. ${lost}`,
    isStyle(first)
      ? `Publish the stylesheet ${shown(first.url)}, or correct its address on ${where}.${andTheRest(missing.length - 1, 'file')} A line that loads a file no longer needed can go.`
      : `See whether ${where} does all it should without the script ${shown(first.url)}. If so, take out the line that loads it. If not, publish the file again, or correct its address.${andTheRest(missing.length - 1, 'file')}`,
    ...missing.slice(0, 5).map(({ page, url, status, purpose }) => ({
      url: page.url,
      value: `${purpose === 'style' ? 'stylesheet' : 'script'} ${shown(url)}: status ${status}`,
    })),
  )
  return isStyle(first) ? asking(found, { kind: 'missing-styles' }) : found
}

/** More characters than this in the page itself are a design, and no correction of one. */
const maxOwnStyle = 3_000

/** `media="screen and (max-width: 600px)"`: other visitors miss nothing. */
function onSmallScreens({ $, url }: Page, style: SiteReply): boolean {
  const key = addressKey(style.url)
  return $('link[rel~="stylesheet" i][href]')
    .toArray()
    .some(({ attribs }) => {
      const address = absolute(attribs.href ?? '', baseOf($, url))
      return address !== undefined && addressKey(address) === key && /max-width/i.test(attribs.media ?? '')
    })
}

function isPart({ purpose }: Exchange): boolean {
  return purpose === 'style' || purpose === 'script'
}

function isStyle({ purpose }: Pick<SiteReply, 'purpose'>): boolean {
  return purpose === 'style'
}

function loads({ $, url }: Page, part: SiteReply): boolean {
  const addresses = isStyle(part)
    ? stylesheetsOf($, url)
    : addressesOf($, 'script[src]', 'src', baseOf($, url))
  const key = addressKey(part.url)
  return addresses.some((one) => addressKey(one) === key)
}
