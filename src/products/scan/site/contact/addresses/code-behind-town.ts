export interface TownWithCode {
  readonly addressLocality: string
  /** "WA", "ON", "NSW": the state or province. Great Britain writes none. */
  readonly addressRegion?: string
  readonly postalCode: string
  /** What stands before the town in the line, without the comma. */
  readonly before: string
}

/**
 * Reads a town with the postal code behind it at the end of a line: "Kirkland, WA 98033", "Toronto, ON M5V 2T6",
 * "Perth WA 6000", "London SW1A 1AA". The state has to be one of the country, because two capitals and five digits can be
 * a number of a register.
 */
export function townBeforeCode(line: string): TownWithCode | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(line)
    const { town, region, code } = found?.groups ?? {}
    if (found === null || town === undefined || code === undefined) continue
    return {
      addressLocality: town,
      ...(region !== undefined && { addressRegion: region }),
      postalCode: code,
      before: line.slice(0, found.index).replace(/[\s,·|]{1,3}$/, ''),
    }
  }
  return undefined
}

/**
 * A street of these countries begins with its number: "10900 NE 8th St", "500-502 Pine St #4". The number may also count
 * something: "24 Hour Service", "12 May".
 */
export function isNumberedStreet(text: string): boolean {
  return numbered.test(text) && !counts.test(text) && !/ (?:19|20)\d{2}$/.test(text)
}

/** "Suite 200", which belongs to the street before it. */
export function isUnit(text: string): boolean {
  return /^(?:(?:suite|ste\.?|unit|apt\.?|floor|level|room) |#) ?[\dA-Z][\dA-Z-]{0,5}$|^\d{1,2}(?:st|nd|rd|th) floor$/i.test(
    text,
  )
}

const states =
  'A[KLRZ]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]|' +
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|' +
  'Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|' +
  'Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|' +
  'Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|' +
  'West Virginia|Wisconsin|Wyoming'
const provinces =
  'ON|QC|BC|AB|MB|SK|NS|NB|NL|PE|YT|NT|NU|Ontario|Qu[eé]bec|British Columbia|Alberta|Manitoba|Saskatchewan|Nova Scotia|' +
  'New Brunswick|Newfoundland and Labrador|Prince Edward Island|Yukon|Nunavut'

/** The forms that end a line of an address; the texts of pages, whose lines are joined, have them in the middle. */
export const codes = {
  canadian: String.raw`[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d`,
  canadianRegion: provinces,
  australianRegion: 'NSW|VIC|QLD|WA|SA|TAS|ACT|NT',
  british: String.raw`[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}`,
}

const town = String.raw`(?:(?<=[,·|] ?)|^)(?<town>\p{Lu}[\p{L}'’.-]{1,30}(?: [\p{L}'’.-]{1,30}){0,3}?)`
const country =
  '(?:[,.]? (?:USA|U\\.S\\.A\\.|US|United States(?: of America)?|Canada|Australia|UK|United Kingdom|Great Britain|England|Scotland|Wales|Northern Ireland))?\\.?$'

const patterns: readonly RegExp[] = [
  String.raw`,? (?<region>${states}),? {1,2}(?<code>\d{5}(?:-\d{4})?)`,
  String.raw`,? \(?(?<region>${provinces})\)?,? {1,2}(?<code>${codes.canadian})`,
  String.raw`,? (?<region>${codes.australianRegion}),? {1,2}(?<code>\d{4})`,
  `,? {1,2}(?<code>${codes.british})`,
].map((rest) => new RegExp(`${town}${rest}${country}`, 'u'))

const numbered =
  /^\d{1,5}(?: ?[/–-] ?\d{1,5})?[a-zA-Z]?,?(?: (?:\p{Lu}[\p{L}'’.-]*|\p{Ll}{2,3}|\d{1,3}(?:st|nd|rd|th)|\d{1,4})){1,5}\.?(?: #\d{1,4}[A-Z]?)?$/u

const counts =
  /^\d{1,5}\+?(?:st|nd|rd|th)?,? (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|(?:january|february|march|april|august|september|october|november|december)|hours?|hrs?|days?|weeks?|months?|years?|mins?|minutes?|am|pm|happy|locations?|stores?|reviews?|stars?|rooms?|seats?|people|customers?|clients?|projects?|guests?|awards?|miles?)(?!\p{L})/iu
