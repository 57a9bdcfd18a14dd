/** The amounts in a text that may be prices: all but those that were given or raised. */
export function pricesIn(text: string, maxPrices: number): readonly string[] {
  return find(text, maxPrices, (match) => !isGrant(match))
}

/**
 * Amounts of money in a text, in every currency that sites use: "$29", "29,90 €", "3.000 TL", "1,980円",
 * "٥٠ ريال", "USD 40". A check that knew the signs of Europe and America alone would report that a Japanese
 * price list has no prices. Turnovers ("$5 million") are no prices and are left out.
 */
export function amountsIn(text: string, maxAmounts: number): readonly string[] {
  return find(text, maxAmounts, () => true)
}

function find(
  text: string,
  maxAmounts: number,
  isWanted: (match: RegExpMatchArray) => boolean,
): readonly string[] {
  const amounts: string[] = []
  for (const match of withoutFormulas(text.slice(0, maxCharacters)).matchAll(amount)) {
    if (
      isVersion(match[0]) ||
      isWord(match[0]) ||
      isCapital(match) ||
      !isWanted(match) ||
      isName(match[0]) ||
      isPostcode(match)
    )
      continue
    amounts.push(match[0].trim())
    if (amounts.length >= maxAmounts) break
  }
  return amounts
}

/** "40, 2023 Lei": the name of an author behind a year. */
function isName(amount: string): boolean {
  return /(?:^|\s)(?:19|20)\d{2}\s(?:Lei|Din)$/.test(amount.trim())
}

/** "Hoofdstraat 57, 3991 KR Houten": Dutch postcodes end in two letters, and a town follows. */
function isPostcode({ 0: amount, input, index }: RegExpMatchArray): boolean {
  if (!/^[1-9]\d{3} (?:KR|TL)$/.test(amount) || input === undefined || index === undefined) return false
  const hasTown = /^,? \p{Lu}\p{L}/u.test(input.slice(index + amount.length))
  return hasTown && (amount.endsWith('KR') || /\p{L}{2} \d{1,4} ?\p{L}?,? $/u.test(input.slice(0, index)))
}

/** The capital of a firm, which the law has it name: "SAS au capital de 34 000 €". */
function isCapital({ input, index }: RegExpMatchArray): boolean {
  return /(?:capital(?: social)?(?: variable)?|share capital|stammkapital|grundkapital|capitale sociale|kapitał zakładowy|capital|資本金|资本金|注册资本|註冊資本|자본금|年商|売上高|総資産|純資産|매출액)(?: (?:de|von|of|i\.v\.|pari a|w wysokości))?\s?[:：]?\s{0,2}(?:[\d,.]{1,9}[億亿억]\s?)?$/iu.test(
    (input ?? '').slice(Math.max(0, (index ?? 0) - 60), index),
  )
}

/** "Over $100,000 in research grants": what was given, and not a price. */
function isGrant({ 0: amount, input, index }: RegExpMatchArray): boolean {
  if (input === undefined || index === undefined) return false
  return (
    /^(?:を|の|로|의| )?(?:資金調達|調達|助成|出資|増資|投资(?!咨询|顾问)|融资(?!咨询|顾问)|融資を(?:受|実行|獲得)|투자(?:를)? ?유치)/u.test(
      input.slice(index + amount.length, index + amount.length + 14),
    ) ||
    /^\+?\s(?:in|of|für|en|an)\s(?:\p{L}{2,15} ){0,2}(?:grants?|funding|donations?|awards?|scholarships?|prizes?|fördermitteln?|spenden|subventions?|dons)(?!\p{L})/iu.test(
      input.slice(index + amount.length, index + amount.length + 60),
    ) ||
    /(?:raised|awarded|donated)(?: (?:over|more than|about|nearly))? $/iu.test(
      input.slice(Math.max(0, index - 30), index),
    )
  )
}

const maxCharacters = 200_000

