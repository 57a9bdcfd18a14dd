import { daysNamed, daysOfWeek } from './days-and-times.ts'

/** The spans of each day, `08:00-12:00`, of lines such as `Mo-We 08:00-12:00`. A line without a span closes its days. */
export function spansByDay(lines: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const spans = new Map<string, Set<string>>()
  for (const line of lines) {
    const [named = '', span] = line.split(' ')
    for (const day of daysNamed(named)) {
      const known = spans.get(day) ?? new Set()
      spans.set(day, span === undefined ? known : known.add(span))
    }
  }
  return spans
}

/**
 * "Mon, Thu 08:00–12:00, 14:00–18:00; Fri 08:00–12:00" of ["Mo 08:00-12:00", "Mo 14:00-18:00", "Th 08:00-12:00", …]. Days
 * with the same times are named together, three or more in a row as "Mon–Fri".
 * @param names of the days, from Monday on
 */
export function hoursInWords(lines: readonly string[], names: readonly string[] = englishDays): string {
  const spans = [...spansByDay(lines)].filter(([, times]) => times.size > 0)
  const byTimes = Map.groupBy(spans, ([, times]) => [...times].toSorted().join(', '))
  return [...byTimes]
    .map(([times, alike]) => ({ times, days: alike.map(([day]) => daysOfWeek.indexOf(day)).toSorted() }))
    .toSorted((one, other) => (one.days[0] ?? 0) - (other.days[0] ?? 0))
    .map(({ times, days }) => `${daysInWords(days, names)} ${times.replaceAll('-', '–')}`)
    .join('; ')
}

const englishDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function daysInWords(days: readonly number[], names: readonly string[]): string {
  const runs = days.reduce<number[][]>((all, day) => {
    const last = all.at(-1)
    if (last?.at(-1) === day - 1) last.push(day)
    else all.push([day])
    return all
  }, [])
  const nameOf = (day: number | undefined) => names[day ?? 0] ?? ''
  return runs
    .map((run) => (run.length > 2 ? `${nameOf(run[0])}–${nameOf(run.at(-1))}` : run.map(nameOf).join(', ')))
    .join(', ')
}
