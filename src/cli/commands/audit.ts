import type { Command } from 'commander'
import type { z } from 'zod'
import { auditSchema } from '../../edge/handlers/operator/replies.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, noteNextPage, print, table } from '../output.ts'
import { addPeriodOptions, formatTime } from '../time.ts'

interface AuditOptions extends GatewayOptions {
  action?: string
  outcome?: string
  since?: string
  until?: string
  limit?: string
  cursor?: string
}

/** `tollgate audit`: what was changed with the operator token, by these commands or by other programs. */
export function addAuditCommand(program: Command, access: Access): void {
  const audit = program
    .command('audit')
    .description('List what was changed with the operator token, newest first.')
    .option('--action <id>', 'only this action, such as refundPayment, refundTransfer or createKey')
    .option('--outcome <outcome>', 'only begun, done, refused or failed ones')
    .option('--limit <number>', 'how many at most, up to 500')
    .option('--cursor <cursor>', 'next page, as the last output names it')
  addGatewayOptions(addPeriodOptions(audit)).action(async (options: AuditOptions) => {
    const { action, outcome, since, until, limit, cursor } = options
    const gateway = await openGateway(options, access)
    const query = { action, outcome, since, until, limit, cursor }
    const page = await gateway.get('/operator/audit', query, auditSchema)
    if (options.json) return print(JSON.stringify(page))
    if (page.actions.length > 0) print(table([columns, ...page.actions.map(toRow)]))
    else note('No action matches.')
    noteNextPage(page.nextCursor)
  })
}

const columns = ['', 'action', 'outcome', 'from', 'subject', 'details']

function toRow(one: z.infer<typeof auditSchema>['actions'][number]): string[] {
  return [
    formatTime(one.at),
    one.action,
    one.code === null ? one.outcome : `${one.outcome} (${one.code})`,
    one.client,
    one.subject ?? '-',
    Object.entries(one.details)
      .filter(([, value]) => value !== one.subject && value !== '')
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' ') || '-',
  ]
}
