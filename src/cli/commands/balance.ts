import { type Command, Option } from 'commander'
import { type Address, formatEther, getAddress, isAddress } from 'viem'
import { formatUsdc } from '../../core/money.ts'
import { devPayers } from '../../platform/chain/dev-accounts.ts'
import { CommandError } from '../command-error.ts'
import { type Access, readSettings } from '../gateway/locate-gateway.ts'
import { print, table } from '../output.ts'
import { findRpcUrl, hostOf, openChain, readToken, unreachable } from '../payment/locate-chain.ts'
import { readWallet } from '../payment/wallet.ts'

/** `tollgate balance`: shows what a wallet holds, so that a payment is seen to move money. */
export function addBalanceCommand(program: Command, access: Access): void {
  program
    .command('balance')
    .description(
      'Show the USDC and the ETH of a wallet: on the local chain a test wallet unless you name another.',
    )
    .argument('[address]', 'address of the wallet')
    .addOption(
      new Option(
        '-k, --key <hex>',
        'private key of the wallet; other users of this machine can see it',
      ).conflicts('keyFile'),
    )
    .option('--key-file <file>', 'file that holds the private key')
    .option(
      '--rpc <url>',
      'address of the chain; by default RPC_URL, or the local chain of the gateway in DATA_DIR',
    )
    .option('--env-file <file>', 'settings of the gateway, to find RPC_URL or DATA_DIR')
    .option('--json', 'print one JSON object')
    .action((address: string | undefined, options: BalanceOptions) => showBalance(address, options, access))
}

interface BalanceOptions {
  key?: string
  keyFile?: string
  rpc?: string
  envFile?: string
  json?: boolean
}

async function showBalance(
  given: string | undefined,
  options: BalanceOptions,
  access: Access,
): Promise<void> {
  const named = await readAddress(given, options)
  const found = await findRpcUrl(options.rpc, await readSettings(options, access))
  if (!found) {
    throw new CommandError(
      'Which chain? Start a gateway with npm start, or name one: --rpc URL, or RPC_URL in the environment or in a file of settings (--env-file).',
    )
  }
  if (!named && !found.isLocal) {
    throw new CommandError('Whose balance? Name an address, or a wallet with --key-file FILE.')
  }
  const address = named ?? devPayers[0].address
  const chain = await openChain(found)
  const { client, network, rpcUrl, isLocal } = chain
  const [usdc, eth] = await Promise.all([
    readToken(chain, network.usdc.address, address),
    client.getBalance({ address }).catch((cause: unknown) => {
      throw unreachable(rpcUrl, cause)
    }),
  ])
  const amounts = { usdc: formatUsdc(usdc), eth: formatEther(eth) }
  if (options.json) {
    print(JSON.stringify({ address, network: network.name, chainId: network.chainId, isLocal, ...amounts }))
    return
  }
  const where = isLocal ? `the local chain at ${hostOf(rpcUrl)}; this is play money` : network.name
  print(
    table([
      ['wallet', address + (named ? '' : ' (a test wallet)')],
      ['chain', where],
      ['USDC', amounts.usdc],
      ['ETH', amounts.eth],
    ]),
  )
}

/** @throws CommandError when there is an address and a key, or one of them is malformed. */
async function readAddress(given: string | undefined, options: BalanceOptions): Promise<Address | undefined> {
  const wallet = await readWallet(options)
  if (given === undefined) return wallet?.address
  if (wallet) throw new CommandError('Name the wallet once: by its address or by its key.')
  // A mixed-case address has a checksum, which finds a mistyped letter.
  if (isAddress(given)) return getAddress(given)
  throw new CommandError(
    'That is not an address: it must be 0x and 40 hex digits, with its checksum if in mixed case.',
  )
}
