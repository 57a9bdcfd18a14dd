import { type Statement, withoutClosedDays } from './closed-days.ts'
import {
  and,
  dayOf,
  daysNamed,
  daysOf,
  daysThen,
  from,
  fullName,
  half,
  name,
  span,
  time,
  until,
  withPlainDays,
} from './days-and-times.ts'
import { withKnownDays } from './days-of-languages.ts'
import {
  closed,
  dateAtEnd,
  hasException,
  monthNext,
  ofElse,
  ofSeason,
  onSomeOfThem,
  onSomeOfThemBehind,
  withSigns,
} from './hours-with-exceptions.ts'

/**
 * Reads the opening hours that a text states, and writes them as schema.org does: `Mo-Sa 08:00-18:00`. Only plain
 * statements are read: days, then a time from and a time to. All of them are read or none: hours from which one day or
 * one afternoon is missing tell customers that the door is closed then.
 * @returns undefined when the text states none, `partly` when some of it could not be read.
 */
export function openingHoursIn(text: string): readonly string[] | 'partly' | undefined {
  const written = withMinutes(
    parted(
      withPlainDays(
        withKnownDays(
          withCyrillicDays(
            text.slice(0, 50_000).replace(inBrackets, ' $1 ').replace(daysBehind, ' $<days> $<times> '),
          ),
        ),
      ),
    ),
  )
  const read = withoutHalves(written)
  if (unknownDay.test(read) || hasException(read)) return 'partly'
  const stated: Statement[] = []
  let rest = ''
  let end = 0
  let ofOthers: readonly string[] = []
  let isPassedOver = false
  for (const { 0: whole, groups: { named = '', times = '' } = {}, index } of read.matchAll(statement)) {
    const gap = read.slice(end, index)
    const before = read.slice(Math.max(0, index - 120), index)
    rest += `${gap}\n`
    end = index + whole.length
    const days = daysOf(named)
    if (ofElse.test(before) || (goesOn.test(gap) && areFurther(daysNamed(days), ofOthers))) {
      ofOthers = [...ofOthers, ...daysNamed(days)]
      continue
    }
    ofOthers = []
    if (dateAtEnd.test(before)) continue
    const behind = read.slice(end, end + 80)
    // "Open Monday 13 - 17 May"
    if (bareNumber.test(whole) && monthNext.test(behind)) {
      isPassedOver = true
      continue
    }
    if (onlySometimes(withSigns(before), withSigns(behind))) return 'partly'
    // Another day before these, or another time behind them, joined in a way that is not known, would be left out.
    if (dayAtEnd.test(before.slice(-30)) || timeNext.test(behind.slice(0, 16))) return 'partly'
    if (spanBehindBreak.test(behind)) return 'partly'
    if (isJoined(behind) || (/h$/i.test(whole) && minutesOrElse.test(behind))) return 'partly'
    if (unknownNext.test(behind) && !statementNext.test(behind)) return 'partly'
    const spans = spansIn(times)
    if (spans === undefined) return 'partly'
    stated.push({ days, spans, index, end })
  }
  const open = linesOf(stated).length > maxStatements ? 'partly' : withoutClosedDays(read, stated)
  if (open === 'partly') return 'partly'
  const found = linesOf(open)
  const left = withoutKnownEnds(rest + read.slice(end), found)
  if (dayWithTime.test(left) || dayWithSpan.test(left) || someDays.test(left)) return 'partly'
  if (read !== written && openHalf.test(left)) return 'partly'
  if (found.length === 0) return isPassedOver ? 'partly' : undefined
  return withoutBreak(withoutParts(found), read)
}

function onlySometimes(before: string, behind: string): boolean {
  return ofSeason.test(before) || onSomeOfThem.test(before) || onSomeOfThemBehind.test(behind)
}

