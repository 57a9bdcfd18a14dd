import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { counted, maxPlaces } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { attributeOf, type PageElement } from '../../site/html/elements.ts'
import { isTrap } from '../../site/html/fields/trap-fields.ts'
import type { Element } from '../../site/html/visible-text.ts'
import { splitCamelCase } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'
import { namesOn } from './accessible-name.ts'
import { autofillFields } from './aria-words.ts'
import { startTag } from './markup.ts'

/**
 * Judges whether fields for names, e-mail addresses and telephone numbers have a valid autocomplete token.
 */
export function judgeAutocomplete(pages: readonly Page[]): Outcome {
  const fields = pages.flatMap((page) => {
    const names = namesOn(page)
    const firsts = firstsById(page)
    const asked = page.elements.flatMap((element) => {
      const { name, node, isHidden } = element
      if (name !== 'input' || isHidden || isTrap(element)) return []
      const label = names.untied(element) || names.ofField(element)
      const token =
        expectedToken(node, firsts.get(attributeOf(node, 'id')) === node, label) ?? labelledToken(node, label)
      return token === undefined ||
        isLookup(token, element, page) ||
        asksForAnother(element, names.ofField(element))
        ? []
        : [{ page, node, form: element.form, token, label: names.ofField(element) }]
    })
    return asked
      .filter((field) => !isOfPatient(field, asked))
      .map((field) => ({ ...field, token: partOfName(field, asked) }))
  })
  if (fields.length === 0)
    return notApplicable(
      'No page that was read shows a field for a name, an e-mail address or a telephone number.',
    )
  const quote = (list: typeof fields) =>
    list.slice(0, maxPlaces).map(({ page, node, token }) => ({
      url: page.url,
      value: `${describeInput(node)}${isValid(attributeOf(node, 'autocomplete')) ? '' : `: autocomplete="${token}"`}`,
    }))
  const lacking = fields.filter(({ node }) => !isValid(attributeOf(node, 'autocomplete')))
  const [first] = lacking
  const good = fields.length - lacking.length
  const statement = `${good} of ${counted(fields.length, 'field')} for names, e-mail addresses and telephone numbers ${good === 1 ? 'says' : 'say'} what they hold`
  if (first === undefined) return pass(`${statement}.`, ...quote(fields))
  return fail(
    `${statement}. In ${good === 0 ? 'them' : 'the others'} an agent has to guess which of its facts belongs where.`,
    `Add autocomplete="${first.token}" to ${nameOf(first)} on ${shown(first.page.url)}${isOfWrongType(first) ? `, and make it type="${first.token === 'name' ? 'text' : first.token}"` : ''}.${lacking.length > 1 ? ` Say in ${counted(lacking.length - 1, 'more field')} what each holds.` : ''}`,
    ...quote(lacking),
  )
}

/** Beside a field for one part of a name, the field that is called "name" is for the other part. */
function partOfName(field: NameField, others: readonly NameField[]): string {
  if (field.token !== 'name') return field.token
  const has = (part: string) => others.some(({ form, token }) => form === field.form && token === part)
  if (has('family-name')) return has('given-name') ? 'name' : 'given-name'
  return has('given-name') ? 'family-name' : 'name'
}

interface NameField {
  readonly form: PageElement['form']
  readonly token: string
}

/**
 * Whether a field for a number stands alone. Such a one looks a number up ("Who called me?") as often as it asks for the
 * visitor's own, which a browser would then fill in wrongly.
 */
function isLookup(token: string, { node, form }: PageElement, { elements }: Page): boolean {
  if (token !== 'tel') return false
  return !elements.some(
    (other) =>
      other.node !== node &&
      other.form === form &&
      !other.isHidden &&
      (other.name === 'textarea' ||
        other.name === 'select' ||
        (other.name === 'input' && !buttons.has(attributeOf(other.node, 'type').toLowerCase()))),
  )
}

const buttons: ReadonlySet<string> = new Set('hidden submit button reset image checkbox radio'.split(' '))

/** The name of who gets a card or a present is not that of the visitor, which a browser would fill in. */
function asksForAnother({ node }: PageElement, label: string | undefined): boolean {
  const text = `${label ?? ''} ${attributeOf(node, 'placeholder')} ${attributeOf(node, 'name')}`
  return /recipient|destinatari|destinataire|empfänger|beschenkt|ontvanger|(?<!\p{L})(?:friend|child|guest)['’]?s?(?!\p{L})|получател|alıcı/iu.test(
    text.slice(0, 300),
  )
}

/**
 * A colleague who refers a patient fills in own facts, which a browser knows, and those of the patient, which it does not.
 * In a form without a second set of fields, `patient_name` is the visitor's own name.
 */
