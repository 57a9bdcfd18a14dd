import { daysNamed, daysOfWeek, openingHoursIn } from '../../../signals/contact/opening-hours.ts'

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

/** `Mo-Fr 08:00-18:00` as a node of its own. */
export function hoursNode(hours: string): Record<string, unknown> {
  const [days = '', span = ''] = hours.split(' ')
  const [opens, closes] = span.split('-')
  const dayOfWeek = daysNamed(days).map((day) => dayNames[daysOfWeek.indexOf(day)])
  return { '@type': 'OpeningHoursSpecification', dayOfWeek, opens, closes }
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
