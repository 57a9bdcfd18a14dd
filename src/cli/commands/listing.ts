import type { Command } from 'commander'
import { type Access, findGatewayUrl } from '../gateway/locate-gateway.ts'
import { print } from '../output.ts'

interface ListingOptions {
  url?: string
  json?: boolean
}

/** `tollgate listing`: what catalogs of paid services make of this gateway. */
export function addListingCommands(program: Command, access: Access): void {
  const listing = program
    .command('listing')
    .description('Look at the gateway as catalogs of paid services do.')
  listing
    .command('check')
    .description('Ask for the price of every paid operation, and print what a catalog would refuse.')
    .option('--url <url>', 'address of the gateway; by default the one in DATA_DIR')
    .option('--json', 'print one JSON object')
    .action(async (options: ListingOptions) => {
      // Loads a compiler of JSON Schema, which no other command needs.
      const { checkListing } = await import('../listing/check-listing.ts')
      const operations = await checkListing(await findGatewayUrl(options, access))
      if (operations.some(({ problems }) => problems.length > 0)) process.exitCode = 1
      if (options.json) return print(JSON.stringify({ operations }))
      for (const { operation, address, problems } of operations) {
        print(`${operation}  ${address}${problems.length === 0 ? ': a catalog takes it' : ':'}`)
        for (const problem of problems) print(`  ${problem}`)
      }
    })
}
