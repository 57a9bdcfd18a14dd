import { type Command, InvalidArgumentError, Option } from 'commander'

/** Times as commands read and print them. */

/** Adds `--since` and `--until`. */
export function addPeriodOptions(command: Command): Command {
  return command
    .addOption(sinceOption('start of the period: 24h, 7d, a date or a time'))
    .addOption(
      new Option('--until <time>', 'end of the period').argParser((text) => parseTime(text, Date.now())),
    )
}

export function sinceOption(description: string): Option {
  return new Option('--since <time>', description).argParser((text) => parseTime(text, Date.now()))
}

const sinceUnitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 }

/**
 * Turns `24h` or `7d` (so long before now) into Unix seconds. Dates, ISO times and Unix seconds stay
 * as they are: the gateway reads them by one rule for all its callers.
 * @throws InvalidArgumentError for anything else.
 */
function parseTime(text: string, nowMs: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const seconds = sinceUnitSeconds[unit]
  if (count === undefined || seconds === undefined) {
    if (/^(?:\d{4}-.*|\d+)$/.test(text)) return text
    throw new InvalidArgumentError(
      'It must be a time before now like 24h or 7d (m, h, d or w), a date like 2026-05-01, a time like 2026-05-01T12:00:00Z, or Unix seconds.',
    )
  }
  return String(Math.floor(nowMs / 1000) - Number(count) * seconds)
}

const durationUnitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/**
 * Reads a duration such as `90s`, `15m`, `24h` or `7d`.
 * @returns seconds.
 * @throws InvalidArgumentError for anything else.
 */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const each = durationUnitSeconds[unit]
  if (count !== undefined && each !== undefined) return Number(count) * each
  throw new InvalidArgumentError('It must be a number of seconds, minutes, hours or days, like 24h.')
}

/** Formats Unix seconds as ISO 8601 in UTC. */
export function formatTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z')
}