function isOfPatient({ node, form }: OfForm, others: readonly OfForm[]): boolean {
  return (
    form !== undefined &&
    namesPatient(node) &&
    others.some(
      (other) =>
        other.form === form && !namesPatient(other.node) && isValid(attributeOf(other.node, 'autocomplete')),
    )
  )
}

interface OfForm {
  readonly node: Element
  readonly form: PageElement['form']
}

function namesPatient(node: Element): boolean {
  return /pa[tcz]i?[eë]nt|pazient|pacjent|hasta(?![a-z])/i.test(
    `${attributeOf(node, 'name')} ${attributeOf(node, 'id')}`.slice(0, 200),
  )
}

/** `<input type="email" name="phone">`: browsers refuse the number, or the name, that people are asked for. */
function isOfWrongType({ node, token }: { readonly node: Element; readonly token: string }): boolean {
  const type = attributeOf(node, 'type').toLowerCase()
  return (type === 'email' || type === 'tel') && /^(?:email|tel|name)$/.test(token) && type !== token
}

/** Any other word, such as `type="type"`, makes a field for text (https://html.spec.whatwg.org/multipage/input.html). */
const otherTypes: ReadonlySet<string> = new Set(
  'button checkbox color date datetime-local file hidden image month number password radio range reset search submit time url week'.split(
    ' ',
  ),
)

/** The first element of each id. On another one the id was copied from there, and says nothing of a field. */
function firstsById({ elements }: Page): ReadonlyMap<string, Element> {
  const firsts = new Map<string, Element>()
  for (const { node } of elements) {
    const id = attributeOf(node, 'id')
    if (id !== '' && !firsts.has(id)) firsts.set(id, node)
  }
  return firsts
}

const numberOfPhone =
  /^(?:phone|telephone|mobile|tel[eé]fono|telefone|telefon|t[ée]l[ée]phone|telefoon|cellulare|celular)$/

/** Returns the token for a field that asks for a name, an e-mail address or a telephone number. */
function expectedToken(input: Element, isIdOwn: boolean, label: string): string | undefined {
  const type = attributeOf(input, 'type').toLowerCase()
  const names = `${attributeOf(input, 'name')} ${isIdOwn ? attributeOf(input, 'id') : ''}`.slice(0, 200)
  const words = splitCamelCase(names, ' ')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  // A template's field may have kept its type under another label.
  if (type === 'email') {
    if (nameLabel.test(label)) return 'name'
    return phoneLabel.test(label) && words.some((word) => numberOfPhone.test(word)) ? 'tel' : type
  }
  if (type === 'tel')
    return mailLabel.test(label) && words.some((word) => word === 'email' || word === 'mail') ? 'email' : type
  // Many a form has its telephone number in a field for numbers.
  if (type === 'number' && words.some((word) => numberOfPhone.test(word))) return 'tel'
  if (otherTypes.has(type)) return undefined
  if (words.some((word) => word === 'email' || word === 'mail')) return 'email'
  if (words.some((word) => ['phone', 'tel', 'telephone', 'mobile'].includes(word))) return 'tel'
  // "Nome_e_cognome": one field for both.
  if (
    words.some((word) => surnames.has(word)) &&
    words.some((word) => ownName.has(word) || givenNames.has(word))
  )
    return 'name'
  if (words.some((word) => givenNames.has(word))) return 'given-name'
  if (words.some((word) => surnames.has(word))) return 'family-name'
  const isName = words.some((word) => ownName.has(word)) && words.every((word) => beforeName.has(word))
  if (!isName && !words.includes('fullname')) return undefined
  if (words.includes('first') || words.includes('given')) return 'given-name'
  return words.includes('last') || words.includes('family') ? 'family-name' : 'name'
}

/** Returns the token for a text field that people see labelled as a name, a part of it, a telephone or a mailbox: "Ваше имя". */
function labelledToken(input: Element, label: string): string | undefined {
  if (!/^(?:text)?$/i.test(attributeOf(input, 'type').trim()) || label.length > 40) return undefined
  // "お名前 必須": that it has to be filled in stands behind the name of the field.
  const words = label
    .trim()
    .replace(
      /[\s(（【*]*(?:必須|任意|required|pflichtfeld|obligatoire|obligatorio|obbligatorio|obrigatório|필수)[\s)）】*]*$/iu,
      '',
    )
  if (givenNameLabel.test(words)) return 'given-name'
  if (familyNameLabel.test(words)) return 'family-name'
  if (nameLabel.test(words)) return 'name'
  if (phoneLabel.test(words)) return 'tel'
  return mailLabel.test(words) ? 'email' : undefined
}

