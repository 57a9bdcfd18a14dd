import type { Evidence } from '../../findings/check.ts'
import { shown } from '../../site/addresses.ts'
import { attributeOf, type PageElement } from '../../site/html/elements.ts'
import { around, type Element, isElement, labelOf } from '../../site/html/visible-text.ts'
import { countWords, isFiller } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'

/**
 * Finds a box that its class or id calls a testimonial or a review and that quotes someone by name. A name alone proves
 * nothing: a form to write a review has it, too.
 */
export function findTestimonial(page: Page): Evidence | undefined {
  const boxes = page.elements.filter((element) => !element.isHidden && isBox(element)).slice(0, maxBoxes)
  for (const { node } of boxes) {
    if (around(node).some(({ name }) => name === 'form')) continue
    const text = labelOf(node).slice(0, 3_000)
    const [quote = ''] = quoted.exec(text) ?? []
    const isQuoted = countWords(quote) >= minWords || isMarkedQuote(node, page)
    if (isQuoted && (named.test(text.replace(quote, ' ¶ ')) || elementsWithin(node).some(namesAuthor)))
      return { url: page.url, value: shown(quote === '' ? text : quote) }
    const signed = signedWords(node)
    if (signed !== undefined) return { url: page.url, value: shown(signed) }
  }
  return findSignedBelow(page)
}

/**
 * A heading that may as well stand above a form ("Patient feedback"), with quotes below it that someone has signed.
 */
function findSignedBelow(page: Page): Evidence | undefined {
  const headings = page.elements
    .filter(
      ({ name, node, isHidden }) => !isHidden && /^h[1-6]$/.test(name) && voices.test(labelOf(node).trim()),
    )
    .slice(0, 5)
  for (const { node } of headings) {
    for (const box of around(node).slice(0, 3)) {
      if (!/^(?:section|div|article|main)$/.test(box.name)) break
      const text = labelOf(box).slice(0, 3_000)
      const quotes = Array.from(text.matchAll(everyQuote), ([quote]) => quote)
      const isQuoted = quotes.some((quote) => countWords(quote) >= minWords) || isMarkedQuote(box, page)
      const isSigned =
        named.test(text.replace(everyQuote, ' ¶ ')) ||
        elementsWithin(box).some(
          (part) =>
            namesAuthor(part) ||
            (/^(?:footer|strong)$/.test(part.name) && shortName.test(nameIn(labelOf(part)))),
        )
      if (isQuoted && isSigned)
        return { url: page.url, value: shown(`${labelOf(node)}: ${quotes[0] ?? text}`) }
    }
  }
  return undefined
}

