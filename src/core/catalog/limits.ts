import { z } from 'zod'
import { type MeterUnit, meterUnits } from './prices.ts'

/** How the file writes limits: how often, how much and how fast a caller may call. */

/** `3/day`, `1000/month`, `200000 tokens/day`. */
export const allowance = z
  .string()
  .regex(/^[1-9][0-9]{0,11}( (tokens|bytes|seconds|items))?\/(day|month)$/, {
    error:
      'must be a number of calls, tokens, bytes, seconds or items per day or month, like 100/day or 200000 tokens/day',
  })
  .transform((text): Allowance => {
    const [amount = '', period] = text.split('/')
    const [limit, word] = amount.split(' ')
    return {
      limit: Number(limit),
      unit: meterUnits.find((unit) => unit === word) ?? 'calls',
      per: period === 'day' ? 'day' : 'month',
    }
  })

/** A quota: a number of calls, or of the operation's metered units, in a day or month of UTC. */
export interface Allowance {
  readonly limit: number
  readonly unit: MeterUnit | 'calls'
  readonly per: 'day' | 'month'
}

const windowSeconds = { second: 1, minute: 60, hour: 3_600 } as const

/** `60/minute`. */
export const rate = z
  .string()
  .regex(/^[1-9][0-9]{0,5}\/(second|minute|hour)$/, {
    error: 'must be a number of calls per second, minute or hour, like 60/minute',
  })
  .transform((text): Rate => {
    const [calls, window] = text.split('/')
    return {
      calls: Number(calls),
      seconds: windowSeconds[window === 'second' || window === 'minute' ? window : 'hour'],
    }
  })

/** A rate: at most `calls` in a window of `seconds`. */
export interface Rate {
  readonly calls: number
  readonly seconds: number
}
