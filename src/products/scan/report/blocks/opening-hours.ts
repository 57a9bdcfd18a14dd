/**
 * Reads the opening hours that a text states, and writes them as schema.org does: `Mo-Sa 08:00-18:00`. Only plain
 * statements are read: days, then a time from and a time to. What is written otherwise is left out, because wrong
 * hours send customers to a closed door.
 * @returns undefined when the text states none.
 */
export function openingHoursIn(text: string): readonly string[] | undefined {
  const found: string[] = []
  for (const [, from = '', to, start = '', end = ''] of text.slice(0, 50_000).matchAll(statement)) {
    const [firstDay, lastDay] = [dayOf(from), to === undefined ? undefined : dayOf(to)]
    const [opens, closes] = [timeOf(start, end), timeOf(end, end)]
    if (firstDay === undefined || opens === undefined || closes === undefined || opens >= closes) continue
    const hours = `${firstDay}${lastDay === undefined ? '' : `-${lastDay}`} ${opens}-${closes}`
    if (!found.includes(hours)) found.push(hours)
    if (found.length === maxStatements) break
  }
  return found.length === 0 ? undefined : found
}

const maxStatements = 14

/** Names and usual abbreviations of the days, by the two letters of schema.org. */
const days: Readonly<Record<string, string>> = {
  Mo: 'monday mon montag lundi lun lunes lunedì maandag',
  Tu: 'tuesday tue tues dienstag di mardi mar martes martedì dinsdag',
  We: 'wednesday wed mittwoch mi mercredi mer miércoles mercoledì woensdag',
  Th: 'thursday thu thur thurs donnerstag do jeudi jeu jueves giovedì donderdag',
  Fr: 'friday fri freitag fr vendredi ven viernes venerdì vrijdag',
  Sa: 'saturday sat samstag sa samedi sam sábado sabato zaterdag',
  Su: 'sunday sun sonntag so dimanche dim domingo domenica zondag',
}

const daysByName = new Map(
  Object.entries(days).flatMap(([day, names]) =>
    [day.toLowerCase(), ...names.split(' ')].map((name): [string, string] => [name, day]),
  ),
)

function dayOf(name: string): string | undefined {
  return daysByName.get(name.toLowerCase().replace(/\.$/, ''))
}

const day = `(${[...daysByName.keys()].toSorted((one, other) => other.length - one.length).join('|')})\\.?`
const time = String.raw`(\d{1,2}(?:(?:[:.]|\s?h\s?)\d{2})?(?:\s?[ap]\.?m\.?)?)(?:\s?(?:uhr|h|o.clock))?`
const until = String.raw`\s{0,3}(?:-|–|—|to|till|until|through|bis|à|au|a|al|tot|t\/m)\s{0,3}`

const statement = new RegExp(
  String.raw`(?<!\p{L})${day}(?:${until}${day})?(?!\p{L})\s{0,2}[,:]?\s{0,3}(?:(?:from|von|de|dalle|van|between)\s)?${time}${until}${time}(?!\d)`,
  'giu',
)

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
