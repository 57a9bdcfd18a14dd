import type { Command } from 'commander'
import type { z } from 'zod'
import { listingStatusSchema } from '../../edge/handlers/operator/replies.ts'
import { type Access, findGatewayUrl } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, print, table } from '../output.ts'
import { formatTime } from '../time.ts'

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
  const status = listing
    .command('status')
    .description(
      'Show which payments went through the facilitators that list operations, and when the next is due.',
    )
  addGatewayOptions(status).action(async (options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const told = await gateway.get('/operator/listing', {}, listingStatusSchema)
    if (options.json) return print(JSON.stringify(told))
    if (told.listings.length > 0) print(table([columns, ...told.listings.map(toRow)]))
    else note('No operation of the catalog has `listing`. pricing/README.md says what it is for.')
  })
}

const columns = ['operation', 'by', 'facilitator', 'last', 'outcome', 'extensions', 'settled', 'next due']

function toRow(one: z.infer<typeof listingStatusSchema>['listings'][number]): string[] {
  const { last, settledAt, nextDue } = one
  return [
    one.operation,
    one.transport,
    one.facilitator,
    last ? `${formatTime(last.at)} ${last.paymentId}` : '-',
    last ? [last.outcome, ...(last.reason === null ? [] : [`(${last.reason})`])].join(' ') : '-',
    Object.entries(last?.extensions ?? {})
      .map(([name, fields]) => `${name}: ${Object.values(fields).join(', ')}`)
      .join('; ') || '-',
    settledAt === null ? '-' : formatTime(settledAt),
    nextDue === null ? 'the next payment' : formatTime(nextDue),
  ]
}
