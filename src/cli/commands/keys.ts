import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import {
  keyListSchema,
  keySchema,
  rotatedSchema,
  shownKeySchema,
} from '../../edge/handlers/operator/replies.ts'
import { type Access, asksGateway, type GatewayOptions, openGateway } from './gateway.ts'
import { note, print, sayMore, table } from './output.ts'
import { time } from './time.ts'

/** `tollgate keys`: the API keys of a running gateway. A key is told once, alone on standard output. */
export function addKeysCommands(program: Command, access: Access): void {
  const keys = program.command('keys').description('The API keys of a running gateway.')
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
    .description('Make a key of a tier and print it, this once.')
    .requiredOption('--tier <tier>', 'a tier of the catalogue')
    .option('--owner <owner>', 'whose it is: a name or an address')
    .option('--label <label>', 'what it is for')
    .option('--expires <when>', 'when it ends: a date or a time; else never')
    .addOption(
      new Option('--days <number>', 'how many days it lasts').argParser(wholeNumber).conflicts('expires'),
    )
  asksGateway(create).action(async (options: CreateOptions) => {
    const { tier, owner, label, expires, days } = options
    const gateway = await openGateway(options, access)
    const made = await gateway.post('/operator/keys', { tier, owner, label, expires, days }, shownKeySchema)
    if (options.json) return print(JSON.stringify(made))
    print(made.key)
    const end = made.expiresAt === null ? 'never expires' : `expires ${time(made.expiresAt)}`
    note(`Key ${made.keyId} of tier ${made.tier} ${end}. It is shown this once: the gateway keeps its hash.`)
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
    .description('List keys, the newest first.')
    .option('--tier <tier>', 'only those of this tier')
    .option('--owner <owner>', 'only those of this owner')
    .option('--state <state>', 'only those active, expired or revoked')
    .option('--limit <number>', 'how many at most, up to 500')
    .option('--cursor <cursor>', 'where to go on, as the last answer says')
  asksGateway(list).action(async (options: ListOptions) => {
    const { tier, owner, state, limit, cursor } = options
    const gateway = await openGateway(options, access)
    const page = await gateway.get('/operator/keys', { tier, owner, state, limit, cursor }, keyListSchema)
    if (options.json) return print(JSON.stringify(page))
    const columns = ['id', 'state', 'tier', 'created', 'expires', 'last used', 'owner', 'label']
    if (page.keys.length > 0) print(table([columns, ...page.keys.map(cells)]))
    else note('There are no such keys.')
    sayMore(page.nextCursor)
  })
}

function cells(key: z.infer<typeof keySchema>): string[] {
  const times = [key.createdAt, key.expiresAt, key.lastUsedAt]
  return [
    key.keyId,
    key.state,
    key.tier,
    ...times.map((at) => (at === null ? '-' : time(at))),
    key.owner || '-',
    key.label || '-',
  ]
}

function addRevokeCommand(keys: Command, access: Access): void {
  const revoke = keys
    .command('revoke')
    .description('End a key for good; every process refuses it within a second.')
    .argument('<id>', 'id of the key: the 16 characters behind tgk_')
  asksGateway(revoke).action(async (id: string, options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const key = await gateway.post(`/operator/keys/${encodeURIComponent(id)}/revoke`, {}, keySchema)
    if (options.json) return print(JSON.stringify(key))
    print(`revoked ${key.revokedAt === null ? '' : time(key.revokedAt)}`)
  })
}

function addRotateCommand(keys: Command, access: Access): void {
  const rotate = keys
    .command('rotate')
    .description('Give a key another secret and print it, this once; its id stays.')
    .argument('<id>', 'id of the key: the 16 characters behind tgk_')
    .addOption(
      new Option('--grace <time>', 'how long the old one is still taken: 15m, 24h')
        .argParser(seconds)
        .default(0, 'not at all'),
    )
  asksGateway(rotate).action(async (id: string, options: GatewayOptions & { grace: number }) => {
    const gateway = await openGateway(options, access)
    const path = `/operator/keys/${encodeURIComponent(id)}/rotate`
    const made = await gateway.post(path, { graceSeconds: options.grace }, shownKeySchema)
    if (options.json) return print(JSON.stringify(made))
    print(made.key)
    const { previousUntil } = made
    note(
      `The old key of ${made.keyId} ${options.grace === 0 || previousUntil === null ? 'is not taken any more' : `is taken until ${time(previousUntil)}`}. The new one is shown this once.`,
    )
  })
}

function addRotateSigningCommand(keys: Command, access: Access): void {
  const rotate = keys
    .command('rotate-signing')
    .description('Have another key sign access tokens; those given out stay good until they end.')
  asksGateway(rotate).action(async (options: GatewayOptions) => {
    const gateway = await openGateway(options, access)
    const rotated = await gateway.post('/operator/signing-keys/rotate', {}, rotatedSchema)
    if (options.json) return print(JSON.stringify(rotated))
    print(`${rotated.kid} signs from ${time(rotated.signsFrom)} on`)
  })
}

function wholeNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** How long, as people say it: `90s`, `15m`, `24h`, `7d`. */
function seconds(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const each = unitSeconds[unit]
  if (count !== undefined && each !== undefined) return Number(count) * each
  throw new InvalidArgumentError('It must be a number of seconds, minutes, hours or days, like 24h.')
}
