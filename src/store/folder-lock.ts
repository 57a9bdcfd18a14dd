import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Keeps a data folder for one process. PGlite lets two processes open the same folder and corrupts it.
 * SQLite can hold an operating-system lock on a file, which Node itself cannot; the system drops it
 * when the process dies, however it dies, so no stale lock is ever left to be judged.
 * @returns the release, or undefined when another process holds the folder.
 */
export function lockFolder(folder: string): (() => void) | undefined {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && /locked/.test(error.message)) return undefined
    throw error
  }
  return () => lock.close()
}
