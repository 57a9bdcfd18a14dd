import type { Command } from 'commander'
import type { Access } from '../gateway/locate-gateway.ts'
import {
  addManagerOptions,
  type ManagerOptions,
  openWebhookManager,
  type Sent,
  type Shown,
} from '../gateway/webhook-manager.ts'
import { note, noteNextPage, oneLine, print, table } from '../output.ts'
import { addPageOptions, type PageOptions } from '../page-options.ts'

/**
 * `tollgate webhooks`: subscriptions and what their receivers answered. The operator manages those of all callers, with
 * and without a key; with `--key-file` the holder of a key manages its own.
 */
export function addWebhooksCommands(program: Command, access: Access): void {
  const webhooks = program.command('webhooks').description('Manage the webhook subscriptions of a gateway.')
  addListCommand(webhooks, access)
  addShowCommand(webhooks, access)
  addStatusCommand(webhooks, access, 'pause', 'Stop the deliveries of a subscription until it is resumed.')
  addStatusCommand(webhooks, access, 'resume', 'Let a paused or disabled subscription go on.')
  addDeleteCommand(webhooks, access)
  addTestCommand(webhooks, access)
  addResendCommand(webhooks, access)
}

function addListCommand(webhooks: Command, access: Access): void {
  const list = webhooks
    .command('list')
    .description('List subscriptions, the newest first.')
    .option('--owner <owner>', 'only of this owner: key:<id>, oidc:<subject> or client:<address>')
    .option('--status <status>', 'only active, paused or disabled ones')
  addPageOptions(addManagerOptions(list)).action(
    async (options: PageOptions & ManagerOptions & { owner?: string; status?: string }) => {
      const { owner, status, limit, cursor } = options
      const manager = await openWebhookManager(options, access)
      const page = await manager.list({ owner, status, limit, cursor })
      if (options.json) return print(JSON.stringify(page))
      const rows = page.subscriptions.map((one) => [
        one.created_at,
        one.id,
        statusOf(one),
        one.owner ?? '',
        one.callback_url,
        one.events.join(','),
      ])
      if (rows.length > 0) print(table([['', 'id', 'status', 'owner', 'address', 'events'], ...rows]))
      else note('No subscription matches.')
      noteNextPage(page.nextCursor)
    },
  )
}

function addShowCommand(webhooks: Command, access: Access): void {
  const show = withId(webhooks.command('show').description('Show a subscription with its last deliveries.'))
  addManagerOptions(show).action(async (id: string, options: ManagerOptions) => {
    const manager = await openWebhookManager(options, access)
    const shown = await manager.show(id)
    if (options.json) return print(JSON.stringify(shown))
    const { subscription, deliveries } = shown
    for (const [name, value] of Object.entries(subscription)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      print(`${name.padEnd(16)} ${oneLine(text)}`)
    }
    const rows = deliveries.map((one) => [
      one.created_at,
      one.id,
      one.event,
      one.status,
      String(one.attempts),
      one.answer === null ? '-' : (one.answer.problem ?? String(one.answer.status)),
    ])
    if (rows.length > 0)
      print(table([['', 'delivery', 'event', 'status', 'attempts', 'answer'], ...rows], [4]))
    else note('Nothing was delivered to it yet.')
  })
}

function addStatusCommand(
  webhooks: Command,
  access: Access,
  name: 'pause' | 'resume',
  description: string,
): void {
  const change = withId(webhooks.command(name).description(description))
  addManagerOptions(change).action(async (id: string, options: ManagerOptions) => {
    const manager = await openWebhookManager(options, access)
    const changed = await manager.change(id, name)
    print(options.json ? JSON.stringify(changed) : `${changed.id} is ${statusOf(changed)}`)
  })
}

function addDeleteCommand(webhooks: Command, access: Access): void {
  const remove = withId(
    webhooks.command('delete').description('Delete a subscription with its deliveries, permanently.'),
  )
  addManagerOptions(remove).action(async (id: string, options: ManagerOptions) => {
    const manager = await openWebhookManager(options, access)
    const deleted = await manager.remove(id)
    print(options.json ? JSON.stringify(deleted) : `deleted ${deleted.id}`)
  })
}

function addTestCommand(webhooks: Command, access: Access): void {
  const test = withId(webhooks.command('test').description('Send a test delivery to a subscription.'))
  addManagerOptions(test).action(async (id: string, options: ManagerOptions) => {
    const manager = await openWebhookManager(options, access)
    printSent(await manager.test(id), options)
  })
}

function addResendCommand(webhooks: Command, access: Access): void {
  const resend = withId(
    webhooks.command('resend').description('Send a delivery again, with the same webhook-id.'),
  ).argument('<delivery>', 'id of the delivery, as show lists it')
  addManagerOptions(resend).action(async (id: string, delivery: string, options: ManagerOptions) => {
    const manager = await openWebhookManager(options, access)
    printSent(await manager.resend(id, delivery), options)
  })
}

function withId(command: Command): Command {
  return command.argument('<id>', 'id of the subscription')
}

function statusOf({ status, disabled_reason: reason }: Shown): string {
  return reason === null ? status : `${status} (${reason})`
}

function printSent(sent: Sent, { json }: ManagerOptions): void {
  print(json ? JSON.stringify(sent) : sent.delivery_id)
  if (!json) note('The delivery is on its way; webhooks show says what the receiver answered.')
}