/** `09:00-12:00` and `14:00-18:00` of "9–12 und 14–18 Uhr"; undefined where one cannot be read. */
function spansIn(times: string): readonly string[] | undefined {
  const spans: string[] = []
  let earlier: string | undefined
  for (const [, from = '', to = ''] of times.matchAll(fromTo)) {
    const closes = timeOf(to, to)
    const opens = timeOf(from, to) ?? openingBetween(earlier, from, closes)
    earlier = closes
    if (opens === undefined || closes === undefined || opens >= closes) return undefined
    // On a twelve-hour clock "1:00 - 5:00" means the afternoon, and the page does not say so.
    if (closes <= '07:00' && !/^0|[ap]\.?m/i.test(to)) return undefined
    spans.push(`${opens}-${closes}`)
  }
  return spans
}

function linesOf(stated: readonly Statement[]): readonly string[] {
  return [...new Set(stated.flatMap(({ days, spans }) => spans.map((one) => `${days} ${one}`)))]
}

/** "Fr 8–11" of "Hotline: Mo–Do 8–12, Fr 8–11" is of the hotline, too. A day that was named before begins other hours. */
function areFurther(days: readonly string[], ofOthers: readonly string[]): boolean {
  return ofOthers.length > 0 && !days.some((day) => ofOthers.includes(day))
}

const goesOn = /^(?:\suhr|\sh)?[\s,;|·•/&]{0,4}(?:(?:and|und|et|y|e|en)\s)?$/iu
const bareNumber = /(?<![:.h\d])\d{1,2}$/iu

/** "Closed for lunch 13:00-14:00" ends each span before it, and begins another one. */
function withoutBreak(hours: readonly string[], text: string): readonly string[] {
  const [, from = '', to = ''] = lunchBreak.exec(text) ?? []
  const [start, end] = [timeOf(from, to), timeOf(to, to)]
  if (start === undefined || end === undefined || start >= end) return hours
  return hours.flatMap((line) => {
    const [named = '', opens = '', closes = ''] = line.split(/[ ]|-(?=\d)/)
    return opens < start && end < closes
      ? [`${named} ${opens}-${start}`, `${named} ${end}-${closes}`]
      : [line]
  })
}

/**
 * "5" of "10am to 1.30pm, 5 to 8.30pm": of morning and evening the one that lies between the hour of closing before and the
 * one behind.
 */
function openingBetween(
  earlier: string | undefined,
  from: string,
  closes: string | undefined,
): string | undefined {
  if (earlier === undefined || closes === undefined) return undefined
  const [only, other] = ['am', 'pm']
    .map((half) => timeOf(`${from} ${half}`, half))
    .filter((opens) => opens !== undefined && earlier < opens && opens < closes)
  return other === undefined ? only : undefined
}

/** "10am to 1.30pm, 5 to 8.30pm (Mon - Sat)": the days stand behind, in brackets. */
const daysBehind =
  /(?<times>(?:\d{1,2}(?:[.:]\d{2})?\s?(?:[ap]m)?\s?(?:to|[-–])\s?\d{1,2}(?:[.:]\d{2})?\s?[ap]m(?:,\s?|\s(?:and|&)\s)?){1,3})\s?\((?<days>(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}(?:\s?(?:to|[-–])\s?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6})?)\)/gi

/** "Tuesday - Saturday (9:00am - 5:00pm)" */
const inBrackets =
  /[(（]\s{0,3}(\d{1,2}[:.h]?\d{0,2}\s?(?:[ap]\.?m\.?)?\s?[-–—]\s?\d{1,2}[:.h]?\d{0,2}\s?(?:[ap]\.?m\.?|uhr|h)?)\s{0,3}[)）]/gi

/** "Tuesdays until 18:30" says nothing more beside "Tu 15:00-18:30". */
function withoutKnownEnds(text: string, hours: readonly string[]): string {
  return text.replace(dayUntil, (whole, day: string, end: string) => {
    const isKnown = hours.some((one) => {
      const [named = '', span = ''] = one.split(' ')
      return daysNamed(named).includes(dayOf(day)) && span.endsWith(`-${timeOf(end, end)}`)
    })
    return isKnown ? ' ' : whole
  })
}

/**
 * "14h – 19h30" of "14h – 19h 30". Each span of time in an expression would else have to look for what may stand behind the
 * minutes, and the engine took two seconds to compile those expressions.
 */
function withMinutes(text: string): string {
  return text.replace(spacedMinutes, '$1')
}

