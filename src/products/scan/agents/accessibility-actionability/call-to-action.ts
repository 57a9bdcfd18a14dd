import { absolute, addressKey } from '../../site/addresses.ts'
import { attributeOf, isStyledAsButton, type PageElement, spokenText } from '../../site/html/elements.ts'
import { around, isElement } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'
import { startTag } from './markup.ts'

/** The next step a page asks for, and whether a program can take it. */
export interface CallToAction {
  readonly text: string
  /** The start tag as in the page: `<a href="/book">`. */
  readonly markup: string
  readonly isOperable: boolean
  /** It leads to a part that its page does not have, or no script listens to it. */
  readonly isDead: boolean
  /** It is a link, with an address or without. */
  readonly isLink: boolean
}

/**
 * Finds the first element that is worded as a next step and looks like a control: a link, a button, or an
 * element that is styled or scripted as one. Navigation, header and footer count only when there is nothing else.
 */
export function findCallToAction(
  page: Page,
  dead: ReadonlySet<PageElement['node']> = new Set(),
): CallToAction | undefined {
  const steps = page.elements.filter(
    (element) =>
      !element.isHidden &&
      isControl(element) &&
      !leadsHome(element, page) &&
      isStep(textOf(element)) &&
      !(element.name === 'a' && (isCode(element) || isInSentence(element))),
  )
  const step = steps.find(({ region }) => region === undefined || !besides.has(region)) ?? steps[0]
  if (step === undefined) return undefined
  const markup = startTag(step.node, ['href', 'type', 'class', 'onclick'], { maxLength: 40 })
  return {
    text: textOf(step),
    markup,
    isOperable: isOperable(step) && !dead.has(step.node),
    isDead: dead.has(step.node),
    isLink: step.name === 'a',
  }
}

/** Many a header holds the menu without saying so. */
const besides: ReadonlySet<string> = new Set(['nav', 'header', 'footer'])

/** The name of the home page in a menu ("Start") asks for nothing. Nor does that of a function: "create" to `#create`. */
function leadsHome({ name, node }: PageElement, { url }: Page): boolean {
  const href = attributeOf(node, 'href')
  if (href.length > 1 && href === `#${spokenText(node, 50)}`) return true
  const target = name === 'a' && !href.includes('#') ? absolute(href, url) : undefined
  return target !== undefined && href !== '' && addressKey(target) === addressKey(url)
}

function isControl(element: PageElement): boolean {
  const { name, node } = element
  if (name === 'a' || name === 'button') return true
  if (name === 'input') return isButtonInput(element)
  if (!/^(?:div|span|p|li|td|label)$/.test(name)) return false
  const isScripted = node.attribs.onclick !== undefined || attributeOf(node, 'role') === 'button'
  // "Working on this?" of the class "cta-text" leads to the button beside it.
  const isText = !isScripted && /[.:?]\s*$/.test(textOf(element))
  return (isStyledAsButton(node) || isScripted) && !isText && !holdsControl(element) && !isInControl(element)
}

/** The text of a button may have an element of its own. */
function isInControl({ node }: PageElement): boolean {
  return around(node).some(({ name }) => name === 'a' || name === 'button')
}

/** A box around a real button is not the control. */
function holdsControl({ node }: PageElement): boolean {
  const stack = [...node.children]
  for (let count = 0; count < 200; count++) {
    const child = stack.pop()
    if (child === undefined) return false
    if (!('attribs' in child)) continue
    if (child.name === 'a' || child.name === 'button' || child.name === 'input') return true
    stack.push(...child.children)
  }
  return false
}

function isButtonInput({ node }: PageElement): boolean {
  return /^(?:submit|button|image)$/i.test(attributeOf(node, 'type'))
}

function isOperable(element: PageElement): boolean {
  if (element.name === 'button') return true
  if (element.name === 'input') return isButtonInput(element)
  const href = attributeOf(element.node, 'href')
  return element.name === 'a' && href !== '' && href !== '#' && !/^javascript:/i.test(href)
}

function textOf({ name, node }: PageElement): string {
  if (name === 'input') return attributeOf(node, 'value') || attributeOf(node, 'alt')
  return spokenText(node, 50) || attributeOf(node, 'aria-label')
}

/** "get(key)" and "request" of a reference are names in a program. */
function isCode({ node }: PageElement): boolean {
  return (
    around(node).some(({ name }) => name === 'code' || name === 'pre') ||
    (node.children.length === 1 &&
      node.children.some((child) => isElement(child) && child.name === 'code')) ||
    /^#.*(?:\w\.\w|\(|::)/.test(attributeOf(node, 'href'))
  )
}

/** "You can get started reading the docs": a link in the middle of a sentence asks for nothing. */
function isInSentence({ node }: PageElement): boolean {
  if (!/^\p{Ll}/u.test(spokenText(node, 50))) return false
  const { prev } = node
  return prev !== null && !isElement(prev) && 'data' in prev && /\p{L}[,;:]?\s+$/u.test(prev.data)
}

function isStep(text: string): boolean {
  if (text.length > 60 || noSteps.test(text)) return false
  return (
    stepWords.test(text.replace(/^[^\p{L}\p{N}]+/u, '')) || lastWords.test(text) || unspacedSteps.test(text)
  )
}

