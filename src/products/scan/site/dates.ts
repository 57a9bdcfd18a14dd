/**
 * Dates as websites write them. JavaScript's own parser guesses, and reads a date without a zone in the zone
 * of the machine, so the same page would be fresh on one machine and stale on another. Here such a date is
 * UTC.
 */

/**
 * Reads a machine-readable date: ISO 8601 (also without a day) or the form of RFC 822.
 * @returns Unix milliseconds; undefined when it is not a date.
 */
export function readDate(text: string): number | undefined {
  const line = text.trim().slice(0, 64)
  const iso =
    /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      line,
    )
  if (iso) {
    const [, year, month, day, hour, minute, second, zone] = iso
    return instant({ year, month: Number(month), day: day ?? '1', hour, minute, second, zone })
  }
  const mail =
    /^(?:[a-z]{3,9},?\s)?(\d{1,2})\s([a-z]{3,9})\s(\d{4})(?:\s(\d{2}):(\d{2})(?::(\d{2}))?\s?([a-z]{1,5}|[+-]\d{4})?)?$/i.exec(
      line,
    )
  if (mail) {
    const [, day, name, year, hour, minute, second, zone] = mail
    return instant({ year, month: monthNamed(name), day, hour, minute, second, zone })
  }
  return undefined
}

/**
 * Finds the days in a text for readers, in order: "17 November 2026", "Nov 17, 2026", "17.11.2026",
 * "2026-11-17", "2026.11.17", "2026年11月17日", "17/11/2026", "11/17/2026". "11/12/2026" is skipped, because it is one day in
 * Europe and another in America. "03.04.25" may be the number of a version or a chapter, so it has to begin the text or
 * stand behind a word for a date.
 * @returns Unix milliseconds.
 */
export function datesIn(text: string, maxDates = 20): readonly number[] {
  const dates: number[] = []
  for (const match of text.matchAll(written)) {
    if (dates.length >= maxDates) break
    const { y1, m1, d1, d2, m2, y2, d3, n3, y3, n4, d4, y4, y5, m5, d5, m6, d6, a7, b7, y7 } =
      match.groups ?? {}
    const { era, e8, m8, d8, d9, m9, y9 } = match.groups ?? {}
    const date =
      instant({ year: y1, month: Number(m1), day: d1 }) ??
      instant({ year: y2, month: Number(m2), day: d2 }) ??
      instant({ year: y3, month: monthNamed(n3), day: d3 }) ??
      instant({ year: y4, month: monthNamed(n4), day: d4 }) ??
      instant({ year: y5, month: Number(m5 ?? m6), day: d5 ?? d6 }) ??
      instant({ year: y7, ...betweenSlashes(a7, b7) }) ??
      instant({ year: yearOfEra(era, e8), month: Number(m8), day: d8 }) ??
      instant({ year: y9 === undefined ? undefined : `20${y9}`, month: Number(m9), day: d9 })
    if (date !== undefined) dates.push(date)
  }
  return dates
}

/** 2025 of "令和7": the years of a reign are counted from its first one, which may be written 元. */
function yearOfEra(era: string | undefined, year = ''): string | undefined {
  if (era === undefined) return undefined
  return String((era === '令和' ? 2018 : 1988) + (year === '元' ? 1 : Number(year)))
}

/** Only a number above 12 tells the day from the month. */
function betweenSlashes(one = '', other = ''): Pick<DateParts, 'month' | 'day'> {
  if (Number(one) > 12) return { month: Number(other), day: one }
  return { month: Number(other) > 12 || one === other ? Number(one) : 0, day: other }
}

/** 2026-11-17 */
export function dayOf(date: number): string {
  return new Date(date).toISOString().slice(0, 10)
}

export const dayMs = 24 * 60 * 60 * 1_000

/** Whole days from a date until now; negative for a future date. */
export function daysSince(date: number, now: number): number {
  return Math.floor((now - date) / dayMs)
}

