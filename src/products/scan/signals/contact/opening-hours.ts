import { withKnownDays } from './days-of-languages.ts'
import { dateAtEnd, ofElse, onSomeOfThem, onSomeOfThemBehind, otherThan } from './hours-with-exceptions.ts'

/**
 * Reads the opening hours that a text states, and writes them as schema.org does: `Mo-Sa 08:00-18:00`. Only plain
 * statements are read: days, then a time from and a time to. All of them are read or none: hours from which one day or
 * one afternoon is missing tell customers that the door is closed then.
 * @returns undefined when the text states none, `partly` when some of it could not be read.
 */
export function openingHoursIn(text: string): readonly string[] | 'partly' | undefined {
  const found = new Set<string>()
  const written = withMinutes(
    parted(
      withKnownDays(
        withCyrillicDays(
          text.slice(0, 50_000).replace(inBrackets, ' $1 ').replace(daysBehind, ' $<days> $<times> '),
        ),
      ),
    ),
  )
  const read = withoutHalves(written)
  if (unknownDay.test(read) || hasException(read)) return 'partly'
  let rest = ''
  let end = 0
  for (const { 0: whole, groups: { named = '', times = '' } = {}, index } of read.matchAll(statement)) {
    rest += `${read.slice(end, index)}\n`
    end = index + whole.length
    if (ofElse.test(read.slice(Math.max(0, index - 120), index))) continue
    if (dateAtEnd.test(read.slice(Math.max(0, index - 30), index))) continue
    if (onSomeOfThem.test(read.slice(Math.max(0, index - 40), index))) return 'partly'
    // Another day before these, or another time behind them, joined in a way that is not known, would be left out.
    if (dayAtEnd.test(read.slice(Math.max(0, index - 30), index)) || timeNext.test(read.slice(end, end + 16)))
      return 'partly'
    const behind = read.slice(end, end + 80)
    if (onSomeOfThemBehind.test(behind) || spanBehindBreak.test(behind)) return 'partly'
    if (isJoined(behind) || (/h$/i.test(whole) && minutesOrElse.test(behind))) return 'partly'
    if (unknownNext.test(behind) && !statementNext.test(behind)) return 'partly'
    let earlier: string | undefined
    for (const [, from = '', to = ''] of times.matchAll(fromTo)) {
      const closes = timeOf(to, to)
      const opens = timeOf(from, to) ?? openingBetween(earlier, from, closes)
      earlier = closes
      if (opens === undefined || closes === undefined || opens >= closes) return 'partly'
      // "1:00 - 5:00" is the afternoon where clocks have twelve hours, and nobody says so.
      if (closes <= '07:00' && !/^0|[ap]\.?m/i.test(to)) return 'partly'
      found.add(`${daysOf(named)} ${opens}-${closes}`)
    }
  }
  if (found.size > maxStatements) return 'partly'
  const left = withoutKnownEnds(rest + read.slice(end), [...found])
  if (dayWithTime.test(left) || someDays.test(left)) return 'partly'
  if (read !== written && openHalf.test(left)) return 'partly'
  return found.size === 0 ? undefined : withoutBreak(withoutParts([...found]), read)
}

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

/** `Mo-We,Fr` of "Monday to Wednesday and Friday". */
function daysOf(named: string): string {
  const parts = [...named.matchAll(dayOrRange)].map(([, from = '', to]) =>
    to === undefined ? dayOf(from) : `${dayOf(from)}-${dayOf(to)}`,
  )
  return parts.join(',')
}

export const daysOfWeek: readonly string[] = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** Each day of "Mo-We,Fr". */
export function daysNamed(named: string): readonly string[] {
  return named.split(',').flatMap((part) => {
    const [from = '', to = from] = part.split('-')
    const [first, last] = [daysOfWeek.indexOf(from), daysOfWeek.indexOf(to)]
    return last >= first
      ? daysOfWeek.slice(first, last + 1)
      : [...daysOfWeek.slice(first), ...daysOfWeek.slice(0, last + 1)]
  })
}

const maxStatements = 14

