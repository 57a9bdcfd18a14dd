import type { z } from 'zod'
import { type Endpoint, endpointWith, noBody, noParams, noQuery } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { CatalogError, type Fault } from '../../../platform/config/catalog-file.ts'
import { ConfigError } from '../../../platform/config/config.ts'
import type { LiveCatalog } from '../../../platform/config/live-catalog.ts'
import { operatorOperation } from './fields.ts'
import { reloadSchema } from './replies.ts'

/**
 * POST /operator/catalog/reload: takes the catalogue's file into use as it is now. Whoever changed a price
 * learns here whether it holds, and of a faulty file every fault, instead of having to look into the log.
 */
export function catalogReloadEndpoint(catalog: Pick<LiveCatalog, 'reload'>): Endpoint {
  return endpointWith({
    id: 'reloadCatalog',
    method: 'POST',
    path: '/operator/catalog/reload',
    operation: operatorOperation('Reads the catalogue again and takes it into use.'),
    params: noParams,
    query: noQuery,
    body: noBody,
    response: reloadSchema,
    async handle() {
      const { changed } = await catalog.reload().catch((cause: unknown) => {
        const faults = faultsOf(cause)
        throw faults ? new GatewayError('CATALOG_FAULTY', { faults }, { cause }) : cause
      })
      const report: z.infer<typeof reloadSchema> = { changed }
      return json(200, report)
    },
  })
}

/** What contradicts the settings stands at no place of the file: its sentence names the operation instead. */
function faultsOf(error: unknown): readonly Fault[] | undefined {
  if (error instanceof CatalogError) return error.faults
  if (!(error instanceof ConfigError)) return undefined
  return error.faults.map((message) => ({ line: 1, column: 1, path: '', message }))
}