const voices =
  /^\P{L}{0,4}(?:patienten(?:stimmen|meinungen)|stimmen (?:unserer |von )?patient\p{L}*|avis (?:de (?:nos |mes )?)?patients|(?:hasta|danışan)\p{L}{0,12} (?:yorum|görüş)\p{L}*|patients?['’]? feedback|feedback from (?:our )?patients|kind words(?: from [\p{L} ]{3,30})?|opinie (?:naszych )?pacjentów|co mówią (?:o nas )?(?:nasi )?pacjenci|(?:parola ai|i nostri) pazienti|شهادات (?:ال)?مرضا(?:نا)?|شهادات المرضى|ماذا (?:يقول|قال) (?:مرضانا|عملاؤنا|المرضى)(?: عنا)?|آراء (?:المرضى|مرضانا|عملائنا)|(?:המלצות|חוות דעת)(?: (?:של )?(?:מטופלים|לקוחות))?|患者(?:様|さん|さま)?の(?:声|口コミ)|患者(?:评价|感言|反馈|心声)|(?:환자|고객)(?:분들?)?(?:의)? ?(?:후기|리뷰|이야기)|รีวิวจาก(?:คนไข้|ลูกค้า))\P{L}{0,4}$/iu

/**
 * The words beside a name, without quotation marks in the text: marks or stars are drawn as icons, so the box has them as
 * classes, or it is the innermost box of a part that is called testimonials.
 */
function signedWords(box: Element): string | undefined {
  const parts = elementsWithin(box)
  const isDrawn = parts.some((part) => drawnMark.test(namesOf(part)))
  const isOneOfMany =
    !parts.some((part) => boxName.test(namesOf(part))) &&
    [box, ...around(box)].some((outer) => testimonials.test(namesOf(outer)))
  const isSigned = parts.some(
    (part) =>
      namesAuthor(part) || (/^(?:h[2-6]|strong)$/.test(part.name) && shortName.test(nameIn(labelOf(part)))),
  )
  if (!(isDrawn || isOneOfMany) || !isSigned) return undefined
  return parts
    .filter(({ name }) => name === 'p')
    .map(labelOf)
    .find((text) => countWords(text) >= minWords && !isFiller(text))
}

/** By its element or its class. A heading may say what the box is about. */
function namesAuthor(part: Element): boolean {
  if (/^(?:label|input|textarea|select|button)$/.test(part.name)) return false
  return (
    (/^(?:cite|figcaption)$/.test(part.name) || signature.test(namesOf(part))) &&
    !around(part).some(({ name }) => name === 'form') &&
    shortName.test(nameIn(labelOf(part)))
  )
}

/** "Anna Lind" of "– Anna Lind, 40 years old", also behind a comma of Arabic or Japanese. */
function nameIn(label: string): string {
  return label
    .slice(0, 200)
    .replace(/^[\s–—―-]{1,5}/u, '')
    .replace(/\s?[,،、(（][\s\S]*$/u, '')
    .trim()
}

/** In any order. A box of a testimonial has few; a hostile page nests thousands in each of many. */
function elementsWithin(box: Element): readonly Element[] {
  const found: Element[] = []
  const left: Element[] = [box]
  while (found.length < maxParts) {
    const children = left.pop()?.children.filter(isElement)
    if (children === undefined) break
    found.push(...children)
    left.push(...children)
  }
  return found.slice(0, maxParts)
}

/** Its classes and its id. */
function namesOf(element: Element): string {
  return `${attributeOf(element, 'class').slice(0, 300)} ${attributeOf(element, 'id').slice(0, 100)}`
}

/** A review may be of a product, by the owner of the site. Such a word says that others speak. */
const testimonials =
  /(?:^|[\s_-])(?:testimonials?|customer-?(?:quotes?|voices?)|kundenstimmen?|t[eé]moignages?|testimonios?|testimonianz[ae]|depoimentos?)(?:$|[\s_-])/i
const signature = /(?:^|[\s_-])(?:names?|authors?|autor|clients?|customers?|person)(?:$|[\s_-])/i

const maxParts = 200
const drawnMark = /(?:^|[\s_-])(?:quotes?|quotation|stars?|rating)(?:$|[\s_-])/i
const shortName = /^\p{L}[\p{L}\p{M}'’.-]{1,30}(?:\s\p{L}[\p{L}\p{M}'’.-]{0,30}){0,3}$/u

const maxBoxes = 100
const minWords = 6

function isBox({ name, node }: PageElement): boolean {
  return (
    !/^(?:html|body|form|input|button|a|img|label|select|textarea)$/.test(name) && boxName.test(namesOf(node))
  )
}

const boxName =
  /(?:^|[\s_-])(?:testimonials?|reviews?|customer-?(?:quotes?|voices?)|kundenstimmen?|bewertung(?:en)?|t[eé]moignages?|avis|testimonios?|testimonianz[ae]|recensioni?|depoimentos?)(?:$|[\s_-])/i

const quoted = /(?:[„“"«»](?=\S)|«\s)[^„“”"«»]{20,1500}[“”"«»]/u

const everyQuote = new RegExp(quoted.source, 'gu')

/** A name at the end or after a dash: "– Simone Haidinger". In scripts without capitals only the dash shows one: "- عبد الله". */
const named =
  /(?:[–—-]|¶|^)\s*(?:\p{Lu}[\p{L}'’.-]{0,30})(?:\s(?:(?:de|von|van|di|le|la|el|und|and|&)\s)?\p{Lu}[\p{L}'’.-]{0,30}){0,3}(?:,[^¶]{0,80})?\s*(?:$|¶)|[–—―-]\s*\p{Lo}[\p{Lo}\p{M}'’.-]{0,30}(?:\s\p{Lo}[\p{Lo}\p{M}'’.-]{0,30}){0,3}(?:[,،、][^¶]{0,80})?\s*(?:$|¶)/u

function isMarkedQuote(box: PageElement['node'], page: Page): boolean {
  return page.elements.some(
    ({ name, node }) =>
      (name === 'blockquote' || name === 'q') &&
      (node === box || around(node).includes(box)) &&
      countWords(labelOf(node)) >= minWords,
  )
}
