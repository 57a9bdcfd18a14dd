import { and, daysNamed, daysOf, from, half, name, namedDays, span, withoutDays } from './days-and-times.ts'
import { closed, dateNext, onSomeOfThem, seasonNext, withSigns } from './hours-with-exceptions.ts'

export interface Statement {
  /** `Mo-Fr` */
  readonly days: string
  /** `08:00-12:00` */
  readonly spans: readonly string[]
  readonly index: number
  readonly end: number
}

/**
 * Leaves out the days that a text says are closed: of "Mo–Fr 9–18, Mittwoch geschlossen" Monday to Friday is no more than the
 * frame. That is plain where the closed day stands right behind the hours and is none that they name by itself.
 * @returns `partly` where a stated day is said to be closed, and it is not plain for which hours and weeks that holds
 */
export function withoutClosedDays(
  text: string,
  stated: readonly Statement[],
): readonly Statement[] | 'partly' {
  if (stated.length === 0 || !closedWord.test(text)) return stated
  const closings = closingsIn(text)
  if (stated.length * closings.length > maxPairs) return 'partly'
  const open: Statement[] = []
  for (const statement of stated) {
    const days = daysNamed(statement.days)
    const ofThese = closings.filter((closing) => closing.days.some((day) => days.includes(day)))
    const left = new Set(ofThese.flatMap((closing) => closing.days.filter((day) => days.includes(day))))
    const isPlain =
      ofThese.every((closing) => closing.isPlain) &&
      [...left].every(
        (day) =>
          statement.days.split(',').some((part) => part.includes('-') && daysNamed(part).includes(day)) &&
          ofThese.some((closing) => closing.days.includes(day) && isBehind(statement, closing, day, stated)),
      )
    const named = withoutDays(statement.days, left)
    if (!isPlain || named === '') return 'partly'
    open.push({ ...statement, days: named })
  }
  return open
}

const maxPairs = 10_000

/** No other hours stand between them, but those that name the day, too. */
function isBehind(
  { index, end }: Statement,
  closing: Closing,
  day: string,
  stated: readonly Statement[],
): boolean {
  return (
    closing.index > index &&
    closing.index - end <= 100 &&
    stated.every(
      (other) => other.index <= index || other.index > closing.index || daysNamed(other.days).includes(day),
    )
  )
}

interface Closing {
  readonly days: readonly string[]
  readonly index: number
  /** It holds on these days all day, in each week. */
  readonly isPlain: boolean
}

/**
 * "Wednesday closed", and "closed on Wednesday". In a list of days, "Closed" stands behind its own day and before the next
 * one.
 */
function closingsIn(text: string): readonly Closing[] {
  const closings: Closing[] = []
  let bound = 0
  for (const { 0: whole, groups: { named = '' } = {}, index } of text.matchAll(runOfDays)) {
    const end = index + whole.length
    const [before, behind] = [text.slice(Math.max(0, index - 60), index), text.slice(end, end + 120)]
    const days = daysNamed(daysOf(named))
    const { 0: said = '', groups: { between = '' } = {} } = closedBehind.exec(behind) ?? {}
    const next = withSigns(behind.slice(said.length))
    // "Tuesday to Sunday. Closed Monday", "Tuesday to Sunday – closed on Monday"
    const isOfNext = /\p{L}{5}\.$/u.test(named) || joinedDays.test(next)
    const isOnSome = onSomeOfThem.test(withSigns(before))
    if (said !== '' && !isOfNext && (isOnSome || stays(between)) && (between === '' || isName.test(named))) {
      bound = end + said.length
      if (oneDay.test(before) || dateNext.test(next)) continue
      const other = dayBefore.exec(before)?.[1] ?? ''
      const isPlain = other === '' && !isOnSome && !isInPart(next)
      closings.push({ days: [...days, ...(other === '' ? [] : daysNamed(daysOf(other)))], index, isPlain })
      continue
    }
    const { groups: { word = '', joined = '' } = {}, 0: start = '' } = closedBefore.exec(before) ?? {}
    if (word === '' || (joined === '' && !isName.test(named))) continue
    if (joined === '' && index - start.length + word.length === bound) continue
    const following = withSigns(behind)
    if (dateNext.test(following) || feastNext.test(behind)) continue
    const isOfLineBefore = joined === '' && !mayBegin(before.slice(0, before.length - start.length))
    const hasTimes = spanNext.test(behind)
    if (isOfLineBefore && hasTimes) continue
    closings.push({ days, index, isPlain: !isOfLineBefore && !hasTimes && !isInPart(following) })
  }
  return closings
}

