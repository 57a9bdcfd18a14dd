import { type Address, getAddress, isAddress, isHex } from 'viem'
import type { Quote } from '../../client/quote.ts'
import type { CallResult } from '../../client/send.ts'
import { formatUsdc } from '../../core/money.ts'
import { CommandError } from '../command-error.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { note, table } from '../output.ts'
import { type Chain, findRpcUrl, openChain, readToken } from './locate-chain.ts'

/**
 * Shows what the payer and the recipient hold before and after a payment. It only looks: a chain that does not answer
 * never keeps a call from being paid, or a reply from being printed.
 */
export interface Movement {
  /**
   * Reads the balances again and prints them beside those of before, on standard error.
   * @param result of the paid call. Nothing is printed without a receipt, unless `isSettled` says that money moved.
   */
  show(result: CallResult, isSettled: boolean): Promise<void>
}

/**
 * Reads the balances before a payment.
 * @returns undefined when the chain of the payment is not known or does not answer.
 */
export async function beginMovement(
  url: string,
  { requirement }: Quote,
  payer: Address,
  { rpc, access }: { readonly rpc: string | undefined; readonly access: Access },
): Promise<Movement | undefined> {
  const { asset, network, payTo } = requirement
  if (!isAddress(asset, { strict: false }) || !isAddress(payTo, { strict: false })) return undefined
  const token = getAddress(asset)
  const wallets = [
    ['wallet', payer],
    ['recipient', getAddress(payTo)],
  ] as const
  try {
    const found = await findRpcUrl(rpc, access, url)
    if (!found) return undefined
    const chain = await openChain(found)
    if (chain.network.caip2 !== network) return undefined
    const read = () => Promise.all(wallets.map(([, wallet]) => readToken(chain, token, wallet)))
    const before = await read()
    return {
      async show({ receipt }, isSettled) {
        try {
          if (receipt?.success) await untilMined(chain, receipt.transaction)
          else if (!isSettled) return
          const after = await read()
          const rows = wallets.map(([name, wallet], place) => [
            `  ${name}`,
            wallet,
            formatUsdc(before[place] ?? 0n),
            formatUsdc(after[place] ?? 0n),
          ])
          note(table([['  USDC of', '', 'before', 'after'], ...rows], [2, 3]))
        } catch (error) {
          explain(error)
        }
      },
    }
  } catch (error) {
    explain(error)
    return undefined
  }
}

/** A node may lag behind the gateway's. */
async function untilMined({ client }: Chain, transaction: string): Promise<void> {
  if (isHex(transaction)) await client.waitForTransactionReceipt({ hash: transaction, timeout: 10_000 })
}

function explain(error: unknown): void {
  const reason = error instanceof CommandError ? error.message : 'The chain does not show the payment yet.'
  note(`  The balances cannot be shown. ${reason}`)
}
