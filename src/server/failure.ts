import { DevChainError } from '../platform/chain/local/dev-chain-error.ts'
import { CatalogError } from '../platform/config/catalog-file.ts'
import { ConfigError } from '../platform/config/config.ts'
import { StoreError } from '../platform/store/database.ts'
import { FolderLockedError } from '../platform/store/embedded/folder-lock.ts'
import { ListenError } from './server.ts'

/** What to tell a person when a command fails: a fault they can mend in a sentence, a fault of ours with its stack. */
export function explainFailure(error: unknown): string {
  const known =
    error instanceof ConfigError ||
    error instanceof CatalogError ||
    error instanceof StoreError ||
    error instanceof FolderLockedError ||
    error instanceof DevChainError ||
    error instanceof ListenError
  if (!known) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const cause = error.cause instanceof Error ? `\n  (${error.cause.message})` : ''
  return `${error.message}${cause}`
}
