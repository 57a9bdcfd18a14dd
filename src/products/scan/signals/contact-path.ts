import type { Evidence } from '../findings/check.ts'
import { silentFormsOf } from '../findings/forms/silent-forms.ts'
import { addressKey, decodeEscapes, isPlaceholder } from '../site/addresses.ts'
import { mailAddressesOf, spelledMailOf } from '../site/contact/mail-addresses.ts'
import { withoutExtension } from '../site/contact/phone-rules.ts'
import { addsToCart } from '../site/html/cart-words.ts'
import { attributeOf, elementsWithin, spokenText } from '../site/html/elements.ts'
import { type FormUse, formsOf } from '../site/html/forms.ts'
import type { Element } from '../site/html/visible-text.ts'
import { countWords } from '../site/html/words.ts'
import { isLinkOfKind } from '../site/kinds/page-kinds.ts'
import { isSamplePhone, linkedPhonesOf } from '../site/phone-numbers.ts'
import type { Link, Page, Site } from '../site/site.ts'
import { findMessenger } from './contact/messengers.ts'
import { firstService, readServices } from './services.ts'

/**
 * Finds the first way on a page to get in touch or to order: a telephone number or e-mail address, a form
 * that can be sent, a messenger, a link to a page for contact, booking, quotes or demos, a chat, or a cart.
 * Forms that search or log in do not count, because they reach no person, nor do those that send nothing.
 */
export function findContactPath(page: Page, site: Site): Evidence | undefined {
  const isDead = deadEnds(site.pages)
  const silent = new Set(silentFormsOf(site).map(({ node }) => node))
  return (
    firstWay(page, [
      findDirectLink,
      (one) => findForm(one, silent),
      findMessage,
      (one) => findContactLink(one, isDead),
    ]) ??
    firstWay(page, [findOrderButton, findAddress]) ??
    findService(page)
  )
}

function firstWay(page: Page, ways: readonly ((page: Page) => string | undefined)[]): Evidence | undefined {
  for (const find of ways) {
    const value = find(page)
    if (value !== undefined) return { url: page.url, value }
  }
  return undefined
}

function findMessage(page: Page): string | undefined {
  return findMessenger(page)?.value
}

function findAddress(page: Page): string | undefined {
  return mailAddressesOf(page)[0] ?? page.phones.find((phone) => !isSamplePhone(phone)) ?? spelledMailOf(page)
}

function findService(page: Page): Evidence | undefined {
  return firstService(readServices([page]), 'chat', 'helpdesk', 'scheduler', 'form')
}

/**
 * Whether a link leads to a page that was read and has no way to write, call or order: "A telephone number can be put
 * here". What a frame or a script shows there was not read, so such a page is none.
 */
function deadEnds(pages: readonly Page[]): (url: string) => boolean {
  return (url) => {
    const key = addressKey(url)
    const page = pages.find((one) => addressKey(one.url) === key)
    return (
      page !== undefined &&
      countWords(page.mainText) >= minWords &&
      !page.elements.some(({ name }) => name === 'iframe' || name === 'form') &&
      firstWay(page, [findDirectLink, findMessage, findOrderButton, findAddress, findProfile]) ===
        undefined &&
      findService(page) === undefined
    )
  }
}

const minWords = 20

/** A page for contact may say that one writes to an account in a network. The icons of a menu or a footer say no such thing. */
function findProfile({ elements }: Page): string | undefined {
  return elements
    .filter(
      ({ name, isHidden, region }) =>
        name === 'a' && !isHidden && (region === undefined || region === 'main'),
    )
    .map(({ node }) => attributeOf(node, 'href').trim())
    .find((href) => account.test(href))
}

const account =
  /^https?:\/\/(?:www\.)?(?:x\.com|twitter\.com|facebook\.com|instagram\.com|bsky\.app\/profile|threads\.net|discord\.gg)\/@?[\w.-]+\/?$/i

function findDirectLink(page: Page): string | undefined {
  const phones = new Set(linkedPhonesOf(page).filter((phone) => !isSamplePhone(phone)))
  const mails = new Set(mailAddressesOf(page))
  return page
    .$('a[href]')
    .toArray()
    .map(({ attribs }) => decodeEscapes((attribs.href ?? '').trim()))
    .find((href) => {
      if (isPlaceholder(href)) return false
      const [, scheme = '', target = ''] = /^(tel|mailto):(?:\/\/)?([^?]*)/i.exec(href) ?? []
      return scheme.toLowerCase() === 'tel'
        ? phones.has(withoutExtension(target.slice(0, 40)))
        : mails.has(target.trim().toLowerCase())
    })
}

