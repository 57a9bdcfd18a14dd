import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import {
  keyListSchema,
  keySchema,
  keysUsedSchema,
  rotatedSchema,
  shownKeySchema,
  shownUsageSchema,
} from '../../edge/handlers/operator/replies.ts'
import { CommandError } from '../command-error.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, noteNextPage, print, table } from '../output.ts'
import { formatTime, parseDuration } from '../time.ts'

/**
 * `tollgate keys`: creates, lists and ends API keys. A new key is printed once, alone on standard output, so
 * that a script can store it.
 */
export function addKeysCommands(program: Command, access: Access): void {
  const keys = program.command('keys').description('Manage the API keys of a running gateway.')
  addCreateCommand(keys, access)
  addListCommand(keys, access)
  addUpdateCommand(keys, access)
  addUsageCommand(keys, access)
  addRevokeCommand(keys, access)
  addRotateCommand(keys, access)
  addRotateSigningCommand(keys, access)
}

interface CreateOptions extends GatewayOptions {
  tier: string
  owner?: string
  label?: string
  expires?: string
  days?: number
}

function addCreateCommand(keys: Command, access: Access): void {
  const create = keys
    .command('create')
    .description('Create a key of a tier and print it, this once.')
    .requiredOption('--tier <tier>', 'a tier of the catalog')
    .option('--owner <owner>', 'its owner: a name or an address')
    .option('--label <label>', 'what it is for')
    .option('--expires <when>', 'when it expires: a date or a time; by default never')
    .addOption(
      new Option('--days <number>', 'how many days it is valid')
        .argParser(parseWholeNumber)
        .conflicts('expires'),
    )
  addGatewayOptions(create).action(async (options: CreateOptions) => {
    const { tier, owner, label, expires, days } = options
    const gateway = await openGateway(options, access)
    const created = await gateway.post(
      '/operator/keys',
      { tier, owner, label, expires, days },
      shownKeySchema,
    )
    if (options.json) return print(JSON.stringify(created))
    print(created.key)
    const expiry = created.expiresAt === null ? 'never expires' : `expires ${formatTime(created.expiresAt)}`
    note(
      `Key ${created.keyId} of tier ${created.tier} ${expiry}. It is shown this once: the gateway stores only its hash.`,
    )
  })
}

interface ListOptions extends GatewayOptions {
  tier?: string
  owner?: string
  state?: string
  limit?: string
  cursor?: string
}

function addListCommand(keys: Command, access: Access): void {
  const list = keys
    .command('list')
    .description('List keys, newest first.')
    .option('--tier <tier>', 'only keys of this tier')
    .option('--owner <owner>', 'only keys of this owner')
    .option('--state <state>', 'only keys that are active, expired or revoked')
    .option('--limit <number>', 'how many at most, up to 500')
    .option('--cursor <cursor>', 'next page, as the last output names it')
  addGatewayOptions(list).action(async (options: ListOptions) => {
    const { tier, owner, state, limit, cursor } = options
    const gateway = await openGateway(options, access)
    const page = await gateway.get('/operator/keys', { tier, owner, state, limit, cursor }, keyListSchema)
    if (options.json) return print(JSON.stringify(page))
    if (page.keys.length > 0) print(table([listColumns, ...page.keys.map(toRow)]))
    else note('No key matches.')
    noteNextPage(page.nextCursor)
  })
}

const listColumns = ['id', 'state', 'tier', 'network', 'created', 'expires', 'last used', 'owner', 'label']

function toRow(key: z.infer<typeof keySchema>): string[] {
  const times = [key.createdAt, key.expiresAt, key.lastUsedAt]
  return [
    key.keyId,
    key.state,
    key.tier,
    key.network ?? 'any',
    ...times.map((at) => (at === null ? '-' : formatTime(at))),
    key.owner || '-',
    key.label || '-',
  ]
}

interface UpdateOptions extends GatewayOptions {
  tier?: string
  label?: string
  expires?: string
}

function addUpdateCommand(keys: Command, access: Access): void {
  const update = keys
    .command('update')
    .description('Change a key; every gateway follows within a second. Its secret stays.')
    .argument('<id>', 'id of the key: the 16 characters after tgk_')
    .option('--tier <tier>', 'a tier of the catalog; what was used stays counted')
    .option('--expires <when>', 'when it expires: a date, a time, or never')
    .option('--label <label>', "what it is for; '' for nothing")
  addGatewayOptions(update).action(async (id: string, options: UpdateOptions) => {
    const { tier, label, expires } = options
    if (tier === undefined && label === undefined && expires === undefined) {
      throw new CommandError('Nothing to change: name --tier, --expires or --label.')
    }
    const gateway = await openGateway(options, access)
    const change = { tier, label, expires: expires === 'never' ? null : expires }
    const key = await gateway.post(`/operator/keys/${encodeURIComponent(id)}/update`, change, keySchema)
    print(options.json ? JSON.stringify(key) : table([listColumns, toRow(key)]))
  })
}

interface UsageOptions extends ListOptions {
  period?: string
}