/** Names and usual abbreviations of the days, by the two letters of schema.org. */
const days: Readonly<Record<string, string>> = {
  Mo: 'monday mon montag lundi lun lunes lunedì maandag ma segunda segunda-feira seg pazartesi понедельник пн',
  Tu: 'tuesday tue tues dienstag di mardi mar martes martedì dinsdag terça terça-feira ter salı вторник вт',
  We: 'wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì woensdag wo quarta quarta-feira qua çarşamba среда ср',
  Th: 'thursday thu thur thurs donnerstag do jeudi jeu jueves jue giovedì gio donderdag quinta quinta-feira qui perşembe четверг чт',
  Fr: 'friday fri freitag fr vendredi ven viernes vie venerdì vrijdag vr sexta sexta-feira sex cuma пятница пт',
  Sa: 'saturday sat samstag sa samedi sam sábado sáb sabato sab zaterdag za cumartesi суббота сб',
  Su: 'sunday sun sonntag so dimanche dim domingo dom domenica zondag zo pazar воскресенье вс',
}

const daysByName = new Map(
  Object.entries(days).flatMap(([day, names]) =>
    [day.toLowerCase(), ...names.split(' ')].map((name): [string, string] => [name, day]),
  ),
)

function dayOf(name: string): string {
  return daysByName.get(name.toLowerCase()) ?? ''
}

const name = `(?:${[...daysByName.keys()].toSorted((one, other) => other.length - one.length).join('|')})`
const until = String.raw`\s{0,3}(?:-|–|—|to|till|until|through|bis|às|à|até|ao|au|a(?: las)?|hasta(?: las)?|al|alle(?: ore)?|tot|t\/m|do|до|по)\s{0,3}`
const and = String.raw`\s{0,3}(?:,\s?(?:and|und|et|y|e|en)|[,&+/]|and|und|et|puis|y|e|en|u\.|sowie|as well as|ainsi que|así como|nonché|oraz|ve|i)\s{0,3}`
/** "von 8 bis 12": it may stand before each of two spans. */
const from = String.raw`(?:(?:from|between|von|de(?: las)?|desde(?: las)?|das|dalle(?: ore)?|van|od|(?:w )?godz\.)\s)`
const time = String.raw`\d{1,2}(?:(?:[:.]|\s?h|u)\d{2}(?!\d))?(?:\s?[ap]\.?m(?!\p{L})\.?)?(?:u(?!\p{L})|\s?(?:uhr|uur|h|o.clock))?`
const range = String.raw`${name}\.?(?:${until}${name}\.?)?(?!\p{L})`
/** The lines of a page are joined, so the "30" of "14h – 19h 30 avenue Lind" and of "19h 04 78 …" is no minute. */
const minutes = String.raw`[0-5]\d(?![\d]|[\s./-]\d{2}(?!\d|\s?h)|(?:\s?[-–/]\s?\d{1,3})?(?:\s?(?:bis|ter))?[\s,]{1,3}(?!h(?!\p{L})|heures|horas|(?:le |les |du )?${name}(?!\p{L})|${until}\d|${and}${from}?\d)\p{L})`
const spacedMinutes = new RegExp(String.raw`(?<!\d)(\d{1,2}\s?h)\s(?=${minutes})`, 'giu')
const dayOrRange = new RegExp(String.raw`(?<!\p{L})(${name})\.?(?:${until}(${name})\.?)?(?!\p{L})`, 'giu')

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
/** Of these, each business knows whether Saturday is one: "werktags 8–18 Uhr". */
const someDays =
  /(?<!\p{L})(?:werktags|wochentags|(?:en|la) semaine|(?:días )?laborables|(?:giorni )?feriali)[\s:,–-]{1,4}(?:\p{L}{1,6}\s)?\d{1,2}\s?(?:[:.h]\d{2}|h|uhr|[-–])/iu
const dayUntil = new RegExp(
  String.raw`(?<!\p{L})(${name})\.?s?\s(?:until|till|to|bis|jusqu.à|hasta las|fino alle|até as|tot)\s(${time})(?!\d)`,
  'giu',
)
const span = String.raw`${time}${until}${time}(?!\d)`
const fromTo = new RegExp(String.raw`(${time})${until}(${time})(?!\d)`, 'giu')

