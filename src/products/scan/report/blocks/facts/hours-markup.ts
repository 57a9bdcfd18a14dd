import { daysNamed, daysOfWeek } from '../../../signals/contact/days-and-times.ts'
import { openingHoursIn } from '../../../signals/contact/opening-hours.ts'
import { textOf } from '../../../site/html/json-ld.ts'

/** Writes the openingHours of a node as schema.org does, where it has them as "Mon - Fri 10 AM – 2 PM". */
export function wellFormedHours(stated: unknown): { openingHours?: readonly string[] } {
  const lines = [stated].flat().filter((one) => typeof one === 'string')
  if (
    lines.every((line) => /^(?:[A-Z][a-z](?:-[A-Z][a-z])?[, ]?)+ \d{2}:\d{2}-\d{2}:\d{2}$/.test(line.trim()))
  )
    return {}
  const hours = openingHoursIn(lines.join('\n'))
  return typeof hours === 'object' ? { openingHours: hours } : {}
}

/** The hours of a node whose days have the names of another language or a node of their own: "Lunedì, Martedì". */
export function wellFormedSpecification(stated: unknown): { openingHoursSpecification?: readonly unknown[] } {
  const all = [stated].flat().filter((one) => one !== undefined)
  const days = (node: unknown) =>
    typeof node === 'object' && node !== null && 'dayOfWeek' in node ? [node.dayOfWeek].flat() : []
  const isKnown = (day: unknown) =>
    typeof day === 'string' &&
    /^(?:https?:\/\/schema\.org\/)?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|PublicHolidays)$/.test(day)
  if (all.flatMap(days).every(isKnown)) return {}
  const read = all.map((node) => {
    if (typeof node !== 'object' || node === null || !('opens' in node && 'closes' in node)) return undefined
    if (days(node).every(isKnown)) return [node]
    const names = days(node).map((day) => textOf(day))
    const hours = openingHoursIn(`${names.join(', ')} ${textOf(node.opens)}-${textOf(node.closes)}`)
    return typeof hours === 'object' ? hours.map(hoursNode) : undefined
  })
  return read.includes(undefined) ? {} : { openingHoursSpecification: read.flatMap((one) => one ?? []) }
}

/** `Mo-Fr 08:00-18:00` as a node of its own. */
export function hoursNode(hours: string): Record<string, unknown> {
  const [days = '', span = ''] = hours.split(' ')
  const [opens, closes] = span.split('-')
  const dayOfWeek = daysNamed(days).map((day) => dayNames[daysOfWeek.indexOf(day)])
  return { '@type': 'OpeningHoursSpecification', dayOfWeek, opens, closes }
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
