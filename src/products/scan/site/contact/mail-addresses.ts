import { decodeEscapes, isSameSite } from '../addresses.ts'
import { creditLinesOf } from '../html/credit-lines.ts'
import { attributeOf, spokenText } from '../html/elements.ts'
import { isSampleMail } from '../html/template-text.ts'
import type { Page } from '../site.ts'

/**
 * Mail addresses that a page links, shows or sends a form to, in lower case, without repetitions. Those of a web
 * designer or a host in a credit line are left out.
 */
export function mailAddressesOf(page: Page): readonly string[] {
  const linked = mailTargets(page, 'a', 'href')
  const samples = page.elements
    .filter(({ name }) => name === 'code' || name === 'pre')
    .slice(0, 200)
    .map(({ node }) => spokenText(node).toLowerCase())
    .join(' ')
  const written = mailsIn(page.text)
    .map((address) => withoutLabel(withoutNextWord(address), page))
    .filter((address) => !samples.includes(address.toLowerCase()) && !ofNetwork.test(address))
  const links = new Set(linked)
  // Readers do not see where a form sends its mail.
  const found = new Set([
    ...linked,
    ...written.map((address) => address.toLowerCase()),
    ...mailTargets(page, 'form', 'action'),
  ])
  return [...found]
    .filter((address) => address.includes('@') && address.length <= 200 && !isSampleMail(address))
    .filter((address) => links.has(address) || !isGlued(address, found))
    .filter((address) => !isCredited(page, address))
    .slice(0, 100)
}

/** What links open a mail program for, or forms, in lower case. */
function mailTargets({ elements }: Page, element: 'a' | 'form', attribute: string): string[] {
  return (
    elements
      .flatMap(({ name, node }) => (name === element ? (mailTarget(attributeOf(node, attribute)) ?? []) : []))
      .map((address) => address.toLowerCase())
      // What else stands there is no mailbox, and would be published as one.
      .filter((address) => !/[\s"'<>(),;:\\“”]/.test(address))
  )
}

function mailsIn(text: string): string[] {
  return Array.from(text.slice(0, 200_000).matchAll(mailAddress), ([address]) => address)
}

/**
 * An address that a page spells out so that programs do not collect it: "lind (at) bakery (dot) example". Visitors can
 * write to it; it belongs into no markup.
 */
export function spelledMailOf({ text }: Pick<Page, 'text'>): string | undefined {
  return spelledMail.exec(text.slice(0, 200_000))?.[0]
}

const at = String.raw`(?:\s?[([{<]\s?(?:at|@|ät|arroba|chiocciola|собака)\s?[)\]}>]\s?|\s?(?:あっと|アット|アットマーク|골뱅이)\s?|\s?＠\s?)`
const dot = String.raw`(?:\.|\s?[([{<]\s?(?:dot|punkt|point|punto|ponto|точка|\.)\s?[)\]}>]\s?|\s?(?:どっと|ドット|점)\s?|\sdot\s)`
const spelledMail = new RegExp(
  String.raw`(?<![\w.+-])[a-z0-9][\w.+-]{0,40}${at}[a-z0-9-]{2,40}(?:${dot}[a-z0-9-]{2,40}){1,3}(?![\w-])`,
  'iu',
)

/** Addresses of a template that the page still links, `contact@yourwebsite.com`, or else shows. */
export function sampleMailsOf(page: Page): {
  readonly linked: readonly string[]
  readonly shown: readonly string[]
} {
  const samples = (found: readonly string[]) => [...new Set(found)].filter(isSampleMail)
  const written = mailsIn(page.text).map((address) => address.toLowerCase())
  return { linked: samples(mailTargets(page, 'a', 'href')), shown: samples(written) }
}

/** "info@nord.seSvar": the element behind an address begins without a blank, and with a capital letter. */
function withoutNextWord(address: string): string {
  return address.replace(/(\.[a-z]{2,10})[A-Z][a-z].*$/, '$1')
}

/** "emailinfo@nord.se": the label before an address ends without a blank, and the next element holds the address alone. */
function withoutLabel(address: string, { elements }: Page): string {
  const bare = address.replace(/^(?:e-?mail|mail|contact|kontakt|correo)(?=[a-z0-9])/i, '')
  const isAlone = bare !== address && elements.some(({ node }) => spokenText(node, 20) === bare)
  return isAlone ? bare : address
}

/** "Instagram" and "@lind.example" beside it are the name of a network and an account there. */
const ofNetwork = /^(?:instagram|insta|facebook|twitter|tiktok|threads|telegram|youtube|linkedin|pinterest)@/i

/** "info@nord.sesvar" beside "info@nord.se". "info@nord.com" beside "info@nord.co" is another address. */
function isGlued(address: string, found: ReadonlySet<string>): boolean {
  const end = address.lastIndexOf('.')
  const lengths = Array.from({ length: Math.max(0, address.length - end - 4) }, (_, at) => end + 3 + at)
  return lengths.some((length) => found.has(address.slice(0, length)))
}

/** What a `mailto:` address writes to, without subject and text; undefined for any other address. */
export function mailTarget(address: string): string | undefined {
  if (!mailScheme.test(address)) return undefined
  return decodeEscapes(address.replace(mailScheme, '').split('?', 1)[0] ?? '').trim()
}

/** "mailto://x@y" is malformed, and what is meant is clear. */
const mailScheme = /^\s*mailto:(?:\/\/)?/i

/** A webmaster with an address at the site's own domain belongs to it. */
function isCredited(page: Page, address: string): boolean {
  const lines = creditLinesOf(page)
  if (lines.length === 0 || isSameSite(`http://${address.split('@')[1] ?? ''}/`, page.url)) return false
  const labels = page.elements.flatMap(({ name, node }) => {
    const target = name === 'a' ? attributeOf(node, 'href') : ''
    if (!mailScheme.test(target) || !target.toLowerCase().includes(address)) return []
    const label = spokenText(node, 50)
    return label.length >= 3 ? [label] : []
  })
  return lines.some(
    (line) => line.toLowerCase().includes(address) || labels.some((label) => line.includes(label)),
  )
}

/** The last part of a host has letters: "map@0.5" is a figure of a paper. */
/** "@maria@social.example" is an account in a network, and no mailbox. */
const mailAddress =
  /(?<![\w.+@-])[a-z0-9](?:[\w+-]|\.(?![.@])){0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,3}\.[a-z][a-z0-9-]{1,62}/gi