function findForm(page: Page, silent: ReadonlySet<Element>): string | undefined {
  return formsOf(page).find(
    ({ use, node }) => contactUses.has(use) && !silent.has(node) && elementsWithin(node, submit).length > 0,
  )?.label
}

const contactUses: ReadonlySet<FormUse> = new Set(['lead', 'booking', 'cart', 'application'])
const submit = 'button:not([type]), button[type=submit i], input[type=submit i], input[type=image i]'

/**
 * By the text of the link or a part of its path. Long texts are headlines that contain the word by chance.
 */
function findContactLink(
  { links, url: pageUrl }: Page,
  isDead: (url: string) => boolean,
): string | undefined {
  const isContactLink = (one: Link) => {
    // An anchor on this page: what it leads to was looked for already.
    if (addressKey(one.url) === addressKey(pageUrl)) return false
    if (isLinkOfKind(one, 'contact') || isLinkOfKind(one, 'booking')) return true
    // A page of another site takes enquiries for that site.
    if (!one.isInternal) return false
    const { url, text } = one
    const parts = partsOf(url)
    return isContact(text) || parts.some(isContact) || isOrder(text) || parts.some(isCart)
  }
  const link = links.find((one) => isContactLink(one) && !isDead(one.url))
  return link === undefined ? undefined : `link "${link.text}" to ${link.url}`
}

function partsOf(url: string): string[] {
  return (URL.parse(url)?.pathname ?? '').split('/').map((part) => part.replaceAll(/[-_.]/g, ' '))
}

/** Buttons outside a form count, because many shops fill the cart by a script. */
function findOrderButton({ $ }: Page): string | undefined {
  const label = $('button, input[type=submit i]')
    .toArray()
    .slice(0, maxButtons)
    .map((button) => spokenText(button) || attributeOf(button, 'value'))
    .find(isOrder)
  return label === undefined ? undefined : `button "${label}"`
}

const maxButtons = 1_000

/** The whole text must match: "Order in the garden" is a headline. */
export function isOrder(text: string): boolean {
  const label = text.replace(/(?:[\p{S}\p{Emoji_Presentation}]|\ufe0f)+/gu, ' ').trim()
  return (label.length <= 40 && orderWords.test(label)) || addsToCart(label)
}

const orderWords =
  /^(?:(?:shop|buy|order)(?: (?:now|online|it now|here))?|add to (?:cart|basket|bag)|(?:view |your )?(?:cart|basket|bag)|check ?out|(?:jetzt )?(?:kaufen|bestellen)|in den warenkorb|warenkorb|ajouter au panier|panier|acheter|commander|añadir al carrito|comprar|carrito|(?:enviar|hacer|realizar) (?:el |tu |mi )?pedido|(?:enviar|fazer) (?:o )?pedido|send (?:the |my |your )?order|place (?:the |my |your |an )?order|generate order|aggiungi al carrello|acquista|carrello|in winkelwagen|bestellen|winkelwagen|carrinho|finalizar (?:a )?compra|satın al|sipariş ver|купить(?: сейчас)?|заказать|оформить заказ|купити|замовити|اشتر الآن|اطلب الآن|購入する|今すぐ購入|注文する|구매하기|바로 ?구매|주문하기|立即购买|立即購買|立即下单|立即下單|ซื้อเลย|สั่งซื้อ(?:สินค้า)?|mua ngay|đặt hàng|kup teraz|koupit|köp|kjøp|køb)$/iu

function isCart(part: string): boolean {
  return cartPart.test(part)
}

const cartPart = /^(?:cart|basket|checkout|warenkorb|kasse|panier|carrito|carrello|winkelwagen|carrinho)$/i

/** Includes the words of other European languages. */
function isContact(text: string): boolean {
  return text.length <= 30 && contactWord.test(text)
}

const contactWord =
  /(?<![\p{L}\p{N}])(?:contact|kontakt|contacto|contato|contatti|contactez|enquir(?:y|ies)|inquir(?:y|ies)|book (?:now|online|here|us|an?|your|the)|(?<=^|[^\p{L}])book(?=$)|bookings?|appointments?|quotes?|(?:book|request|schedule|get) (?:a |your )?demo|reservations?|reserve|termin|anfrage|angebot anfordern|buchen|buchung|reservieren|reservierung|rendez vous|rendez-vous|réserver|réservation|devis|reservar|reservas?|cita previa|presupuesto|orçamento|prenota|prenotazioni|prenotazione|preventivo|afspraak|reserveren|offerte)(?![\p{L}\p{N}])/iu
