/**
 * How texts name days and times. `name`, `until`, `and`, `from`, `time`, `span` and `range` are parts of expressions; days are
 * known by the two letters of schema.org.
 */
export const daysOfWeek: readonly string[] = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** Names and usual abbreviations of the days. */
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

export function dayOf(name: string): string {
  return daysByName.get(name.toLowerCase()) ?? ''
}

const names = [...daysByName.keys()].toSorted((one, other) => other.length - one.length)
const longNames = names.filter((one) => one.length > 3)
export const name = `(?:${names.join('|')})`
/** In prose, "so", "do", "sat" and "qui" are other words. */
export const fullName = `(?:${longNames.join('|')})`
export const until = String.raw`\s{0,3}(?:-|–|—|to|till|until|through|bis|às|à|até|ao|au|a(?: las)?|hasta(?: las)?|al|alle(?: ore)?|tot|t\/m|do|до|по)\s{0,3}`
export const and = String.raw`\s{0,3}(?:,\s?(?:and|und|et|y|e|en)|[,&+/]|and|und|et|puis|y|e|en|u\.|sowie|as well as|ainsi que|así como|nonché|oraz|ve|i)\s{0,3}`
/** "von 8 bis 12": it may stand before each of two spans. */
export const from = String.raw`(?:(?:from|between|von|de(?: las)?|desde(?: las)?|das|dalle(?: ore)?|van|od|(?:w )?godz\.)\s)`
export const time = String.raw`\d{1,2}(?:(?:[:.]|\s?h|u)\d{2}(?!\d))?(?:\s?[ap]\.?m(?!\p{L})\.?)?(?:u(?!\p{L})|\s?(?:uhr|uur|h|o.clock))?`
export const span = String.raw`${time}${until}${time}(?!\d)`
const range = String.raw`${name}\.?(?:${until}${name}\.?)?(?!\p{L})`
const dayOrRange = new RegExp(String.raw`(?<!\p{L})(${name})\.?(?:${until}(${name})\.?)?(?!\p{L})`, 'giu')

/** "Monday to Wednesday and Friday" */
export const namedDays = String.raw`(?<!\p{L})(?<named>${range}(?:${and}${range}){0,6})`

/**
 * A run of days, and what stands behind it. The engine compiles what stands behind once for each way in which the run may
 * end, which takes seconds for these expressions; in a lookahead it compiles it once. The reference takes what was seen.
 */
export function daysThen(rest: string): string {
  return String.raw`${namedDays}(?=(?<rest>${rest}))\k<rest>`
}

/** The half of a day. */
export const halfDay = String.raw`(?:mornings?|afternoons?|evenings?|(?:vor|nach)m(?:ittags?|\.)|abends?|matin(?:ée)?|apr[èe]s[- ]midi|soir(?:ée)?|mañanas?|tardes?|noches?|manhãs?|noites?|mattin[aoe]|pomeriggio|sera|ochtend|(?:voor|na)?middag|avond|sabah|öğleden (?:sonra|önce)|akşam|утром?|вечер(?:ом)?|przed południem|po południu|(?:för|efter)middag|(?:for|etter)middag|délután|délelőtt|(?:prije|po)podne|(?:do|od)poledne)`
/** "in the afternoon" */
export const half = String.raw`(?<!\p{L})(?:(?:in the|in|am|le|l['’]|por la|de la|à|da|al?|di) ?)?${halfDay}(?!\p{L})`

/** `Mo-We,Fr` of "Monday to Wednesday and Friday". */
export function daysOf(named: string): string {
  const parts = [...named.matchAll(dayOrRange)].map(([, from = '', to]) =>
    to === undefined ? dayOf(from) : `${dayOf(from)}-${dayOf(to)}`,
  )
  return parts.join(',')
}

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

/** `Mo-Tu,Th-Fr` of `Mo-Fr` without `We`. */
export function withoutDays(named: string, left: ReadonlySet<string>): string {
  return named
    .split(',')
    .flatMap((part) => runsOf(daysNamed(part), left))
    .map((run) => [...new Set([run.at(0), run.at(-1)])].join('-'))
    .join(',')
}

function runsOf(all: readonly string[], left: ReadonlySet<string>): readonly (readonly string[])[] {
  const runs: string[][] = [[]]
  for (const day of all)
    if (left.has(day)) runs.push([])
    else runs.at(-1)?.push(day)
  return runs.filter((run) => run.length > 0)
}

/** "Monday" of "Mondays", "samedi" of "samedis". The "We" of "We are closed" is no Wednesday. */
export function withPlainDays(text: string): string {
  return text.replace(plural, '$1').replace(pronoun, 'us')
}

const pronoun =
  /(?<!\p{L})we(?=['’](?:re|ve|ll|d)|\s(?:are|aren|were|will|would|have|do|don|can|could|may|must|only|also|always|never|normally|usually|then|offer|open|close|see|accept|take|treat|speak|work|provide|look|use|make|help|finish|stop|start)(?!\p{L}))/giu
const plural = new RegExp(
  String.raw`(?<!\p{L})(${longNames.filter((one) => !/s$|^.{4}$/.test(one)).join('|')})s(?!\p{L})`,
  'giu',
)
