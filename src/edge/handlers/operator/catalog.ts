import type { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { CatalogError, type Fault } from '../../../platform/config/catalog-file.ts'
import { ConfigError } from '../../../platform/config/config-error.ts'
import type { LiveCatalog } from '../../../platform/config/live-catalog.ts'
import { operatorOperation } from './fields.ts'
import { reloadSchema } from './replies.ts'

/**
 * POST /operator/catalog/reload: takes the current catalog file into use. An operator who changed a price
 * sees here that it is in use, or every fault of the file, without reading the log.
 */
export const catalogReloadRows = {
  reloadCatalog: {
    ...noInput,
    method: 'POST',
    path: '/operator/catalog/reload',
    operation: operatorOperation('Reads the catalog again and takes it into use.'),
    response: reloadSchema,
  },
} satisfies EndpointRows

export function catalogReloadHandlers(
  catalog: Pick<LiveCatalog, 'reload'>,
): Handlers<typeof catalogReloadRows> {
  return {
    async reloadCatalog() {
      const { changed } = await catalog.reload().catch((cause: unknown) => {
        const faults = faultsOf(cause)
        throw faults ? new GatewayError('CATALOG_FAULTY', { faults }, { cause }) : cause
      })
      const report: z.infer<typeof reloadSchema> = { changed }
      return json(200, report)
    },
  }
}

/** A contradiction with the settings has no place in the file: its sentence names the operation. */
function faultsOf(error: unknown): readonly Fault[] | undefined {
  if (error instanceof CatalogError) return error.faults
  if (!(error instanceof ConfigError)) return undefined
  return error.faults.map((message) => ({ line: 1, column: 1, path: '', message }))
}
