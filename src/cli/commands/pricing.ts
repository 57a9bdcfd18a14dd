import type { Command } from 'commander'
import { reloadSchema } from '../../edge/handlers/operator/replies.ts'
import { CatalogError, describeFault, type Fault, loadCatalog } from '../../platform/config/catalog-file.ts'
import { catalogJsonSchema } from '../../platform/config/catalog-json-schema.ts'
import { type Access, asksGateway, type GatewayOptions, openGateway } from './gateway.ts'
import { print } from './output.ts'

/** `tollgate pricing`: the catalogue is checked before a gateway sells by it, and a running one told to take it. */
export function addPricingCommands(program: Command, access: Access, catalogFile: string): void {
  const pricing = program.command('pricing').description('The catalogue of prices.')

  pricing
    .command('check')
    .description('Check a catalogue and print every fault with its line.')
    .argument('[file]', 'the catalogue; the one that CATALOG_FILE names, when left out', catalogFile)
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: { json?: boolean }) => {
      const faults = await catalogFaults(file)
      if (options.json) print(JSON.stringify({ file, valid: faults.length === 0, faults }))
      else if (faults.length === 0) print(`${file}: no faults`)
      else for (const fault of faults) print(describeFault(file, fault))
      if (faults.length > 0) process.exitCode = 1
    })

  pricing
    .command('schema')
    .description('Print the JSON Schema of the catalogue, for editors.')
    .action(() => {
      process.stdout.write(catalogJsonSchema())
    })

  const reload = pricing.command('reload').description('Have a running gateway read its catalogue again.')
  asksGateway(reload).action(async (options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const outcome = await gateway.post('/operator/catalog/reload', {}, reloadSchema)
    if (options.json) return print(JSON.stringify(outcome))
    print(outcome.changed ? 'the changed catalogue is in use' : 'the catalogue has not changed')
  })
}

async function catalogFaults(file: string): Promise<readonly Fault[]> {
  // All that the gateway is made of hangs on these, and the other commands, and the help, need none of it.
  const { operationIds } = await import('../../edge/handlers/endpoints.ts')
  try {
    await loadCatalog(file, operationIds)
    return []
  } catch (error) {
    if (error instanceof CatalogError) return error.faults
    throw error
  }
}