/** "Mi nachmittags geschlossen", "außer Mittwoch", "mittwochs nur bis 13 Uhr": the door is closed in a part of what is stated. */
function hasException(text: string): boolean {
  return closedHalf.test(text) || exceptDay.test(text) || onlyUntil.test(text) || closesAt.test(text)
}

const halfDay = String.raw`(?:afternoons?|evenings?|(?:vor|nach)mittags?|nachm\.?|pomeriggio|mattina|après-midi|matin|tardes?|mañanas?|manhãs?|namiddag|middag|öğleden (?:sonra|önce)|po południu|délután|délelőtt|popodne|odpoledne)`
const closed =
  '(?:closed|geschlossen|frei|zu|chius[oiae]|fermée?s?|cerrad[oa]s?|fechad[oa]s?|gesloten|kapalı|nieczynne|zárva|zatvoreno|zavřeno|lukket|stängt)'

/** "Thursday 9-12 (afternoon closed)" below "Monday - Friday 9-12, 15-17:30", and "woensdagmiddag gesloten". */
const closedHalf = new RegExp(
  String.raw`\([^()\d]{0,20}${halfDay}[^()\d]{0,12}${closed}[^()\d]{0,10}\)|(?<!\p{L})${name}s?\.?\s?${halfDay}[^\p{L}\p{N}]{0,4}(?:(?:is|are|ist|est|está|è)\s)?${closed}(?!\p{L})|(?<!\p{L})${closed}\s(?:(?:on|le|la|el|il|am)\s)?${name}s?\.?\s${halfDay}(?!\p{L})`,
  'iu',
)
const exceptDay = new RegExp(
  String.raw`(?<!\p{L})${otherThan}\s(?:(?:the|on|le|les|el|los|il|la|am|den|de|w|u)\s)?${name}s?(?!\p{L})`,
  'iu',
)
const onlyUntil = new RegExp(
  String.raw`(?<!\p{L})${name}s?\.?[:,]?\s(?:nur|only|just|solo|seulement|uniquement|apenas|alleen|slechts|tylko|csak|samo|sadece)\s(?:until|till|to|bis|jusqu.à|hasta(?: las)?|fino alle|até(?: as| às)?|tot|do)\s${time}`,
  'iu',
)
/** "We close at 1pm on Wednesdays." */
const closesAt = new RegExp(
  String.raw`(?<!\p{L})(?:clos(?:e|es|ing)|schlie(?:ß|ss)en|fermons|ferme|cerramos|cierra|chiudiamo|chiude|fechamos)\s(?:(?:at|um|à|a las|alle|às)\s)?${time}\s(?:(?:on|am|le|los|el|il|na)\s)?${name}s?(?!\p{L})`,
  'iu',
)

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
const closedThen = String.raw`(?:\s?\([^()\d]{0,30}(?:closed|off|geschlossen|fermée?|cerrado|chiuso|fechado|gesloten|kapalı|выходной)[^()\d]{0,10}\))?`

/**
 * A run of days, and what stands behind it. The engine compiles what stands behind once for each way in which the run may
 * end, which takes seconds for these expressions; in a lookahead it compiles it once. The reference takes what was seen.
 */
function daysThen(rest: string): string {
  return String.raw`(?<!\p{L})(?<named>${range}(?:${and}${range}){0,6})(?=(?<rest>${rest}))\k<rest>`
}

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

const half = String.raw`(?<!\p{L})(?:(?:in the|in|am|le|l['’]|por la|de la|à|da|al?|di) ?)?(?:mornings?|afternoons?|evenings?|vormittags?|nachmittags?|abends?|matin(?:ée)?|apr[èe]s[- ]midi|soir(?:ée)?|mañanas?|tardes?|noches?|manhãs?|noites?|mattin[aoe]|pomeriggio|sera|ochtend|voormiddag|middag|namiddag|avond|sabah|öğleden sonra|akşam|утро|утром|вечер|вечером|przed południem|po południu|förmiddag|eftermiddag|formiddag|ettermiddag)(?!\p{L})`
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