/** "Montag08:00": day and time stand in elements of their own, without a space between them. */
function parted(text: string): string {
  return text.replace(/(?<=\p{L}{3})(?=\d{1,2}[:.]\d{2})|(?<=\d[:.]\d{2})(?=\p{Lu}\p{Ll}{2})/gu, ' ')
}

/** "Cб" with a Latin C, as a keyboard of two scripts writes it. */
function withCyrillicDays(text: string): string {
  return text.replace(/(?<!\p{L})\p{L}{2,12}(?!\p{L})/gu, (word) =>
    /\p{Script=Cyrillic}/u.test(word) && /\p{Script=Latin}/u.test(word)
      ? word.replace(/[ABCEHKMOPTXaceopxy]/g, (letter) => cyrillic[latin.indexOf(letter)] ?? letter)
      : word,
  )
}

const latin = 'ABCEHKMOPTXaceopxy'
const cyrillic = 'АВСЕНКМОРТХасеорху'

/** "Su 10:00-16:00" beside "Sa-Su 10:00-16:00" says nothing more. */
function withoutParts(hours: readonly string[]): string[] {
  return hours.filter((one, place) => {
    const [named, span] = one.split(' ')
    return !hours.some((other, at) => {
      const [all, same] = other.split(' ')
      if (at === place || same !== span) return false
      const [inner, outer] = [daysNamed(named ?? ''), daysNamed(all ?? '')]
      return inner.every((day) => outer.includes(day)) && (inner.length < outer.length || at < place)
    })
  })
}

const maxStatements = 14

/** The lines of a page are joined, so the "30" of "14h – 19h 30 avenue Lind" and of "19h 04 78 …" is no minute. */
const minutes = String.raw`[0-5]\d(?![\d]|[\s./-]\d{2}(?!\d|\s?h)|(?:\s?[-–/]\s?\d{1,3})?(?:\s?(?:bis|ter))?[\s,]{1,3}(?!h(?!\p{L})|heures|horas|(?:le |les |du )?${name}(?!\p{L})|${until}\d|${and}${from}?\d)\p{L})`
const spacedMinutes = new RegExp(String.raw`(?<!\d)(\d{1,2}\s?h)\s(?=${minutes})`, 'giu')

/**
 * A day, a word as short as an abbreviation of one in another language ("Pn - Fr"), or any word that a word of a range
 * joins to the day behind it ("Maanantai to Sat").
 */
const dayAtEnd = new RegExp(
  String.raw`(?<!\p{L})(?:${name}[^\p{L}\p{N}]{1,4}|(?<![\p{L}\d])\p{Lu}\p{L},\s?|\p{L}{1,3}(?:\.|(?!\p{L}))${until}|\p{L}{1,20}\.?\s(?:to|till|until|through|bis|às|à|até|ao|au|a|al|tot|do|до|по)\s)$`,
  'iu',
)
const timeNext =
  /^(?:\s(?:or|oder|ou|oppure|of|или)\s|[^\p{L}\p{N}]{0,6})\d{1,2}(?:[:.]\d{2}|\s?h(?!\p{L})|\s?[ap]\.?m(?!\p{L})|\s?[-–]\s?\d{1,2}(?:\s?(?:[ap]\.?m|uhr|h)(?!\p{L})))/iu
/**
 * A day as a language writes it whose other short forms mean another day here: "Lu-Ve", "Gi 9-12", "Po-Pá". Beside it, "Ma"
 * is a Tuesday, "Do" a Sunday, and "So" a Saturday.
 */
