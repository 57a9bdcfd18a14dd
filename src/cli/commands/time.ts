import { type Command, Option } from 'commander'

/** Options for a stretch of time. */
export function between(command: Command): Command {
  return command
    .addOption(since('from when on: 24h, 7d, a date or a time'))
    .addOption(new Option('--until <time>', 'until when').argParser((text) => moment(text, Date.now())))
}

export function since(description: string): Option {
  return new Option('--since <time>', description).argParser((text) => moment(text, Date.now()))
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 }

/**
 * A time as people say it: `24h` and `7d` are so long before now and become Unix seconds; anything else
 * (a date, an ISO time, Unix seconds) is left to the gateway, which knows one rule for all its callers.
 */
function moment(text: string, nowMs: number): string {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const seconds = unitSeconds[unit]
  if (count === undefined || seconds === undefined) return text
  return String(Math.floor(nowMs / 1000) - Number(count) * seconds)
}

/** A time as the commands print it: ISO 8601, in UTC. */
export function time(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('.000Z', 'Z')
}
