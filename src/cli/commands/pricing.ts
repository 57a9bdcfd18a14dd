import type { Command } from 'commander'
import { catalogJsonSchema } from '../../core/catalog/catalog-schema.ts'
import { reloadSchema } from '../../edge/handlers/operator/replies.ts'
import {
  CatalogError,
  describeFault,
  type Fault,
  inspectCatalog,
} from '../../platform/config/catalog-file.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { print } from '../output.ts'

/** `tollgate pricing`: checks a catalog file before a gateway uses it, and has a running gateway reload it. */
export function addPricingCommands(program: Command, access: Access, catalogFile: string): void {
  const pricing = program.command('pricing').description('Check and reload the catalog of prices.')

  pricing
    .command('check')
    .description('Check a catalog and print every fault and warning with its line.')
    .argument('[file]', 'the catalog; by default the one that CATALOG_FILE names', catalogFile)
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: { json?: boolean }) => {
      const { faults, warnings } = await inspect(file)
      if (faults.length > 0) process.exitCode = 1
      if (options.json) {
        print(JSON.stringify({ file, valid: faults.length === 0, faults, warnings }))
        return
      }
      for (const fault of faults) print(describeFault(file, fault))
      if (faults.length === 0) print(`${file}: no faults`)
      for (const { message, ...place } of warnings) {
        print(describeFault(file, { ...place, message: `warning: ${message}` }))
      }
    })

  pricing
    .command('schema')
    .description('Print the JSON Schema of the catalog, for editors.')
    .action(() => {
      process.stdout.write(catalogJsonSchema())
    })

  const reload = pricing.command('reload').description('Have a running gateway read its catalog again.')
  addGatewayOptions(reload).action(async (options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const outcome = await gateway.post('/operator/catalog/reload', {}, reloadSchema)
    if (options.json) return print(JSON.stringify(outcome))
    print(outcome.changed ? 'the changed catalog is in use' : 'the catalog has not changed')
  })
}

async function inspect(file: string): Promise<Record<'faults' | 'warnings', readonly Fault[]>> {
  // Loads the whole gateway, which no other command needs.
  const { ownEndpoints } = await import('../../edge/handlers/table.ts')
  try {
    const { warnings } = await inspectCatalog(file, ownEndpoints)
    return { faults: [], warnings }
  } catch (error) {
    if (error instanceof CatalogError) return { faults: error.faults, warnings: [] }
    throw error
  }
}
