import type { Queries } from '../../../platform/store/database.ts'
import { isScanId, isVisible } from './find-scans.ts'
import { type Scan, selectScans, withoutAnalysis } from './scan-rows.ts'

/**
 * Finds scans for callers that arrive together: all that are asked for within one turn of the event loop take one
 * statement. A thousand callers that connect to the stream of one scan at once would otherwise take a thousand. The
 * statement begins after each of them has asked, so each sees what it would see alone.
 */
export class ScanLookup {
  readonly #queries: Queries
  /** By the id as it was asked for. */
  #asked: Map<string, PromiseWithResolvers<Scan | undefined>> | undefined

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /**
   * One scan, without its analysis; undefined as `findScan` has it.
   * @param viewer the subject of the caller's key.
   * @throws when the store fails.
   */
  async find(id: string, viewer: string | undefined): Promise<Scan | undefined> {
    if (!isScanId(id)) return undefined
    const scan = await this.#load(id.toLowerCase())
    return scan && isVisible(scan, viewer) ? scan : undefined
  }

  #load(id: string): Promise<Scan | undefined> {
    if (!this.#asked) {
      this.#asked = new Map()
      setImmediate(() => void this.#answer())
    }
    const known = this.#asked.get(id)
    if (known) return known.promise
    const asked = Promise.withResolvers<Scan | undefined>()
    this.#asked.set(id, asked)
    return asked.promise
  }

  /** Never rejects. */
  async #answer(): Promise<void> {
    const asked = this.#asked ?? new Map<string, PromiseWithResolvers<Scan | undefined>>()
    this.#asked = undefined
    try {
      const rows = await selectScans(this.#queries)
        .select(withoutAnalysis)
        .where('id', 'in', [...asked.keys()])
        .execute()
      for (const row of rows) asked.get(row.id)?.resolve(row)
      for (const one of asked.values()) one.resolve(undefined)
    } catch (error) {
      for (const one of asked.values()) one.reject(error)
    }
  }
}
