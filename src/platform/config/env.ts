import { z } from 'zod'
import { accessSettings, processSettings, quotaSettings, storeSettings } from './env-gateway.ts'
import { chainSettings, facilitatorSettings, limitSettings } from './env-payments.ts'
import {
  developmentSettings,
  mailSettings,
  retentionSettings,
  scanSettings,
  textSettings,
  upstreamSettings,
  webhookSettings,
} from './env-products.ts'

/**
 * Every setting that the environment can make: name, type, default and meaning, by group. The tables in
 * README.md are tested against it, so an operator never reads of a setting that does not exist. An empty
 * value counts as unset, because compose files write unset settings so.
 */
const groups = {
  'Process and addresses': processSettings,
  Store: storeSettings,
  'Chain and payments': chainSettings,
  Facilitators: facilitatorSettings,
  Access: accessSettings,
  Quotas: quotaSettings,
  Upstreams: upstreamSettings,
  Text: textSettings,
  Mail: mailSettings,
  Scans: scanSettings,
  Retention: retentionSettings,
  Webhooks: webhookSettings,
  Limits: limitSettings,
  Development: developmentSettings,
}

export const environmentSchema = z.object({
  ...processSettings,
  ...storeSettings,
  ...chainSettings,
  ...facilitatorSettings,
  ...accessSettings,
  ...quotaSettings,
  ...upstreamSettings,
  ...textSettings,
  ...mailSettings,
  ...scanSettings,
  ...retentionSettings,
  ...webhookSettings,
  ...limitSettings,
  ...developmentSettings,
})

export type Environment = z.infer<typeof environmentSchema>

export type SettingName = keyof Environment

/** Variables as a process gets them. */
export type RawEnvironment = Readonly<Record<string, string | undefined>>

/** A setting as a row of README.md shows it. */
interface Described {
  readonly group: string
  readonly name: string
  /** Empty when there is none. */
  readonly fallback: string
  readonly meaning: string
}

/** Describes every setting, group by group. */
export function describeSettings(): Described[] {
  return Object.entries(groups).flatMap(([group, shape]) => {
    const { properties = {} } = z.toJSONSchema(z.object(shape), { io: 'input' })
    return Object.entries(properties).map(([name, property]) => {
      if (typeof property === 'boolean') throw new Error(`the setting ${name} has no description`)
      return {
        group,
        name,
        fallback: property.default === undefined ? '' : String(property.default),
        meaning: property.description ?? '',
      }
    })
  })
}