function addUsageCommand(keys: Command, access: Access): void {
  const usage = keys
    .command('usage')
    .description('Show what a key has used and has left; without an id, what each key has used.')
    .argument('[id]', 'id of the key: the 16 characters after tgk_')
    .option('--period <period>', 'all keys: a day (2026-05-31) or month (2026-05); by default this month')
    .option('--tier <tier>', 'all keys: only those of this tier')
    .option('--owner <owner>', 'all keys: only those of this owner')
    .option('--state <state>', 'all keys: only active, expired or revoked ones')
    .option('--limit <number>', 'all keys: how many at most, up to 500')
    .option('--cursor <cursor>', 'all keys: next page, as the last output names it')
  addGatewayOptions(usage).action(async (id: string | undefined, options: UsageOptions) => {
    if (id === undefined) return showUsageOfAll(options, access)
    const gateway = await openGateway(options, access)
    const shown = await gateway.get(`/operator/keys/${encodeURIComponent(id)}/usage`, {}, shownUsageSchema)
    if (options.json) return print(JSON.stringify(shown))
    const rows = shown.operations.flatMap((line) => [
      ...usedRows(line.operation, 'calls', line),
      ...(line.units ?? []).flatMap((one) => usedRows(line.operation, one.unit, one)),
    ])
    const head = ['operation', 'unit', 'per', 'used', 'limit', 'left', 'resets']
    if (rows.length > 0) print(table([head, ...rows], [3, 4, 5]))
    const { rate } = shown
    const speed = rate ? `, at most ${rate.calls} calls in ${rate.seconds} s` : ''
    note(`Key ${shown.keyId}, ${shown.state}, of tier ${shown.tier}${speed}.`)
  })
}

type Standing = z.infer<typeof shownUsageSchema>['operations'][number]['day']

function usedRows(
  operation: string,
  unit: string,
  { day, month }: { readonly day: Standing; readonly month: Standing },
): string[][] {
  return Object.entries({ day, month }).map(([per, { used, limit, remaining, resetsAt }]) => [
    operation,
    unit,
    per,
    String(used),
    limit === null ? 'none' : String(limit),
    remaining === null ? '-' : String(remaining),
    formatTime(resetsAt),
  ])
}

async function showUsageOfAll(options: UsageOptions, access: Access): Promise<void> {
  const { period, tier, owner, state, limit, cursor } = options
  const gateway = await openGateway(options, access)
  const query = { period, tier, owner, state, limit, cursor }
  const page = await gateway.get('/operator/usage/keys', query, keysUsedSchema)
  if (options.json) return print(JSON.stringify(page))
  const rows = page.keys.flatMap((key) => {
    const whose = [key.keyId, key.state, key.tier, key.owner || '-', key.label || '-']
    return key.used.length === 0
      ? [[...whose, '-', '-', '0']]
      : key.used.map(({ operation, unit, used }) => [...whose, operation, unit, String(used)])
  })
  const head = ['id', 'state', 'tier', 'owner', 'label', 'operation', 'unit', `used in ${page.period}`]
  if (rows.length > 0) print(table([head, ...rows], [7]))
  else note('No key matches.')
  noteNextPage(page.nextCursor)
}

function addRevokeCommand(keys: Command, access: Access): void {
  const revoke = keys
    .command('revoke')
    .description('Revoke a key permanently; every gateway refuses it within a second.')
    .argument('<id>', 'id of the key: the 16 characters after tgk_')
  addGatewayOptions(revoke).action(async (id: string, options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const key = await gateway.post(`/operator/keys/${encodeURIComponent(id)}/revoke`, {}, keySchema)
    if (options.json) return print(JSON.stringify(key))
    print(`revoked ${key.revokedAt === null ? '' : formatTime(key.revokedAt)}`)
  })
}

function addRotateCommand(keys: Command, access: Access): void {
  const rotate = keys
    .command('rotate')
    .description('Give a key a new secret and print it, this once; its id stays.')
    .argument('<id>', 'id of the key: the 16 characters after tgk_')
    .addOption(
      new Option('--grace <time>', 'how long the old secret stays valid: 15m, 24h')
        .argParser(parseDuration)
        .default(0, 'not at all'),
    )
  addGatewayOptions(rotate).action(async (id: string, options: GatewayOptions & { grace: number }) => {
    const gateway = await openGateway(options, access)
    const path = `/operator/keys/${encodeURIComponent(id)}/rotate`
    const rotated = await gateway.post(path, { graceSeconds: options.grace }, shownKeySchema)
    if (options.json) return print(JSON.stringify(rotated))
    print(rotated.key)
    const { keyId, previousUntil } = rotated
    const isOldValid = options.grace > 0 && previousUntil !== null
    const old = isOldValid ? `stays valid until ${formatTime(previousUntil)}` : 'is no longer valid'
    note(`The old secret of key ${keyId} ${old}. The new key is shown this once.`)
  })
}

function addRotateSigningCommand(keys: Command, access: Access): void {
  const rotate = keys
    .command('rotate-signing')
    .description('Sign access tokens with a new key; issued tokens stay valid until they expire.')
  addGatewayOptions(rotate).action(async (options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const rotated = await gateway.post('/operator/signing-keys/rotate', {}, rotatedSchema)
    if (options.json) return print(JSON.stringify(rotated))
    print(`${rotated.kid} signs from ${formatTime(rotated.signsFrom)} on`)
  })
}

function parseWholeNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}