const written =
  /(?<![\d.])(?:(?<y1>\d{4})-(?<m1>\d{2})-(?<d1>\d{2})|(?<d2>\d{1,2})\.\s?(?<m2>\d{1,2})\.\s?(?<y2>\d{4})|(?<d3>\d{1,2})(?:st|nd|rd|th|er|[.°º])?\s(?:de\s)?(?<n3>\p{L}{3,12})\.?,?\s(?:del?\s)?(?<y3>\d{4}))(?!\.?\d)|(?<![\d./])(?<y5>\d{4})(?:(?<sign>[./])\s?(?<m5>\d{1,2})\k<sign>\s?(?<d5>\d{1,2})(?![./]?\d)|[年년]\s?(?<m6>\d{1,2})[月월]\s?(?<d6>\d{1,2})[日일])|(?<!\p{L})(?<n4>\p{L}{3,12})\.?\s(?<d4>\d{1,2})(?:st|nd|rd|th)?,?\s(?<y4>\d{4})(?!\.?\d)|(?<![\d./])(?<a7>\d{1,2})\/(?<b7>\d{1,2})\/(?<y7>\d{4})(?![./]?\d)|(?<era>令和|平成)(?<e8>\d{1,2}|元)年\s?(?<m8>\d{1,2})月\s?(?<d8>\d{1,2})日|(?<=^\s{0,3}|[|·•]\s|(?<!\p{L})(?:vom|am|[Ss]tand|[Dd]atum|[Aa]ktualisiert|le|il|del|dnia)\s?:?\s)(?<d9>\d{2})\.(?<m9>\d{2})\.(?<y9>\d{2})(?![\d.:])/gu

/** The months of a dozen languages. Three letters or more of a name stand for it. */
const monthNames: readonly string[] = [
  'january januar jänner janvier enero gennaio janeiro januari ianuarie ocak января stycznia styczeń',
  'february februar feber février fevrier febrero febbraio fevereiro februari februarie şubat февраля lutego luty',
  'march märz maerz mrz mars marzo março marco maart marts martie mart maret març марта marca marzec',
  'april avril abril aprile aprilie nisan апреля kwietnia kwiecień',
  'may mai mayo maggio maio mei maj mayıs мая maja',
  'june juni juin junio giugno junho iunie juny haziran июня czerwca czerwiec',
  'july juli juillet julio luglio julho iulie juliol temmuz июля lipca lipiec',
  'august août aout agosto augustus augusti ağustos agost августа sierpnia sierpień',
  'september sept septembre septiembre setiembre settembre setembro septembrie setembre eylül сентября września wrzesień',
  'october oktober octobre octubre ottobre outubro octombrie ekim октября października październik',
  'november novembre noviembre novembro noiembrie kasım ноября listopada',
  'december dezember décembre decembre diciembre dicembre dezembro decembrie desember aralık декабря grudnia grudzień',
]
const months = monthNames.map((line) => folded(line).split(' '))

/** The name of a month, as a part of an expression. Of short forms only those are here that are no other words. */
export const monthName = String.raw`(?:${monthNames.join(' ').split(' ').join('|')}|(?:jan|feb|apr|jun|jul|aug|sep|oct|okt|nov|dec|dez)\.?)(?!\p{L})`

/** "EKİM" and "ARALIK" in small letters, whose two forms of i only Turkish tells apart. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('ı', 'i').replaceAll('\u0307', '')
}

/** 1 to 12; 0 for a word that is not a month. */
function monthNamed(name: string | undefined): number {
  const word = folded(name ?? '')
  return word.length < 3 ? 0 : months.findIndex((names) => names.some((one) => one.startsWith(word))) + 1
}

interface DateParts {
  readonly year: string | undefined
  readonly month: number
  readonly day: string | undefined
  readonly hour?: string | undefined
  readonly minute?: string | undefined
  readonly second?: string | undefined
  readonly zone?: string | undefined
}

/** @returns undefined for days that do not exist and for years outside 1990 to 2200. */
function instant(parts: DateParts): number | undefined {
  const year = Number(parts.year)
  const day = Number(parts.day)
  if (!(year >= 1990 && year <= 2200)) return undefined
  const midnight = new Date(Date.UTC(year, parts.month - 1, day))
  if (midnight.getUTCMonth() !== parts.month - 1 || midnight.getUTCDate() !== day) return undefined
  const minutes = Number(parts.hour ?? 0) * 60 + Number(parts.minute ?? 0) - offsetMinutes(parts.zone)
  return midnight.getTime() + minutes * 60_000 + Number(parts.second ?? 0) * 1_000
}

function offsetMinutes(zone: string | undefined): number {
  const numbers = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '')
  if (!numbers) return (americanZones[(zone ?? '').toUpperCase()] ?? 0) * 60
  const minutes = Number(numbers[2]) * 60 + Number(numbers[3])
  return numbers[1] === '-' ? -minutes : minutes
}

/** The named zones of RFC 822. All other names count as UTC. */
const americanZones: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
}
