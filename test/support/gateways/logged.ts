import { z } from 'zod'

const line = z.looseObject({ level: z.int(), msg: z.string(), dependency: z.string().optional() })

/** The lines that a gateway with the default level would write, of those that a test gateway wrote. */
export function linesOf(logged: readonly string[], from = 0) {
  const lines = logged.slice(from).map((text) => line.parse(JSON.parse(text)))
  return lines.filter(({ level }) => level >= 30)
}

/** What they say about outages. */
export function outagesIn(logged: readonly string[], from = 0): string[] {
  return linesOf(logged, from)
    .filter(({ dependency }) => dependency !== undefined)
    .map(({ msg }) => msg)
}

/** Their warnings and errors. */
export function errorsIn(logged: readonly string[], from = 0): string[] {
  return linesOf(logged, from)
    .filter(({ level }) => level >= 40)
    .map(({ msg }) => msg)
}