const unknownDay = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:Lu|Je|Ve|Gi|Po|Út|Čt|Pá|Št|Pi)\.?(?:${until}\p{Lu}[\p{L}]\.?)?(?:\s{0,2}[,:]\s{0,2}|\s{1,3})${time}${until}${time}(?!\d)`,
  'u',
)
/** A day with a time that no statement holds: "Tues from 1pm", "Wed morning 9:30". A date such as "Sa 12.10." is none. */
const dayWithTime = new RegExp(
  String.raw`(?<!\p{L})${name}\.?(?!\p{L})[^\p{L}\p{N}]{0,6}(?:\p{L}{1,12}\.?[^\p{L}\p{N}]{1,4})?\d{1,2}(?:[:h]\d{2}(?!\d)|\.\d{2}(?![\d.])|\s?(?:h|uhr|u|uur|[ap]\.?m)(?!\p{L})|\s?[-–]\s?\d{1,2}(?![\d.]))`,
  'iu',
)
/** "Samstag im Monat 9:00–13:00", "samedi un sur deux 9h–12h" */
const dayWithSpan = new RegExp(
  String.raw`(?<!\p{L})(?:${fullName}|${name}(?=\.?\s?\())\.?(?!\p{L})[^\p{L}\p{N}.!?]{0,4}(?:(?!(?:${closed}|${name})(?!\p{L}))\p{L}{1,14}[^\p{L}\p{N}.!?]{1,3}){2,4}(?:${from}|(?=\d{1,2}(?:[:.]\d|\s?h|\s?[-–]\s?\d{1,2}\s?(?:uhr|h|[ap]\.?m)(?!\p{L}))))${span}`,
  'iu',
)
/** Of these, each business knows whether Saturday is one: "werktags 8–18 Uhr". */
const someDays =
  /(?<!\p{L})(?:werktags|wochentags|(?:en|la) semaine|(?:días )?laborables|(?:giorni )?feriali)[\s:,–-]{1,4}(?:\p{L}{1,6}\s)?\d{1,2}\s?(?:[:.h]\d{2}|h|uhr|[-–])/iu
const dayUntil = new RegExp(
  String.raw`(?<!\p{L})(${name})\.?s?\s(?:until|till|to|bis|jusqu.à|hasta las|fino alle|até as|tot)\s(${time})(?!\d)`,
  'giu',
)
const fromTo = new RegExp(String.raw`(${time})${until}(${time})(?!\d)`, 'giu')

const lunchBreak = new RegExp(
  String.raw`(?<!\p{L})(?:closed (?:for|at|over|during) lunch|lunch(?:time)? (?:break|closure)|mittagspause|mittags geschlossen|pause (?:de midi|déjeuner|méridienne)|fermé le midi|pausa (?:pranzo|para (?:almorzar|almoço)|de almoço)|cerrado a mediodía|middagpauze|lunchpauze|öğle (?:arası|molası)|обеденный перерыв|перерыв на обед|przerwa obiadowa)(?!\p{L})[\s:,(–-]{0,4}(?:(?:from|between|von|de|dalle|van|с)\s)?(${time})${until}(${time})(?!\d)`,
  'iu',
)

/** "8-12 Mittagspause 12-13 13-17": the second span stands behind the break. */
const spanBehindBreak = new RegExp(
  String.raw`^[\s,;.(–-]{0,5}(?:mittagspause|lunch|pause|pausa|middagpauze|lunchpauze|przerwa|öğle)[^\d]{0,20}${span}[\s,;)–-]{1,5}${from}?${span}`,
  'iu',
)

/** " / ti-pe 8–16" behind "ma 11–19": other days, in a language whose names of them are not known here. */
const unknownNext = new RegExp(
  String.raw`^[^\p{L}\p{N}]{0,8}(?!(?:t[eé]l|fax|mob|no|nr|ph)(?!\p{L}))\p{L}{1,4}\.?(?:${until}\p{L}{1,4}\.?[\s,:]{1,4}${span}|[\s,:]{1,4}${time}${until}(?=\d{1,2}[:.h]\d)${time})(?!\s?[-–]\s?\d)`,
  'iu',
)

/** "Monday - Saturday (Sunday closed)" */
const closedThen = String.raw`(?:\s?\([^()\d]{0,30}(?:${closed}|off)[^()\d]{0,10}\))?`

/** Days, then one or more spans of time: "Montag und Dienstag 8–12 und 14–18 Uhr". */
const statement = new RegExp(
  daysThen(
    String.raw`${closedThen}\s{0,2}[,:·•|]?\s{0,3}${from}?(?<times>${span}(?:(?:${and}|\s{0,2}[·•|;]\s{0,3}|\s{1,3}[-–]\s{1,3}|\s{1,3})${from}?${span}){0,3})`,
  ),
  'giu',
)

/** "8–12 Uhr, nachmittags 14–18 Uhr": another span behind a word that is not known would be left out. */
function isJoined(behind: string): boolean {
  return joinedSpan.test(behind) && !lunchBreak.test(behind.slice(0, 40))
}

const joinedSpan = new RegExp(
  String.raw`^[\s,;.]{0,3}(?!tel|phone|fax|happy|lunch|brunch|breakfast|dinner|closed|geschlossen|ferm|cerrado|chiuso)(?:(?!${name}(?!\p{L}))\p{Ll}{1,12}\.?\s){1,2}\d{1,2}(?:[:.h]\d{2})?\s?(?:[Uu]hr|h|[ap]m)?\s?(?:-|–|—|to|bis|a|à|al|alle|tot|do)\s?\d{1,2}(?:[:.h]\d{2}|\s?(?:[Uu]hr|h|[ap]\.?m)(?!\p{L}))`,
  'u',
)

/** "19h 30" before a word that begins neither a street nor what is counted: only the owner knows whether it is half past. */
const minutesOrElse =
  /^\s[0-5]\d(?!\d)[\s,]{1,3}(?!(?:(?:bis|ter)[\s,]{1,3})?(?:rue|avenue|av|boulevard|bd|blvd|place|pl|quai|chemin|allée|impasse|cours|route|square|passage|faubourg|via|viale|piazza|calle|rua|ans|années|jours|lits|patients|praticiens|años|anos|anni|min|minutes)(?!\p{L}))\p{L}/iu

/**
 * "Monday to Thursday", "Morning: 8:30am - 12:50pm", "Afternoon: 2:00pm - 5:00pm": the halves of a day are two spans of it.
 * Without a colon, one half alone may be the hours of a course.
 */
function withoutHalves(text: string): string {
  let read = ''
  let end = 0
  for (const { 0: whole, groups = {}, index } of text.matchAll(inHalves)) {
    const { named = '', colon = '', first = '', further = '' } = groups
    if (colon === '' && further === '') continue
    const spans = Array.from(further.matchAll(furtherHalf), ([, span = '']) => span)
    read += `${text.slice(end, index)}${named} ${[first, ...spans].join(', ')}`
    end = index + whole.length
  }
  return read + text.slice(end)
}

const furtherHalf = new RegExp(
  String.raw`\s{0,3}[,;·•|/]?\s{0,3}${half}\s?:?\s{0,3}(?:${from})?(${span})`,
  'giu',
)
/** "Afternoon: from 2pm" */
const openHalf = new RegExp(
  String.raw`${half}[^\p{L}\p{N}]{0,4}(?:\p{L}{1,12}\.?\s){0,2}\d{1,2}(?:[:.h]\d{2}|\s?(?:h|uhr|[ap]\.?m)(?!\p{L}))`,
  'iu',
)
const inHalves = new RegExp(
  daysThen(
    String.raw`\s{0,2}[,:–-]?\s{0,3}${half}\s?(?<colon>:?)\s{0,3}(?:${from})?(?<first>${span})(?<further>(?:\s{0,3}[,;·•|/]?\s{0,3}${half}\s?:?\s{0,3}(?:${from})?${span}){0,2})`,
  ),
  'giu',
)

const statementNext = new RegExp(String.raw`^[^\p{L}\p{N}]{0,8}${statement.source}`, 'iu')

/**
 * `08:00` of "8", "8:00", "8.00", "8h00" and "8 am". Where only the end says am or pm, as in "9–5 pm", the start is not
 * known and the statement is left out.
 */
function timeOf(written: string, end: string): string | undefined {
  const [, hour = '', minute = '00'] = /^(\d{1,2})(?:\D{1,3}(\d{2}))?/.exec(written) ?? []
  const half = /([ap])\.?m/i.exec(written)?.[1]?.toLowerCase()
  if (half === undefined && /[ap]\.?m/i.test(end)) return undefined
  const hours = Number(hour)
  if (half !== undefined && (hours < 1 || hours > 12)) return undefined
  const whole = half === undefined ? hours : (hours % 12) + (half === 'p' ? 12 : 0)
  if (whole > 24 || Number(minute) > 59) return undefined
  return `${String(whole).padStart(2, '0')}:${minute}`
}
