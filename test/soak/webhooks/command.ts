import { z } from 'zod'
import { count, listOf, readOptions } from '../options.ts'
import { runWebhooks } from './webhooks.ts'

/**
 * `npm run soak -- webhooks`: sends events to a local receiver, over each store, first in peace and then with kills.
 *
 *     npm run soak -- webhooks --deliveries 10000 --kills 3
 */
const optionsSchema = z.object({
  deliveries: count(10_000),
  kills: count(3),
  store: listOf(['postgres', 'embedded']),
})

/** @returns how many faults there were. */
export async function soakWebhooks(args: readonly string[]): Promise<number> {
  const { deliveries, kills, store } = readOptions(args, optionsSchema)
  let faults = 0
  for (const one of store) {
    for (const killed of new Set([0, kills])) {
      const report = await runWebhooks(one, deliveries, killed)
      process.stdout.write(`${JSON.stringify({ run: 'webhooks', ...report })}\n`)
      const { perSecond, seconds, again, violations } = report
      const verdict =
        violations.length === 0 ? 'none was lost' : `${violations.length} FAULTS: ${violations[0]}`
      process.stderr.write(
        `webhooks, ${one}: ${deliveries} deliveries with ${killed} kills in ${seconds} s, ${perSecond} a second, ${again} sent again; ${verdict}.\n`,
      )
      faults += violations.length
    }
  }
  return faults
}
