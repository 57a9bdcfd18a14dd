import { setImmediate } from 'node:timers/promises'
import type { ForgetScans } from '../../edge/handlers/scans/operator.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Books } from '../../platform/store/books.ts'
import { takeChore } from '../../platform/store/chores.ts'
import { rebuildListings } from '../../products/directory/removals.ts'
import { deleteScans, forgetAddresses, type ScanChoice } from '../../products/scan/scans/forget-scans.ts'
import { deleteLetters, sweepLetters } from '../../products/scan/scans/letters.ts'
import { newestListableSite } from '../../products/scan/scans/listable-scans.ts'
import { forgetEvents } from '../../products/scan/scans/scan-events.ts'
import { forgetDeliveries } from '../../products/webhooks/deliveries/forget.ts'

/** How the gateway forgets: scans that the operator names, and by itself what is older than the settings allow. */
export interface Forgetting {
  readonly forgetScans: ForgetScans
  /** To be called now and then, by every gateway: of all of them one does the work in the store. */
  readonly forgetOld: () => Promise<void>
}

/** A call of the operator's deletes for so long; the rest is for the next call. */
const deletionMs = 10_000
const choreMs = 3_000_000
const dayMs = 86_400_000

/** @param letters the folder of letters that had no mail server. */
export function createForgetting(books: Books, retention: Config['retention'], letters: string): Forgetting {
  const { clock } = books
  const before = (days: number | undefined) =>
    days === undefined ? undefined : new Date(clock.now() - days * dayMs)

  async function deleteFor(choice: ScanChoice, milliseconds: number): ReturnType<ForgetScans> {
    const end = performance.now() + milliseconds
    let deleted = 0
    while (performance.now() < end) {
      const { ids, isLast } = await deleteScans(books, choice, (queries, gone) =>
        rebuildListings({ queries, clock }, gone, newestListableSite),
      )
      await deleteLetters(letters, ids)
      deleted += ids.length
      if (isLast) return { deleted, isDone: true }
      // The embedded store blocks this thread, so other calls run between two batches.
      await setImmediate()
    }
    return { deleted, isDone: false }
  }

  return {
    forgetScans: (choice) => deleteFor(choice, deletionMs),
    async forgetOld() {
      const addressesBefore = before(retention.emailDays)
      if (await takeChore(books, 'forget', choreMs)) {
        await forgetEvents(books)
        const until = before(retention.scanDays)
        if (until) await deleteFor({ until }, choreMs)
        if (addressesBefore) await forgetAddresses(books, addressesBefore)
        const deliveriesBefore = before(retention.deliveryDays)
        if (deliveriesBefore) await forgetDeliveries(books, deliveriesBefore)
      }
      await sweepLetters(books, letters, addressesBefore)
    },
  }
}
