import { unwatchFile, watchFile } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Catalog } from '../../core/catalog/catalog.ts'
import type { Log } from '../../core/log.ts'
import { CatalogError, loadCatalog, type OwnEndpoints } from './catalog-file.ts'
import { ConfigError } from './config-error.ts'

/**
 * The catalogue in use, which follows its file while the gateway runs. Without it a new price would need
 * a restart, which calls under way wait for. It is replaced whole or not at all: whoever asks for it gets
 * one price list, and a faulty file leaves the one in use where it is.
 */
export interface LiveCatalog {
  /** The catalogue in use. One and the same object until its content changes, for caches hang on its operations. */
  readonly current: () => Catalog
  /**
   * Reads the file again, and says in the log what came of it.
   * @throws CatalogError or ConfigError when the file cannot be used; the catalogue in use stays.
   */
  readonly reload: () => Promise<{ readonly changed: boolean }>
  /** From now on reads the file again whenever it has changed and then stayed as it is for `intervalMs`. */
  readonly watch: (intervalMs?: number) => void
  /** Ends the watching. */
  readonly close: () => void
}

interface LiveCatalogOptions {
  readonly file: string
  readonly own: OwnEndpoints
  /** Faults that only the rest of the configuration shows, a sentence each. */
  readonly check?: (catalog: Catalog) => readonly string[] | Promise<readonly string[]>
  readonly log: Log
}

/** @throws CatalogError or ConfigError when there is no usable catalogue to begin with. */
export async function openLiveCatalog(options: LiveCatalogOptions): Promise<LiveCatalog> {
  const { file, log } = options
  let catalog = await readCatalog(options)
  let lastRead: Promise<unknown> = Promise.resolve()
  /** The refusal that was logged last; the file has been sound since when there is none. */
  let told: string | undefined
  let unwatch = () => {}

  async function reload(): Promise<{ changed: boolean }> {
    try {
      const changed = await replaceInTurn()
      if (!changed) log.info({ file }, 'the catalogue has not changed')
      return { changed }
    } catch (error) {
      refuse(error)
      throw error
    }
  }

  /** Nobody waits for an answer here, and the same faults are not told at every touch of the file. */
  async function follow(): Promise<void> {
    try {
      await replaceInTurn()
    } catch (error) {
      if (told !== messageOf(error)) refuse(error)
    }
  }

  /** One after the other: a slow read that began before a change must not replace what was read after it. */
  function replaceInTurn(): Promise<boolean> {
    const turn = lastRead.then(replace, replace)
    lastRead = turn
    return turn
  }

  /** @returns whether the catalogue in use is another one now. */
  async function replace(): Promise<boolean> {
    const next = await readCatalog(options)
    told = undefined
    if (isDeepStrictEqual(next, catalog)) return false
    log.info({ file, operations: changedOperations(catalog, next) }, 'the catalogue has changed')
    catalog = next
    return true
  }

  function refuse(error: unknown): void {
    told = messageOf(error)
    const why =
      error instanceof CatalogError || error instanceof ConfigError
        ? { faults: error.faults }
        : { err: error }
    log.error({ file, ...why }, 'the catalogue cannot be used; the one in use stays')
  }

  return {
    current: () => catalog,
    reload,
    /**
     * By polling: events are lost when an editor puts a new file in the place of the old one, and do not
     * reach files that are mounted into a container. A file that changes is still being written, perhaps,
     * and the first half of a price list may look like a whole one, so it is read once it rests; what is
     * found faulty even so is read again at its next change. The first look is for what changed between
     * the opening and the first poll.
     */
    watch(intervalMs = 1_000) {
      unwatch()
      let pending: NodeJS.Timeout | undefined
      const whenItRests = () => {
        clearTimeout(pending)
        pending = setTimeout(() => void follow(), intervalMs).unref()
      }
      unwatch = () => {
        clearTimeout(pending)
        unwatchFile(file, whenItRests)
      }
      watchFile(file, { interval: intervalMs, persistent: false }, whenItRests)
      whenItRests()
    },
    close: () => unwatch(),
  }
}

async function readCatalog({ file, own, check }: LiveCatalogOptions): Promise<Catalog> {
  const catalog = await loadCatalog(file, own)
  const faults = (await check?.(catalog)) ?? []
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${file}: ${fault}`))
  return catalog
}

/** The ids of the operations that are new, gone or different. */
function changedOperations({ operations: before }: Catalog, { operations: after }: Catalog): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...ids].filter((id) => !isDeepStrictEqual(before[id], after[id]))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