const givenNameLabel =
  /^(?:(?:your )?(?:first|given) name|(?:ihr |dein )?vorname|(?:votre )?prénom|(?:je |uw |jouw )?voornaam|primeiro nome|förnamn|fornavn|etunimi|imię|křestní jméno|keresztnév|prenume)[\s:*.…]*$/iu

const familyNameLabel =
  /^(?:(?:your )?(?:last|family) name|surname|(?:ihr |dein )?(?:nachname|familienname)|nom de famille|(?:tus )?apellidos?|(?:il tuo )?cognome|(?:je |uw |jouw )?achternaam|sobrenome|apelido|soyad(?:ı|ınız)?|фамилия|прізвище|efternamn|etternavn|efternavn|sukunimi|nazwisko|příjmení|prezime|vezetéknév)[\s:*.…]*$/iu

const nameLabel =
  /^(?:(?:your |full )?(?:full )?name|(?:ihr |dein )?(?:vor- und nachname|name)|(?:votre )?(?:nom(?: et prénom)?|prénom et nom)|(?:tu )?nombre(?: completo| y apellidos?)?|(?:il tuo )?nome(?: e cognome)?|(?:seu )?nome(?: completo)?|(?:je |uw |jouw )?naam|ad(?:ınız)?(?: ve)?(?: soyad(?:ınız)?)?|(?:ваше )?(?:имя|ім['’ʼ]я)|фио|піб|(?:ditt |dit )?(?:namn|navn)|(?:för- och efternamn|for- og etternavn|for- og efternavn)|nimi|imię i nazwisko|(?:vaše )?(?:jméno(?: a příjmení)?|ime(?: i prezime)?)|(?:teljes )?név|nume(?: și prenume)?|[οό]νομα(?:τεπώνυμο)?|الاسم(?: الكامل)?|お名前|氏名|이름|성함|성명|姓名)[\s:*.…]*$/iu

const phoneLabel =
  /^(?:(?:your |ihre |votre |tu |su |il tuo |seu |je |uw |ваш )?(?:(?:tele)?phone(?: number)?|mobile(?: number)?|telefon(?:nummer|numarası|numaranız|szám|ní číslo)?|(?:numéro de )?téléphone|(?:número de )?teléfono|(?:numero di )?telefono|(?:número de )?telefone|telefoon(?:nummer)?|numer telefonu|τηλ[εέ]φωνο)|(?:номер )?телефона?|رقم (?:الهاتف|الجوال)|電話番号|전화번호|电话|手机号)[\s:*.…]*$/iu

const mailLabel =
  /^(?:(?:your |ihre |votre |tu |su |la tua |seu |je |uw |ваш )?e-?(?:mail|posta)(?:[ -]?(?:address|adresse|adres|adresi|adresiniz))?|(?:adresse|indirizzo|dirección de|endereço de) e-?mail|correo electrónico|электронная почта|البريد الإلكتروني|メールアドレス|이메일|邮箱)[\s:*.…]*$/iu

const givenNames: ReadonlySet<string> = new Set(['firstname', 'fname', 'vorname', 'prenom'])
const surnames: ReadonlySet<string> = new Set(
  'lastname lname surname nachname cognome achternaam soyad apellido apellidos'.split(' '),
)

const ownName: ReadonlySet<string> = new Set(
  'name nom nome nombre naam namn navn nimi imie jmeno isim adsoyad'.split(' '),
)

/** A field whose name has any other word is not for a person's name: a company, a file, a user. */
const beforeName: ReadonlySet<string> = new Set(
  'name nom nome nombre naam namn navn nimi imie jmeno isim adsoyad first last full your given family customer contact kontakt billing shipping booking appointment termin request anfrage inquiry form field input the my'.split(
    ' ',
  ),
)

/** The field is the last token. A section, an address type and a contact type may precede it. */
function isValid(autocomplete: string): boolean {
  const tokens = autocomplete.toLowerCase().split(/\s+/)
  const field = tokens.at(-1) === 'webauthn' ? tokens.at(-2) : tokens.at(-1)
  return field !== undefined && autofillFields.has(field)
}

/** As the owner knows it: by its name in the markup, else by the words beside it. */
function nameOf({ node, label }: { readonly node: Element; readonly label: string }): string {
  const isNamed = attributeOf(node, 'name') !== '' || attributeOf(node, 'id') !== ''
  return isNamed || label === '' ? describeInput(node) : `the field "${shown(label, 60)}"`
}

function describeInput(input: Element): string {
  return shown(startTag(input, ['type', 'name', 'id', 'autocomplete'], { maxLength: 40 }), 160)
}
