import { homedir } from 'node:os'
import { join } from 'node:path'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Budget } from '../../client/budget.ts'
import { isUsdc } from '../../core/money.ts'
import { CommandError } from '../command-error.ts'
import { type Access, findGatewayUrl } from '../gateway/locate-gateway.ts'
import { note } from '../output.ts'
import { readWallet } from '../payment/wallet.ts'
import { answeringStdio } from '../runner/answering-stdio.ts'
import { createPayFor } from '../runner/payer.ts'
import { createRunner } from '../runner/runner.ts'

interface McpOptions {
  url?: string
  paymentsUrl?: string
  keyFile?: string
  max: string
  maxPerDay: string
  spendingDir: string
}

/**
 * `tollgate mcp`: the MCP server for clients that start a program, such as desktop applications. Standard output
 * belongs to the protocol.
 * @param environment with `MCP_API_KEY`.
 */
export function addMcpCommand(
  program: Command,
  environment: { readonly MCP_API_KEY?: string | undefined },
  access: Access,
): void {
  program
    .command('mcp')
    .description(
      'Serve the tools of a gateway over standard input and output, for MCP clients that start a program.',
    )
    .option('--url <url>', 'base address of the service; by default the gateway in DATA_DIR', parseUrl)
    .option('--payments-url <url>', 'base address of the paid tools, by default the same', parseUrl)
    .option(
      '--key-file <file>',
      'file with the private key of a wallet that pays for tools; without it none is paid',
    )
    .addOption(new Option('--max <usdc>', 'highest price of a call').default('1.00').argParser(parseUsdc))
    .addOption(new Option('--max-per-day <usdc>', 'most of a UTC day').default('5.00').argParser(parseUsdc))
    .option(
      '--spending-dir <folder>',
      'where today’s payments are counted',
      join(homedir(), '.tollgate-spending'),
    )
    .action((options: McpOptions) => run(options, access, environment.MCP_API_KEY || undefined))
}

async function run(options: McpOptions, access: Access, apiKey: string | undefined): Promise<void> {
  const url = await findGatewayUrl(options.url === undefined ? {} : { url: options.url }, access)
  const { paymentsUrl = url, max, maxPerDay, spendingDir } = options
  const account = await readWallet(options)
  const budget =
    account && new Budget(join(spendingDir, account.address), { perCall: max, perDay: maxPerDay })
  const create = createRunner({
    servers: [`${url}/.well-known/mcp`, `${paymentsUrl}/mcp`],
    apiKey,
    payFor: account && budget && createPayFor(account, budget),
    version: '1.0.0',
    note,
  })
  note(
    `Serving the tools of ${url}${account ? `, paid by ${account.address}: at most ${max} USDC a call, ${maxPerDay} USDC a day` : ''}`,
  )
  serveStdio(create, {
    transport: answeringStdio(process.stdin, process.stdout),
    onerror: (error) => note(error.message),
  })
}

function parseUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new CommandError(`${text} is not an http(s) address.`)
  }
  return text.replace(/\/+$/, '')
}

function parseUsdc(text: string): string {
  if (!isUsdc(text)) throw new InvalidArgumentError('It must be an amount of USDC like 0.50.')
  return text
}
