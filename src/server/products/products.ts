import { runEvery } from '../../core/background.ts'
import type { Log } from '../../core/log.ts'
import type { Counters } from '../../doors/quota/counters/counters.ts'
import type { Config, Settings } from '../../platform/config/config.ts'
import type { Books } from '../../platform/store/books.ts'
import type { TextEngine } from '../../products/text/engine.ts'
import type { ReadSite } from '../../products/text/site.ts'
import type { Closers } from '../closers.ts'
import type { Foundation } from '../foundation.ts'
import { createScanning, type Scanning } from './scanning.ts'
import { createSiteReadings } from './site-readings.ts'
import { openWebhooks, type Webhooks } from './webhooks.ts'

/** The services of our own that the gateway sells. */
export interface Products {
  readonly text: TextEngine
  readonly readSite: ReadSite
  readonly scanning: Scanning
  readonly webhooks: Webhooks
}

const forgetIntervalMs = 3_600_000

/** @param version of the gateway, for the User-Agent of scans. */
export async function openProducts({
  settings: { config, secrets },
  version,
  foundation: { database },
  books,
  counters,
  closers,
  log,
}: {
  readonly settings: Settings
  readonly version: string
  readonly foundation: Foundation
  readonly books: Books
  /** Of the quotas, for scans that do not count after all. */
  readonly counters: Pick<Counters, 'give'>
  readonly closers: Closers
  readonly log: Log
}): Promise<Products> {
  const text = await createTextEngine(config.model, secrets.modelApiKey, log)
  const { smtpUrl } = secrets
  const { clock } = books
  const webhooks = openWebhooks({ config, secrets, version, database, books, log })
  const scanning = await createScanning({
    ...{ config, smtpUrl, version, database, clock, text, log },
    followUps: [webhooks.tellOfScan],
    giveBack: (units) => counters.give(units.map((taken) => ({ ...taken, limit: Number.MAX_SAFE_INTEGER }))),
  })
  const sites = createSiteReadings({
    queries: database.queries,
    clock,
    fetcher: scanning.fetcher,
    log,
  })
  closers.add(
    () => webhooks.close(),
    () => scanning.close(),
    () => sites.close(),
    runEvery(() => scanning.forgetting.forgetOld(), forgetIntervalMs, log),
    runEvery(() => webhooks.everyHour(), forgetIntervalMs, log),
  )
  return { text, readSite: sites.readSite, scanning, webhooks }
}

/**
 * Imports one engine: the model's client took 0.36 s of CPU to load (median of three), and the knowledge of the local
 * engine is of no use beside a model.
 */
async function createTextEngine(
  model: Config['model'],
  apiKey: string | undefined,
  { outages }: Log,
): Promise<TextEngine> {
  if (apiKey === undefined) {
    const { createLocalEngine } = await import('../../products/text/local/local-engine.ts')
    return createLocalEngine()
  }
  const { createOpenAiEngine } = await import('../../products/text/model/openai-engine.ts')
  return createOpenAiEngine({ ...model, apiKey, outages })
}
