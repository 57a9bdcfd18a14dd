import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Explanation, explanationSchema } from '../../core/explanation.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { oneLine, print } from '../output.ts'
import { readSecretFile } from '../secret-file.ts'
import { formatTime } from '../time.ts'

/** `tollgate explain`: says why a call would be served, charged or refused, without making it. */
export function addExplainCommand(program: Command, access: Access): void {
  const explain = program
    .command('explain')
    .description(
      'Say which door a call would take, what it would cost and why.\nRuns, counts and charges nothing.',
    )
    .argument('<method>', 'HTTP method, like POST')
    .argument('<path>', 'path of the call, like /api/analyze')
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
      new Option('--anonymous', 'the caller sends none of these (default)').conflicts([
        'key',
        'keyFile',
        'token',
        'payer',
      ]),
    )
    .option('--client <ip>', 'the IP address of the caller, for its free quota')
    .addOption(
      new Option('--body <json>', 'body of the call; by default one that is valid').argParser(parseJson),
    )
  addGatewayOptions(explain).action(async (method: string, path: string, options: ExplainOptions) => {
    const key = options.keyFile === undefined ? options.key : await readSecretFile(options.keyFile, 'key')
    const { token, payer, client, body } = options
    const gateway = await openGateway(options, access)
    const question = { method: method.toUpperCase(), path, key, token, payer, client, body }
    const explanation = await gateway.post('/operator/explain', question, explanationSchema)
    print(options.json ? JSON.stringify(explanation) : describe(explanation).join('\n'))
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}

function describe(explanation: Explanation): string[] {
  const { method, path, operation, access, door, status, code, price, tier, keyId, wallet } = explanation
  return [
    `${oneLine(`${method} ${path}`)}${operation === undefined ? '' : `: ${operation}, access ${access}`}`,
    `door ${door}, status ${status}${code === undefined ? '' : ` ${code}`}`,
    oneLine(explanation.why),
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
    ...(tier === undefined ? [] : [`tier ${tier}`]),
    ...(price === undefined ? [] : [`price ${price} USDC`]),
    ...explanation.limits.map(describeLimit),
    ...(wallet
      ? [`wallet ${wallet.address} holds ${wallet.balance} USDC, enough for ${wallet.calls} calls`]
      : []),
    ...(explanation.details ? [`details ${JSON.stringify(explanation.details)}`] : []),
  ]
}

function describeLimit({
  name,
  unit,
  limit,
  used,
  remaining,
  resetsAt,
}: Explanation['limits'][number]): string {
  const of = unit === undefined ? String(limit) : `${limit} ${unit}`
  const count = used === undefined ? of : `${used} of ${of} used, ${remaining} left`
  const reset = resetsAt === undefined ? '' : `, resets ${formatTime(resetsAt)}`
  return `limit by ${name}: ${count}${reset}`
}