/**
 * What begins with the word of a step and is none: a request, a function, the title of a text or a thing ("Book of
 * abstracts", "Call for papers", "Order of service").
 */
const noSteps =
  /^\P{L}*(?:(?:GET|POST|PUT|PATCH|DELETE)(?: \/|\s*$)|[\w.]+\(|book (?:of|reviews?|lists?|clubs?|chapters?|series|stores?|shops?|fairs?|launch|cover)(?!\p{L})|order of(?!\p{L})|call (?:of|to prayer|for (?:\p{L}+ )?(?:papers|abstracts|proposals|participation|submissions|contributions|posters|speakers|tenders|entries|chapters|nominations|applications|sponsors))(?!\p{L})|request (?:headers?|body|bodies|objects?|parameters?|params|methods?|limits?|for comments?)(?!\p{L})|register of(?!\p{L})|start (?:page|date|time|of|menu|screen|list)(?!\p{L})|start-ups?|try[ -]?(?:catch|except|outs?)|shop (?:floor|window|talk)|create (?:table|index|view)(?!\p{L}))/iu

/** "get" asks for something only with what one gets; "Get item by id" is a line of a reference. */
const gets =
  'get (?:in touch|in contact|started|involved|going|help|support|access|tickets?|quotes?|prices?|pricing|directions|it|your?|our|a|an|the|this|that|my|me|now|more|free|early|instant|updates?|notified|certified|listed|paid|on|new|back|demo|app|\\d|[\\p{L}\\d.-]{2,20}(?: [\\p{L}\\d.-]{2,20})? (?:now|today|free|here|for (?:free|\\p{L}{3,10})|pro|plus|premium|\\d))|get$'

/** How a next step begins. */
const stepWords = new RegExp(
  `^(?:${[
    gets,
    'book|buy|order|shop|start|try|sign up|join|request|schedule (?:an?|your|now|online)|contact|call|reserve|subscribe|download|add to|see (?:plans|pricing)|view (?:plans|pricing)|talk to|speak to|apply|donate|register|create|make an? |free trial|learn more',
    'jetzt(?! bewerten)|termin|kontakt|buchen|kaufen|bestellen|anfragen',
    'acheter|commander|réserver|contactez|(?:nous )?contacter|essayer|prendre rendez|demander|obtenir|télécharger|s.inscrire',
    'comprar|reservar|contactar|contáctanos|pedir|pide|reserva|agendar?|solicitar?|escríbe(?:nos|me)|escríba(?:nos|me)|llám[ae](?:nos|me)|comenzar|comienza|empezar|empieza|contratar|contrata|hablar con|regístrate|descargar|descarga',
    'prenota|acquista|contatta(?:ci|mi)?|richiedi|ordina|iscriviti|scarica|scopri|scrivi(?:ci|mi)|chiama(?:ci|mi)?|vai (?:ai contatti|alla pagina contatti|allo shop|al negozio)',
    'agende|agendar|compre|solicite|entre em contato|fale conosco|cadastre-se|baixar|baixe',
    'bestel|koop|boek|maak een afspraak|afspraak|aanvragen|offerte|probeer|aanmelden|reserveer|neem contact',
    'satın al|sipariş|randevu|teklif al|hemen|rezervasyon|kayıt ol|bize ulaş|iletişime geç|ara|whatsapp.tan yaz\\p{L}*',
    'купить|заказать|записаться|связаться|оставить заявку|позвонить|забронировать|попробовать|зарегистрироваться|подписаться|скачать|узнать цену',
    'اطلب|احجز|اتصل|تواصل|ابدأ|اشتر|سجل|جرب|حمّل|احصل|اشترك|شاركنا',
  ].join('|')})(?!\\p{L})`,
  'iu',
)

/** How a next step ends where the verb stands last: "WhatsApp ile Teklif Al", "Unverbindliches Angebot anfordern". */
const lastWords = new RegExp(
  `^(?:[^\\s]+\\s+){1,4}(?:${[
    '(?:satın|teklif|randevu|fiyat|bilgi|destek) al|sipariş ver|rezervasyon yap|başvuru yap|kayıt ol|iletişime geç|bize ulaş|hemen ara|başvur|indir',
    'buchen|bestellen|anfordern|anfragen|vereinbaren|reservieren|kontaktieren|herunterladen|aufnehmen',
    'aanvragen|boeken|reserveren|downloaden|opnemen|afspraak maken',
  ].join('|')})[\\s!→›»>]*$`,
  'iu',
)

/** Languages that are written without spaces put the verb last, and Korean the name of the shop before it. */
const unspacedSteps =
  /お問い合わせ|お問合せ|で(?:予約|問い合わせ)|予約する|ご予約|購入|注文する|申し込|資料請求|ダウンロード|会員登録|문의하기|상담 ?신청|예약하기|구매|주문하기|신청하기|시작하기|다운로드|가입하기|(?:몰|샵|숍|스토어|쇼핑|구매|신청|문의|상담|예약)\s?(?:으로\s?|로\s?)?(?:바로\s?가기|이동)|立即|预约|預約|购买|購買|下单|免费试用|免費試用|注册|註冊|下载|下載/
