import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process uses the data folder. The message tells the operator what to do. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError'
}

/**
 * Locks a data folder for this process. Without the lock two processes could open the same PGlite store,
 * which corrupts it, and a second gateway would adopt the first one's local chain and stop it at its own end.
 * SQLite holds an operating-system lock on a file, which Node itself cannot do. The system releases that lock
 * when the process dies, so a lock is never stale.
 * @returns the function that releases the lock.
 * @throws FolderLockedError while another process holds the folder.
 */
export function lockFolder(folder: string): () => void {
  // The books hold signatures that are still worth money: no other user of this machine may read them.
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (cause) {
    lock.close()
    if (!(cause instanceof Error && /locked/.test(cause.message))) throw cause
    throw new FolderLockedError(
      `Another gateway uses the data folder ${folder}. Stop it, or start this one with another DATA_DIR, PORT and DEV_CHAIN_PORT.`,
      { cause },
    )
  }
  return () => lock.close()
}