/** TeX writes formulas between dollar signs: "$\\theta = 0$", "$x_5$". They begin with a letter or have its marks. */
function withoutFormulas(text: string): string {
  return text.replace(/\$(?:[A-Za-z\\(|][^$\n]{0,200}|[^$\n]{1,200}[\\^_{}][^$\n]{0,200})\$/g, ' ')
}

/**
 * A code is written in capitals: "#5 Try" begins a word. Codes that are also abbreviations of other things need the form
 * of a sum or a sign of a currency: "COP 51798" is a dentist's number in the Colegio Odontológico del Perú.
 */
function isWord(amount: string): boolean {
  const [code = ''] = /[A-Za-z]{3}/.exec(amount) ?? []
  // "18363 DIN" is a norm.
  if (code === 'DIN') return true
  if (!isoCode.test(code)) return false
  if (code !== code.toUpperCase()) return !/^(?:eur|usd|chf|gbp)$/i.test(code)
  return (
    ambiguous.has(code) &&
    !/[$€£₱₺₽]/.test(amount) &&
    (!/\d[.,'’ \u00a0]\d{3}(?!\d)|\d[.,]\d{2}(?!\d)/.test(amount) || /\d[A-Z]|[A-Z]\d/.test(amount))
  )
}

const ambiguous: ReadonlySet<string> = new Set([
  'COP',
  'TRY',
  'PHP',
  'PEN',
  'GEL',
  'AMD',
  'RON',
  'ARS',
  'CUP',
  'KES',
])

/** "PHP 8" and "PHP 8.3" are a language, "S/4HANA" is a program, and "RS232" and "RS-485" are plugs. */
function isVersion(amount: string): boolean {
  return /^(?:PHP\s?\d(?:\.\d{1,2}){0,2}|S\/\d|RS\s?(?:232|422|423|485))$/i.test(amount.trim())
}

/** Before or after the number. */
const signs = '(?:US|CA|AU|NZ|HK|NT|SG|MX|R)?\\$|[€£¥￥₹₩₺₽₴₪₫฿₱₦₡₲₸₼₾₵₨៛₭]'

/** ISO 4217: the currencies of most sites. */
const codes =
  'USD|EUR|GBP|CHF|CAD|AUD|NZD|JPY|CNY|RMB|KRW|INR|RUB|RUR|UAH|TRY|TL|BRL|MXN|ARS|CLP|COP|PEN|PLN|CZK|HUF|RON|BGN|SEK|NOK|DKK|ISK|ILS|AED|SAR|QAR|KWD|BHD|OMR|JOD|EGP|MAD|TND|DZD|ZAR|NGN|KES|GHS|SGD|HKD|TWD|THB|MYR|IDR|PHP|VND|PKR|BDT|LKR|KZT|GEL|AMD|AZN|UZS|RSD|UGX|TZS|XOF|XAF|FCFA|PAB|DOP|GMD|USDC|BTC'

const isoCode = new RegExp(`^(?:${codes})$`, 'i')

/** Before the number only, as a word of its own. "D 5,000" are dalasi. */
const before = 'D(?=\\s?\\d{1,3},\\d{3})|Fr\\.|[GB]s\\.?|C\\$|Rs\\.?|Rp|RM|S/\\.?|B/\\.|kr\\.?|KSh\\.?'

/** After the number only. Words may be inflected. */
const after =
  'Gs\\.?|guaran[ií]es|bol[ií]vares|quetzales|lempiras|balboas|F\\s?CFA|円|圓|圆|元|원|만원|천원|万円|萬元|zł(?:ot(?:y|e|ych))?|kr(?:onor|oner|ón)?|Kč|korun[ay]?|forint|Ft|lei|лв|din|euros?|eur|dollars?|pounds?|yen|yuan|francs?|' +
  'franken|lira|liras?ı?|руб(?:л(?:ь|я|ей|ях))?|р|грн|гривен|тенге|reais|pesos?|ريالا?ً?|ر\\.س|درهما?ً?|جنيها?ً?|' +
  'دينارا?ً?|دولارا?ً?|ليرة|يورو|บาท|đồng|đ|rupees?|ruppees|تومان|ש"ח'

const digits = '[\\d٠-٩۰-۹０-９]'
/** A blank stands before three digits only: "18,0 32,00 €" are two cells of a table. */
const number = `${digits}(?:(?:[\\d٠-٩۰-۹０-９.,，'’´٬٫]|[ \\u00a0\\u202f](?=${digits}{3}(?!${digits}))|(?<=,) (?=${digits}{2} ?€)){0,14}${digits})?`

const amount = new RegExp(
  `(?:(?:(?<![\\p{L}\\d/_.])(?:${codes}|${before})|${signs})\\s?${number}(?:,-|\\.-)?|` +
    `(?<![\\d.,٠-٩])${number}(?:,-|\\.-|,–|,—)?\\s?(?:${signs}|(?:${after})(?![\\p{L}\\d_])|円|元|원|万円|만원|천원)|` +
    // "Cafe24 PHP" names a host and a language. A sign of a currency may follow a number that sticks to a word.
    `(?<![\\d.,٠-٩_]|\\p{Script=Latin})${number}(?:,-|\\.-|,–|,—)?\\s?(?:${codes})(?![\\p{L}\\d_]))` +
    '(?![.,’٬]?[\\d٠-٩０-９])(?!\\s?(?:million|billion|trillion|bn|mio|mrd|millionen|milliarden|millions|milliards|millones|milioni|miljoen|миллион|млн|млрд|億|亿|억|兆|M\\b|B\\b))',
  'giu',
)
