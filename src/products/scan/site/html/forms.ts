import { pathOf } from '../addresses.ts'
import { isTextOfKind } from '../kinds/kind-phrases.ts'
import { isPathOfKind } from '../kinds/page-kinds.ts'
import type { Page } from '../site.ts'
import { addsToCart } from './cart-words.ts'
import { attributeOf, hasAttribute, type PageElement, spokenText } from './elements.ts'
import { looseFields } from './fields/loose-fields.ts'
import { isTrap } from './fields/trap-fields.ts'
import { isTemplateKey, isTemplateTarget } from './template-text.ts'
import { around, type Element, isElement, textWithin } from './visible-text.ts'

/** A form of a page and its use, as far as its fields and words tell. */
export interface Form {
  readonly node: Element
  readonly page: Page
  readonly use: FormUse
  /** For evidence: its id, name or action, and how many fields it has. */
  readonly label: string
}

export type FormUse =
  | 'lead'
  | 'booking'
  | 'newsletter'
  | 'application'
  | 'search'
  | 'login'
  /** Where a member changes own data. */
  | 'account'
  | 'comment'
  | 'cart'
  /** For enquiries, and sent to "YOUR_FORM_ID" as in its template. */
  | 'unfinished'
  /** For enquiries, and without a field for a message or for a way to answer. */
  | 'no-reply'
  | 'other'

/**
 * The forms of a page. Only a form with a message or a way to reach the sender takes enquiries; otherwise a
 * page with only a search box would count as one that customers can write to.
 */
