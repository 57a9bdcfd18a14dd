import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { deletedScansSchema, foundScansSchema } from '../../edge/handlers/scans/operator-replies.ts'
import { CommandError } from '../command-error.ts'
import { confirm } from '../confirm.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, noteNextPage, print, table } from '../output.ts'
import { addPageOptions, type PageOptions } from '../page-options.ts'
import { addPeriodOptions, formatTime, parseDuration } from '../time.ts'

/** `tollgate scans`: lists the scans of all owners, and deletes those that are to be forgotten. */
export function addScansCommands(program: Command, access: Access): void {
  const scans = program.command('scans').description('List and delete scans, also those of API keys.')
  addListCommand(scans, access)
  addDeleteCommand(scans, access)
}

interface Choice {
  domain?: string
  email?: string
}

interface ListOptions extends PageOptions, Choice {
  status?: string
  since?: string
  until?: string
}

function addListCommand(scans: Command, access: Access): void {
  const list = addChoice(scans.command('list').description('List scans, newest first.')).option(
    '--status <status>',
    'only those that are pending, fetching, analyzing, complete or error',
  )
  addPageOptions(addGatewayOptions(addPeriodOptions(list))).action(async (options: ListOptions) => {
    const { domain, email, status, since, until, cursor } = options
    const limit = options.limit === undefined ? undefined : Number(options.limit)
    const gateway = await openGateway(options, access)
    const body = { domain, email, status, since, until, limit, cursor }
    const page = await gateway.post('/operator/scans/find', body, foundScansSchema)
    if (options.json) return print(JSON.stringify(page))
    if (page.scans.length > 0) print(table([columns, ...page.scans.map(toRow)]))
    note(page.total === 0 ? 'No scan matches.' : `${page.scans.length} of ${page.total} scans.`)
    noteNextPage(page.nextCursor)
  })
}

const columns = ['id', 'asked for', 'status', 'depth', 'domain', 'key', 'e-mail']

function toRow(scan: z.infer<typeof foundScansSchema>['scans'][number]): string[] {
  const { id, createdAt, status, depth, domain, owner, email } = scan
  return [id, formatTime(createdAt), status, depth, domain, owner ?? '-', email ?? '-']
}

interface DeleteOptions extends GatewayOptions, Choice {
  olderThan?: number
  dryRun?: boolean
  yes?: boolean
}

function addDeleteCommand(scans: Command, access: Access): void {
  const remove = addChoice(
    scans
      .command('delete')
      .description('Delete scans and all that was made of them. With several conditions, all must hold.')
      .argument('[ids...]', 'ids of scans'),
  )
    .addOption(
      new Option('--older-than <time>', 'only scans asked for so long ago: 90d, 12h').argParser(
        parseDuration,
      ),
    )
    .option('--dry-run', 'only say how many would be deleted')
    .option('-y, --yes', 'do not ask for confirmation')
  addGatewayOptions(remove).action(async (ids: string[], options: DeleteOptions) => {
    const { domain, email, olderThan, dryRun, yes } = options
    if (ids.length === 0 && domain === undefined && email === undefined && olderThan === undefined)
      throw new CommandError('Say which scans: ids, --domain, --email or --older-than.')
    const gateway = await openGateway(options, access)
    const until = olderThan === undefined ? undefined : Math.floor(Date.now() / 1000) - olderThan
    const choice = { ids: ids.length > 0 ? ids : undefined, domain, email, until }
    const { total } = await gateway.post('/operator/scans/find', { ...choice, limit: 1 }, foundScansSchema)
    if (dryRun) {
      return print(options.json ? JSON.stringify({ matching: total }) : `${total} scans would be deleted`)
    }
    if (total > 0 && !yes) await confirm(`Delete ${total} scans for good?`, 'Nothing was deleted')
    let deleted = 0
    for (let isDone = total === 0; !isDone; ) {
      const reply = await gateway.post('/operator/scans/delete', choice, deletedScansSchema)
      deleted += reply.deleted
      isDone = reply.isDone
      if (!isDone) note(`${deleted} of ${total} deleted`)
    }
    print(options.json ? JSON.stringify({ deleted }) : `${deleted} scans deleted`)
  })
}

function addChoice(command: Command): Command {
  return command.option('--domain <domain>', 'only scans of this domain, without its subdomains').addOption(
    new Option('--email <address>', 'only scans whose report goes to this address').argParser((text) => {
      if (text.includes('@')) return text
      throw new InvalidArgumentError('It must be an e-mail address.')
    }),
  )
}
