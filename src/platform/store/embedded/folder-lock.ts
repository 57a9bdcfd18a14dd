import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process runs on the data folder; the message says what to do. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError'
}

/**
 * Keeps a data folder for one process. PGlite lets two processes open the same store and corrupts it,
 * and a second gateway would adopt the first one's local chain and end it on its way out. SQLite can
 * hold an operating-system lock on a file, which Node itself cannot; the system drops it when the
 * process dies, however it dies, so no stale lock is ever left to be judged.
 * @returns the release.
 * @throws FolderLockedError while another process holds the folder.
 */
export function lockFolder(folder: string): () => void {
  // The books hold signatures that are still worth money: nobody else on this machine may read them.
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (cause) {
    lock.close()
    if (!(cause instanceof Error && /locked/.test(cause.message))) throw cause
    throw new FolderLockedError(
      `Another gateway runs on the data folder ${folder}. Stop it, or give this one a DATA_DIR, PORT and DEV_CHAIN_PORT of its own.`,
      { cause },
    )
  }
  return () => lock.close()
}
