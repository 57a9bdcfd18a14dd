import { DevChainError } from '../../platform/chain/local/dev-chain-error.ts'
import { CatalogError } from '../../platform/config/catalog-file.ts'
import { ConfigError } from '../../platform/config/config-error.ts'
import { StoreError } from '../../platform/store/database.ts'
import { FolderLockedError } from '../../platform/store/embedded/folder-lock.ts'
import { ListenError } from './open-ports.ts'

/**
 * The text for a failed start or command: one sentence for a fault that the operator can fix, a stack for a
 * bug.
 */
export function explainFailure(error: unknown): string {
  const isFixable =
    error instanceof ConfigError ||
    error instanceof CatalogError ||
    error instanceof StoreError ||
    error instanceof FolderLockedError ||
    error instanceof DevChainError ||
    error instanceof ListenError
  if (!isFixable) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const cause = error.cause instanceof Error ? `\n  (${error.cause.message})` : ''
  return `${error.message}${cause}`
}