export function formsOf(page: Page): readonly Form[] {
  const fields = new Map<Element, PageElement[]>()
  for (const element of page.elements) {
    if (element.name === 'form') fields.set(element.node, [])
    else if (element.form && isField(element)) fields.get(element.form)?.push(element)
  }
  return [...fields, ...looseFields(page.elements, isField)].slice(0, maxForms).map(([node, own]) => {
    const read = useOf(node, own.slice(0, maxFields), page)
    const use = enquiryUses.has(read) && leftInForm(node, page) !== undefined ? 'unfinished' : read
    const name =
      ['id', 'name', 'action'].map((one) => attributeOf(node, one)).find((one) => !/^#?$/.test(one)) ?? ''
    const count = `${own.length} ${own.length === 1 ? 'field' : 'fields'}`
    const label =
      node.name === 'form'
        ? `<form>${name === '' ? '' : ` ${name}`} with ${count}`
        : `${count} and a button, without a form element`
    return { node, page, use, label }
  })
}

/** What a form still has from its template and sends nowhere: `action="https://forms.example/f/YOUR_FORM_ID"`, or a key. */
export function leftInForm(form: Element, { elements }: Page): string | undefined {
  const action = attributeOf(form, 'action')
  if (isTemplateTarget(action)) return `action="${action}"`
  const key = elements.find(
    ({ name, node, form: own }) =>
      name === 'input' &&
      own === form &&
      /^hidden$/i.test(attributeOf(node, 'type')) &&
      isTemplateKey(attributeOf(node, 'value')),
  )
  return key && `${attributeOf(key.node, 'name')}="${attributeOf(key.node, 'value')}"`
}

/** Uses of a form that somebody is to answer. */
export const enquiryUses: ReadonlySet<FormUse> = new Set(['lead', 'booking', 'application', 'no-reply'])

const maxForms = 50
const maxFields = 100

/** Whether a person fills it in. */
function isField(element: PageElement): boolean {
  return !isTrap(element) && isEntry(element)
}

/** An element that takes what a person types or chooses. */
export function isEntry({ name, node }: Pick<PageElement, 'name' | 'node'>): boolean {
  if (name === 'select' || name === 'textarea') return true
  return name === 'input' && !unfilled.has(attributeOf(node, 'type').toLowerCase())
}

const unfilled: ReadonlySet<string> = new Set(['hidden', 'submit', 'button', 'reset', 'image'])

/** As the id or the class of a form says: "bewerbung-form", "job-application". */
const isApplication =
  /(?:^|[\s_-])(?:bewerb(?:ung|er)s?|job-?application|apply-?(?:form|now|job)|candidat(?:e|ure|ura)s?|postulaci[oó]n|postuler)(?:$|[\s_-])/

const wayToAnswer =
  /(?<!\p{L})(?:e-?mail|mail|(?:tele)?phone|telefon|téléphone|teléfono|telefono|telefone|correo|courriel|телефон|почта)(?!\p{L})|メール|電話|이메일|전화|邮箱|电话/iu

function useOf(form: Element, fields: readonly PageElement[], page: Page): FormUse {
  const types = new Set(
    fields.map(({ name, node }) => (name === 'input' ? attributeOf(node, 'type').toLowerCase() : name)),
  )
  const names = fields.map(({ node }) =>
    `${attributeOf(node, 'name')} ${attributeOf(node, 'id')}`.toLowerCase(),
  )
  const own = ['action', 'id', 'class', 'name', 'aria-label']
    .map((name) => attributeOf(form, name).slice(0, 300))
    .join(' ')
    .toLowerCase()
  const words = spokenText(form).slice(0, 2_000).toLowerCase()
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name))

  if (types.has('password')) return 'login'
  if (isAccount(own, fields)) return 'account'
  if (types.has('search') || attributeOf(form, 'role') === 'search' || /\bsearch/.test(own)) return 'search'
  if (
    /\/(?:cart|basket|checkout)\b|add-to-cart|product-form/.test(own) ||
    addsToCart(words) ||
    /\badd to (?:cart|basket|bag)\b/.test(words)
  ) {
    return 'cart'
  }
  // A review is no enquiry: nobody answers it.
  if (/comment/.test(own) || has(/(?:^|[\s_-])(?:rating|stars|review|bewertung|recensione)(?:$|[\s_-])/))
    return 'comment'
  if (isNewsletterService.test(own) && !types.has('textarea')) return 'newsletter'
  const isOnCareers = isPathOfKind(page.url, 'careers')
  if (types.has('file') && (isOnCareers || /resume|résumé|\bcv\b|cover letter|lebenslauf/.test(words)))
    return 'application'
  // Fields without a name say by their placeholder what they are for.
  const said = fields.map(({ node }) => attributeOf(node, 'placeholder').slice(0, 60)).join(' ')
  const reaches =
    types.has('email') || types.has('tel') || has(/e-?mail|phone|\btel\b/) || wayToAnswer.test(said)
  if (isApplication.test(own) || (isOnCareers && reaches && fields.length >= 3)) return 'application'
  if (isCalculator.test(own) && !reaches) return 'other'
  // A number alone is looked up as often as it is left for a call back.
  if (
    fields.length === 1 &&
    !types.has('textarea') &&
    !types.has('email') &&
    isLookup.test(`${own} ${names.join(' ')}`)
  )
    return 'search'
  if (
    !isMembership.test(own) &&
    (reaches ||
      types.has('textarea') ||
      hasAttribute(form, 'action') ||
      has(/name|nom|isim|имя/) ||
      /(?:^|[\s_-])book(?:ing)?(?:$|[\s_-])/.test(own)) &&
    isBooking(datesAsked(fields), names, own, page) &&
    !isRequest.test(`${own} ${words}`)
  )
    return 'booking'
  if (!reaches && !types.has('textarea'))
    return asksWhoWrites(form, names, fields, page) ? 'no-reply' : 'other'
  if (
    isNewsletter(
      fields.filter(({ node }) => attributeOf(node, 'type').toLowerCase() !== 'checkbox').length,
      types,
      `${own} ${words}`,
    )
  )
    return 'newsletter'
  // It opens a program for mail and sends nothing.
  if (/^\s*mailto:/i.test(attributeOf(form, 'action'))) return 'other'
  return isCallOut(form) ? 'booking' : 'lead'
}

/** A form of a contact page that is sent somewhere and asks for a name: its maker forgot how to answer. */
function asksWhoWrites(
  form: Element,
  names: readonly string[],
  fields: readonly PageElement[],
  { url }: Page,
): boolean {
  const asked = fields.map(({ node }, place) => `${names[place] ?? ''} ${attributeOf(node, 'placeholder')}`)
  return (
    isPathOfKind(url, 'contact') &&
    /^post$/i.test(attributeOf(form, 'method').trim()) &&
    asked.some((one) => asksName.test(one))
  )
}

const asksName =
  /(?:full|your|first|last)[\s_-]?name|^\s*name|vorname|nachname|ihr name|votre nom|tu nombre|su nombre/i

