import { asking, fail, type Outcome, pass, warn } from '../../findings/check.ts'
import { missingPicture } from '../../findings/dead-ends/missing-picture.ts'
import { listed } from '../../findings/share.ts'
import { absolute, shown, shownInQuotes } from '../../site/addresses.ts'
import { hasEmptyMeta, metaOf } from '../../site/html/elements.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * An address that no browser can open, because the template has brackets where the owner was to write a name:
 * `https://[your-name].github.io/`.
 */
function isUnfilled(address: string): boolean {
  return /^\s*https?:\/\//i.test(address) && !URL.canParse(address.trim())
}

function leftOpen(home: Page, names: readonly string[]): Outcome {
  const quotes = names.map((name) => `${name} "${shownInQuotes(metaOf(home, name), 100)}"`)
  return fail(
    `${listed(quotes)} ${names.length === 1 ? 'is no address' : 'are no addresses'}: ${names.length === 1 ? 'it was' : 'they were'} left as the template has ${names.length === 1 ? 'it' : 'them'}. Previews show no picture or lead nowhere.`,
    `Write the right ${names.length === 1 ? 'address' : 'addresses'} into ${listed(names)} of ${shown(home.url)}, in place of ${names.length === 1 ? 'that' : 'those'} of the template.`,
    ...quotes.map((value) => ({ url: home.url, value })),
  )
}

/** "www.site.example/a.png" names a host, "{{image}}" no address, and "data:" holds the picture itself. */
const isNoPath = /^(?:www\.|[a-z][\w+.-]*:)|[{}<>[\]$]/i

/** Judges the lines in the head from which apps make the preview of a link. */
export function judgeOpenGraph(home: Page, site: Site): Outcome {
  const open = ['og:image', 'og:url'].filter((name) => isUnfilled(metaOf(home, name)))
  if (open.length > 0) return leftOpen(home, open)
  const required = ['og:title', 'og:description', 'og:image', 'og:type']
  const missing = required.filter((name) => metaOf(home, name) === '')
  const empty = missing.filter((name) => hasEmptyMeta(home, name))
  const absent = missing.filter((name) => !empty.includes(name))
  const picture = metaOf(home, 'og:image')
  const gone = missingPicture(picture, home, site)
  const isHalf = gone === undefined && picture !== '' && !/^(?:https?:)?\/\//i.test(picture)
  const full = isHalf && !isNoPath.test(picture) ? absolute(picture, home.url) : undefined
  const said = [
    ...(absent.length === 0 ? [] : [`${listed(absent)} ${absent.length === 1 ? 'is' : 'are'} missing`]),
    ...(empty.length === 0 ? [] : [`${listed(empty)} ${empty.length === 1 ? 'is' : 'are'} empty`]),
  ]
  // One text serves as both.
  const isUndescribed = missing.includes('og:description') && home.description === ''
  const evidence = {
    url: home.url,
    value: `${required.length - missing.length} of ${required.length} Open Graph properties${said.map((one) => `; ${one}`).join('')}${gone === undefined ? '' : `; og:image ${shown(gone.url, 150)} answers ${gone.status}`}${full === undefined ? '' : `; og:image "${shownInQuotes(picture, 100)}"`}`,
  }
  const other =
    gone === undefined
      ? full === undefined
        ? ''
        : `Write the full address of the picture into og:image of ${shown(home.url)}: ${shown(full, 150)}.`
      : `Name another picture in og:image of ${shown(home.url)}, in place of ${shown(gone.url, 150)}, which answers ${gone.status}.`
  if (missing.length === 0)
    return other === ''
      ? pass('The page has a complete Open Graph preview.', evidence)
      : warn(
          gone === undefined
            ? 'og:image is no full address, with https and the domain. Some apps show no picture then.'
            : 'No file is at the address of the preview picture, so previews show none.',
          other,
          evidence,
        )
  const found = (missing.length === 1 && other === '' ? warn : fail)(
    `${absent.length === 0 ? `On the page, ${said.join()}` : `The page lacks ${listed(absent)}${empty.length === 0 ? '' : `, and ${said.at(-1)}`}`}. ${gone === undefined ? '' : 'No file is at the address of its picture. '}Previews show gaps, and some retrieval tools read nothing else.`,
    `Add ${listed(missing)} as ${missing.length === 1 ? 'a meta element' : 'meta elements'} to ${shown(home.url)}.${isUndescribed ? ` Write the text of og:description as the description of the page as well${hasEmptyMeta(home, 'description') ? ', into the line that is there and empty' : ''}.` : ''}${empty.length === 0 ? '' : ` The page has ${listed(empty)} already, without a text: fill in that line, and add no second one.`}${other === '' ? '' : ` ${other}`}`,
    evidence,
  )
  return asking(found, { kind: 'preview', lacks: missing, isDescriptionShared: isUndescribed })
}
