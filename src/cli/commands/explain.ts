import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Explanation, explanationSchema } from '../../core/explanation.ts'
import { type Access, asksGateway, type GatewayOptions, openGateway } from './gateway.ts'
import { readKey } from './key-file.ts'
import { print } from './output.ts'

/** `tollgate explain`: why a call is served, charged or refused, without making it. */
export function addExplainCommand(program: Command, access: Access): void {
  const explain = program
    .command('explain')
    .description(
      'Tell which door a call would take, what it costs and why.\nNothing is called and nothing is counted.',
    )
    .argument('<method>', 'as GET or POST')
    .argument('<path>', 'path of the call, as /api/analyze')
    .option('--key-file <file>', 'file with the API key the caller sends')
    .addOption(
      new Option('--key <key>', 'the key itself; --key-file hides it from other users').conflicts([
        'keyFile',
        'token',
      ]),
    )
    .addOption(new Option('--token <token>', 'the access token the caller sends').conflicts('keyFile'))
    .option('--payer <address>', 'the wallet the caller pays from')
    .addOption(
      new Option('--anonymous', 'the caller sends none of these: the default').conflicts([
        'key',
        'keyFile',
        'token',
        'payer',
      ]),
    )
    .option('--client <ip>', 'the address the caller has, for its free quota')
    .addOption(
      new Option('--body <json>', 'what the caller sends; else something that fits').argParser(jsonText),
    )
  asksGateway(explain).action(async (method: string, path: string, options: ExplainOptions) => {
    const key = options.keyFile === undefined ? options.key : await readKey(options.keyFile)
    const { token, payer, client, body } = options
    const gateway = await openGateway(options, access)
    const question = { method: method.toUpperCase(), path, key, token, payer, client, body }
    const told = await gateway.post('/operator/explain', question, explanationSchema)
    print(options.json ? JSON.stringify(told) : lines(told).join('\n'))
  })
}

interface ExplainOptions extends GatewayOptions {
  key?: string
  keyFile?: string
  token?: string
  payer?: string
  client?: string
  body?: unknown
}

function jsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}

function lines(told: Explanation): string[] {
  const { method, path, operation, access, door, status, code, price, tier, keyId, wallet } = told
  return [
    `${method} ${path}${operation === undefined ? '' : `: ${operation}, access ${access}`}`,
    `door ${door}, status ${status}${code === undefined ? '' : ` ${code}`}`,
    told.why,
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
    ...(tier === undefined ? [] : [`tier ${tier}`]),
    ...(price === undefined ? [] : [`price ${price} USDC`]),
    ...told.limits.map(limitLine),
    ...(wallet
      ? [`wallet ${wallet.address} holds ${wallet.balance} USDC, enough for ${wallet.calls} calls`]
      : []),
    ...(told.details ? [`details ${JSON.stringify(told.details)}`] : []),
  ]
}

function limitLine({ name, unit, limit, used, remaining, resetsAt }: Explanation['limits'][number]): string {
  const of = unit === undefined ? String(limit) : `${limit} ${unit}`
  const count = used === undefined ? of : `${used} of ${of} used, ${remaining} left`
  const end =
    resetsAt === undefined
      ? ''
      : `, begins anew ${new Date(resetsAt * 1000).toISOString().replace('.000Z', 'Z')}`
  return `limit by ${name}: ${count}${end}`
}