const free = String.raw`(?:frei|zu|off)(?!\s{0,2}[\p{L}\d])`
const closedWord = new RegExp(String.raw`(?<!\p{L})(?:${closed}|${free})(?!\p{L})`, 'iu')
const feasts =
  '(?:(?:public |bank |national )?holidays?|(?:an )?feiertage?n?s?|(?:les )?jours fériés|festivos?|festivi|feriados?|feestdagen|święta)'
const runOfDays = new RegExp(namedDays, 'giu')
const closedBehind = new RegExp(
  String.raw`^(?:${and}${feasts})?\s{0,2}(?:[:–—-]\s{0,2})?(?:\((?=[^()]{1,30}\)))?(?<between>(?:\p{L}{1,10}\s){0,5})(?:${closed}|${free})(?!\p{L})(?!\s(?:(?:for|at|over|during) lunch|le midi|a mediodía))`,
  'iu',
)
const joins = String.raw`(?:\s?:|(?:\s(?:on|every|each|le|les|la|el|los|il|am|an|jeden|tous les|todos los|op|aos?|w|в|по)(?!\p{L})){1,2})`
const joinedDays = new RegExp(String.raw`^${joins}\s{0,3}${name}(?!\p{L})`, 'iu')
const closedBefore = new RegExp(String.raw`(?<!\p{L})(?<word>${closed})(?<joined>${joins})?\s{0,3}$`, 'iu')

/** "So we are closed", "qui est fermé" and "closed so" name no day. */
const isName = /\p{L}{4}|\p{Lu}\p{L}{2}|(?:Mo|Di|Mi|Fr|Sa|Пн|Вт|Ср|Чт|Пт|Сб|Вс)\.?$/u

/** "Easter Monday", "this Friday" */
const oneDay =
  /(?<!\p{L})(?:easter|good|whit|black|shrove|holy|holidays?|this|next|coming|diese[nrm]?|nächste[nr]?|kommende[nr]?|ce|prochain|este|próximo|questo|prossimo|deze)\s$/iu
const feastNext =
  /^\s(?:(?:de |del |di |dell['’])?(?:pâques|pentecôte|pasqua|pascua|angelo|saint|santo)(?!\p{L})|\d{1,2}\.?\s?(?:-|–|to|bis|and|&|und)\s?\d{1,2}\.?\s\p{L}{3})/iu
const dayBefore = new RegExp(String.raw`(?<!\p{L})(${name})[^\p{L}\p{N}(]{1,4}$`, 'iu')

/** "Closed" begins words of its own, and is not what stands behind "Feiertage". */
function mayBegin(before: string): boolean {
  return beginning.test(before) || stays(/\p{L}{1,20}\s{1,3}$/u.exec(before)?.[0] ?? '-')
}

const beginning = /(?:^|[.!?;,(\n•|·]|\d(?:\s?(?:uhr|h|[ap]\.?m\.?))?\)?\s?[–-]?)\s{0,3}$/iu

/** "we are", "bleibt die Praxis": words between a day and the one that says it is closed. */
function stays(words: string): boolean {
  return words.split(/\s/u).every((word) => word === '' || staying.has(word.toLowerCase()))
}

const staying = new Set(
  'is are us we remain remains stay stays always all day wir haben hat ist sind bleibt bleiben immer ganztägig ganztags the die der das our unser unsere practice surgery clinic office shop store praxis büro laden geschäft on est sont nous sommes le la toute journée cabinet magasin está estamos todo el día consulta siamo è lo studio tutto il giorno zijn wij günü günleri'.split(
    ' ',
  ),
)

function isInPart(behind: string): boolean {
  return inPart.test(behind) || seasonNext.test(behind)
}

const spanNext = new RegExp(String.raw`^[\s:,–-]{0,4}${from}?${span}`, 'iu')
const inPart = new RegExp(
  String.raw`^[\s,(–-]{0,3}(?:(?:from|after|at|until|till|between|before|in|during|im|ab|von|nach|um|bis|zwischen|während|à|dès|de|en|pendant|jusqu['’]à|desde|hasta|a partir de|por|dalle|alle|dal|da|vanaf|tot|tussen|od|do|с|до|после)\s(?:\p{L}{1,8}\s)?\d|${half})`,
  'iu',
)
