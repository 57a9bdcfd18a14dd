import { type Command, Option } from 'commander'
import type { z } from 'zod'
import {
  changedSchema,
  deletedSchema,
  type deliverySchema,
  inspectedSchema,
  operatorInspectedSchema,
  operatorSubscriptionListSchema,
  operatorSubscriptionSchema,
  type ownSubscriptionSchema,
  sentSchema,
  subscriptionListSchema,
} from '../../edge/handlers/webhooks/replies.ts'
import { CommandError } from '../command-error.ts'
import { readSecretFile } from '../secret-file.ts'
import { type Access, findGatewayUrl } from './locate-gateway.ts'
import {
  addGatewayOptions,
  connectGateway,
  type Gateway,
  type GatewayOptions,
  openGateway,
} from './open-gateway.ts'

/** Webhook subscriptions as the operator manages them, all, or as the holder of an API key does, its own. */
export interface WebhookManager {
  /** @throws CommandError like all of these, with the gateway's message when it refuses. */
  list(
    query: Query,
  ): Promise<{ readonly subscriptions: readonly Shown[]; readonly nextCursor: string | null }>
  show(id: string): Promise<{ readonly subscription: Shown; readonly deliveries: readonly Delivery[] }>
  change(id: string, change: 'pause' | 'resume'): Promise<Shown>
  remove(id: string): Promise<z.infer<typeof deletedSchema>>
  test(id: string): Promise<Sent>
  resend(id: string, delivery: string): Promise<Sent>
}

type Query = Readonly<Record<'owner' | 'status' | 'limit' | 'cursor', string | undefined>>
/** The operator is also told whose subscription it is. */
export type Shown = z.infer<typeof ownSubscriptionSchema> & { readonly owner?: string }
type Delivery = z.infer<typeof deliverySchema>
export type Sent = z.infer<typeof sentSchema>

export interface ManagerOptions extends GatewayOptions {
  key?: string
  keyFile?: string
}

/** Adds the options that say which gateway a command asks, and as whom. */
export function addManagerOptions(command: Command): Command {
  return addGatewayOptions(command)
    .option(
      '--key-file <file>',
      'file with an API key: manages the subscriptions of this key, without the operator token',
    )
    .addOption(
      new Option('--key <key>', 'the key itself; --key-file hides it from other users').conflicts('keyFile'),
    )
}

/** @throws CommandError when no address, token or key is known. */
export async function openWebhookManager(options: ManagerOptions, access: Access): Promise<WebhookManager> {
  const key = options.keyFile === undefined ? options.key : await readSecretFile(options.keyFile, 'key')
  if (key === undefined) return operatorManager(await openGateway(options, access))
  return holderManager(connectGateway(await findGatewayUrl(options, access), { 'x-mcp-api-key': key }))
}

function operatorManager(gateway: Gateway): WebhookManager {
  const pathOf = pathUnder('/operator/webhooks')
  return {
    list: (query) => gateway.get('/operator/webhooks', query, operatorSubscriptionListSchema),
    show: (id) => gateway.get(pathOf(id), {}, operatorInspectedSchema),
    change: (id, change) => gateway.post(pathOf(id, change), {}, operatorSubscriptionSchema),
    remove: (id) => gateway.post(pathOf(id, 'delete'), {}, deletedSchema),
    test: (id) => gateway.post(pathOf(id, 'test'), {}, sentSchema),
    resend: (id, delivery) => gateway.post(pathOf(id, 'deliveries', delivery, 'resend'), {}, sentSchema),
  }
}

function holderManager(gateway: Gateway): WebhookManager {
  const path = '/api/webhooks/subscriptions'
  const pathOf = pathUnder(path)
  return {
    async list(query) {
      if (query.owner !== undefined)
        throw new CommandError('--owner is for the operator: a key has its own subscriptions only.')
      return await gateway.get(path, query, subscriptionListSchema)
    },
    show: (id) => gateway.get(pathOf(id), {}, inspectedSchema),
    change: async (id, change) => (await gateway.post(pathOf(id, change), {}, changedSchema)).subscription,
    remove: (id) => gateway.delete(pathOf(id), deletedSchema),
    test: (id) => gateway.post(pathOf(id, 'test'), {}, sentSchema),
    resend: (id, delivery) => gateway.post(pathOf(id, 'deliveries', delivery, 'resend'), {}, sentSchema),
  }
}

function pathUnder(base: string): (...parts: readonly string[]) => string {
  return (...parts) => [base, ...parts.map(encodeURIComponent)].join('/')
}
