import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import {
  keyListSchema,
  keySchema,
  rotatedSchema,
  shownKeySchema,
} from '../../edge/handlers/operator/replies.ts'
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
    const columns = ['id', 'state', 'tier', 'network', 'created', 'expires', 'last used', 'owner', 'label']
    if (page.keys.length > 0) print(table([columns, ...page.keys.map(toRow)]))
    else note('No key matches.')
    noteNextPage(page.nextCursor)
  })
}

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