/** A form under a heading for bookings or for a visit: its few fields are the request. */
function isCallOut(form: Element): boolean {
  const captions = [form, ...around(form).slice(0, 2)]
    .flatMap(({ children }) => children)
    .filter(isElement)
    .filter(({ name }) => /^(?:h[1-6]|legend)$/.test(name))
    .map((heading) => textWithin([heading]).slice(0, 60))
  return captions.some((text) => isTextOfKind(text, 'booking') || callOut.test(text))
}

/** "Вызвать мастера". */
const callOut =
  /(?<!\p{L})(?:(?:вызвать|вызов) (?:мастера|специалиста|технолога)|call-?out request|request (?:a|your) visit)(?!\p{L})/iu

/** A form that shows what it knows of the member already, or is named so. */
function isAccount(own: string, fields: readonly PageElement[]): boolean {
  const fixed = fields.filter(({ node }) => hasAttribute(node, 'readonly') || hasAttribute(node, 'disabled'))
  return (
    /(?:^|[\s_/-])(?:profile?|my-?account|account|mein-?konto|konto|mon-?compte|mi-?cuenta|mitglied(?:er)?daten|user-?settings)(?:$|[\s_-](?:form|edit|update|settings))/.test(
      own,
    ) ||
    (fixed.length >= 2 && fixed.length * 3 >= fields.length)
  )
}

/** The types of fields that ask for a date or time; a date of birth asks for no appointment. */
function datesAsked(fields: readonly PageElement[]): ReadonlySet<string> {
  return new Set(
    fields
      .filter(({ node, label }) => {
        const named = ['name', 'id', 'aria-label', 'placeholder', 'autocomplete']
          .map((name) => attributeOf(node, name))
          .join(' ')
        return !birth.test(`${named} ${label ? spokenText(label, 20) : ''}`)
      })
      .map(({ node }) => attributeOf(node, 'type').toLowerCase()),
  )
}

const birth =
  /birth|bday|\bdob\b|geburt|naissance|nacimiento|nascita|nascimento|geboorte|doğum|рожд|ميلاد|誕生|生年月日|생년월일|생일|出生|生日/i

function isBooking(types: ReadonlySet<string>, names: readonly string[], own: string, page: Page): boolean {
  const hasDate =
    types.has('date') ||
    types.has('datetime-local') ||
    types.has('time') ||
    names.some((name) =>
      /appointment|reservation|preferred.?(?:date|time|day)|booking|party.?size/.test(name),
    )
  if (hasDate || /appointment|reserv|booking|\bbook[_-]?form/.test(own)) return true
  return (
    isPathOfKind(page.url, 'booking') &&
    names.length >= 2 &&
    !/newsletter|subscribe/.test(`${own} ${pathOf(page.url)}`)
  )
}

/** Who joins or is entered tells since when, and asks for no appointment. */
const isMembership =
  /member|mitglied|membre|adh[eé]sion|socio|socia\b|iscrizion|inscripci|inscriç|lidmaat|üyelik/

/** A calculator asks for dates and sums, and nobody reads what is typed into it. */
const isCalculator = /calc|hesap|rechner|simul|kalkul/

const isLookup = /check|look-?up|find|query|verify|track|report/

/** Names that mailing services give to the forms they make. */
const isNewsletterService =
  /sib[_-]?(?:signup|form)|mc-embedded|mc4wp|mailpoet|newsletter|klaviyo|convertkit|formkit/

/** A form for an offer or an order asks for a date, too. */
const isRequest =
  /teklif|quote|angebot|devis|preventivo|orçamento|presupuesto|cotizaci|pedido|sipariş|bestell|order form/

/** Whether a form takes an address and perhaps a name, but no message. */
function isNewsletter(count: number, types: ReadonlySet<string>, words: string): boolean {
  if (types.has('textarea') || types.has('tel') || count > 4) return false
  return (
    count === 1 ||
    /newsletter|subscri|sign up|mailing|updates|abonnier|s'abonner|suscri|iscri|boletín|boletim|assin(?:e|ar)|nieuwsbrief|aanmelden|bülten|abone|рассылк|подпис|نشرة|اشترك|メルマガ|購読|뉴스레터|구독|订阅|訂閱|電子報/.test(
      words,
    )
  )
}
