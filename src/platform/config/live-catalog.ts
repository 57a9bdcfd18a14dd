import { unwatchFile, watchFile } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Catalog } from '../../core/catalog/catalog.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { CatalogError, describeFault, type Fault, inspectCatalog, type OwnEndpoints } from './catalog-file.ts'
import { ConfigError } from './config-error.ts'

/**
 * The catalog in use, which follows its file while the gateway runs. Without it a new price would need a
 * restart, which waits for the calls under way. The catalog is replaced whole or not at all: a faulty file
 * leaves the one in use unchanged.
 */
export interface LiveCatalog {
  /**
   * The catalog in use: one and the same object until its content changes, because route tables are kept by
   * it.
   */
  readonly current: () => Catalog
  /**
   * Since when the catalog is in use, and since when its file cannot be used while an earlier catalog stays in
   * use; undefined when it can.
   */
  readonly state: () => { readonly loadedAt: Date; readonly faultySince: Date | undefined }
  /**
   * Reads the file again and logs the outcome.
   * @throws CatalogError or ConfigError when the file cannot be used; the catalog in use stays.
   */
  readonly reload: () => Promise<{ readonly changed: boolean }>
  /** Starts to read the file again whenever it has changed and then rested for `intervalMs`. */
  readonly watch: (intervalMs?: number) => void
  /** Stops watching. */
  readonly close: () => void
}

interface LiveCatalogOptions {
  readonly file: string
  readonly own: OwnEndpoints
  /** Returns the faults that only the rest of the settings shows, a sentence each. */
  readonly check?: (catalog: Catalog) => readonly string[] | Promise<readonly string[]>
  readonly clock?: Clock
  readonly log: Log
}

/** @throws CatalogError or ConfigError when the file cannot be used: there is no catalog to begin with. */
export async function openLiveCatalog(options: LiveCatalogOptions): Promise<LiveCatalog> {
  const { file, log, clock = systemClock } = options
  const first = await readCatalog(options)
  let { catalog } = first
  logWarnings(first.warnings)
  let loadedAt = new Date(clock.now())
  let lastRead: Promise<unknown> = Promise.resolve()
  /** The refusal that was logged last; undefined once the file was correct again. */
  let loggedRefusal: string | undefined
  let faultySince: Date | undefined
  let unwatch = () => {}

  async function reload(): Promise<{ changed: boolean }> {
    try {
      const changed = await replaceInTurn()
      if (!changed) log.info({ file }, 'the catalog has not changed')
      return { changed }
    } catch (error) {
      logRefusal(error)
      throw error
    }
  }

  /** Reads the file after a change. The same faults are logged once, and not at every change of the file. */
  async function follow(): Promise<void> {
    try {
      await replaceInTurn()
    } catch (error) {
      if (loggedRefusal !== messageOf(error)) logRefusal(error)
    }
  }

  /** One read at a time: a slow read that began before a change must not replace what was read after it. */
  function replaceInTurn(): Promise<boolean> {
    const turn = lastRead.then(replace, replace)
    lastRead = turn
    return turn
  }

  /** @returns whether the catalog in use has changed. */
  async function replace(): Promise<boolean> {
    const next = await readCatalog(options).catch((error: unknown) => {
      faultySince ??= new Date(clock.now())
      throw error
    })
    faultySince = undefined
    loggedRefusal = undefined
    if (isDeepStrictEqual(next.catalog, catalog)) return false
    log.info({ file, operations: changedOperations(catalog, next.catalog) }, 'the catalog has changed')
    catalog = next.catalog
    logWarnings(next.warnings)
    loadedAt = new Date(clock.now())
    return true
  }

  function logWarnings(warnings: readonly Fault[]): void {
    for (const warning of warnings) log.warn(describeFault(file, warning))
  }

  function logRefusal(error: unknown): void {
    loggedRefusal = messageOf(error)
    const why =
      error instanceof CatalogError || error instanceof ConfigError
        ? { faults: error.faults }
        : { err: error }
    log.error({ file, ...why }, 'the catalog file cannot be used; the current catalog stays in use')
  }

  return {
    current: () => catalog,
    state: () => ({ loadedAt, faultySince }),
    reload,
    /**
     * Polls the file: events of the file system are lost when an editor replaces the file, and do not reach
     * files that are mounted into a container. A file that changes may be half written, and and half a
     * catalog may look complete. So it is read once it is unchanged for a while; a faulty one is read again
     * at its next change. The first read finds what changed between the opening and the first poll.
     */
    watch(intervalMs = 1_000) {
      unwatch()
      let pending: NodeJS.Timeout | undefined
      const readWhenRested = () => {
        clearTimeout(pending)
        pending = setTimeout(() => void follow(), intervalMs).unref()
      }
      unwatch = () => {
        clearTimeout(pending)
        unwatchFile(file, readWhenRested)
      }
      watchFile(file, { interval: intervalMs, persistent: false }, readWhenRested)
      readWhenRested()
    },
    close: () => unwatch(),
  }
}

async function readCatalog({ file, own, check }: LiveCatalogOptions) {
  const inspected = await inspectCatalog(file, own)
  const faults = (await check?.(inspected.catalog)) ?? []
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${file}: ${fault}`))
  return inspected
}

/** The ids of the operations that are new, gone or different. */
function changedOperations({ operations: before }: Catalog, { operations: after }: Catalog): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...ids].filter((id) => !isDeepStrictEqual(before[id], after[id]))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
