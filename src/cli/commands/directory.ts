import type { Command } from 'commander'
import type { z } from 'zod'
import { listingRowsSchema, removedSchema, restoredSchema } from '../../edge/handlers/directory/replies.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, noteNextPage, print, table } from '../output.ts'
import { addPageOptions, type PageOptions } from '../page-options.ts'

/** `tollgate directory`: which sites are listed, and keeps sites out that ask for it. */
export function addDirectoryCommands(program: Command, access: Access): void {
  const directory = program.command('directory').description('Manage the public directory of scanned sites.')
  addListCommand(directory, access)
  addRemoveCommand(directory, access)
  addRestoreCommand(directory, access)
}

function addListCommand(directory: Command, access: Access): void {
  const list = directory
    .command('list')
    .description('List the sites that the directory knows, by domain.')
    .option('--state <state>', 'only those that are listed, withdrawn (by the site) or removed (by you)')
  addPageOptions(addGatewayOptions(list)).action(async (options: PageOptions & { state?: string }) => {
    const { state, limit, cursor } = options
    const gateway = await openGateway(options, access)
    const page = await gateway.get('/operator/directory', { state, limit, cursor }, listingRowsSchema)
    if (options.json) return print(JSON.stringify(page))
    if (page.listings.length > 0) print(table([columns, ...page.listings.map(toRow)], [4, 5]))
    else note('No site matches.')
    noteNextPage(page.nextCursor)
  })
}

const columns = ['domain', 'state', 'slug', 'industry', 'readiness', 'AEO', 'name']

function toRow(row: z.infer<typeof listingRowsSchema>['listings'][number]): string[] {
  const { domain, state, slug, industry, readinessScore, aeoScore, businessName } = row
  const scores = [readinessScore, aeoScore].map((score) => (score === null ? '-' : String(score)))
  return [domain, state, slug, industry ?? '-', ...scores, businessName ?? '-']
}

function addRemoveCommand(directory: Command, access: Access): void {
  const remove = directory
    .command('remove')
    .description('Take a site out of the directory. No scan brings it back.')
    .argument('<domain>', 'the domain, without its subdomains')
  addGatewayOptions(remove).action(async (domain: string, options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const path = `/operator/directory/${encodeURIComponent(domain)}/remove`
    const removed = await gateway.post(path, {}, removedSchema)
    if (options.json) return print(JSON.stringify(removed))
    print(`${removed.alreadyRemoved ? 'already removed' : 'removed'}: ${removed.domain}`)
  })
}

function addRestoreCommand(directory: Command, access: Access): void {
  const restore = directory
    .command('restore')
    .description('Let a removed site be listed again.')
    .argument('<domain>', 'the domain, without its subdomains')
  addGatewayOptions(restore).action(async (domain: string, options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const path = `/operator/directory/${encodeURIComponent(domain)}/restore`
    const restored = await gateway.post(path, {}, restoredSchema)
    if (options.json) return print(JSON.stringify(restored))
    const { listing } = restored
    if (listing?.state === 'listed') print(`listed again: ${restored.domain} as ${listing.slug}`)
    else if (listing) print(`not listed: ${restored.domain} asks not to be`)
    else print(`restored: ${restored.domain} is listed with its next scan`)
  })
}
