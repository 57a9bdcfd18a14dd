import type { CallToolResult } from '@modelcontextprotocol/server'
import { PaymentRequiredV2Schema } from '@x402/core/schemas'
import type { LocalAccount } from 'viem'
import type { Budget } from '../../client/budget.ts'
import { sign } from '../../client/pay.ts'
import { readQuote } from '../../client/quote.ts'

/** Makes the payment that a tool's result asks for; undefined for a result that asks for none. */
export type PayFor = (result: CallToolResult, purchase: string) => Promise<object | undefined>

/**
 * Pays from a wallet within its budget.
 * @returns throws PayError when a limit is exceeded, and signs nothing then.
 */
export function createPayFor(account: LocalAccount, budget: Pick<Budget, 'reserve'>): PayFor {
  return async ({ isError, structuredContent }, purchase) => {
    if (!isError || !PaymentRequiredV2Schema.safeParse(structuredContent).success) return undefined
    const asked = Buffer.from(JSON.stringify(structuredContent)).toString('base64')
    const quote = readQuote(asked, 402, 'exact')
    const giveBack = await budget.reserve(quote.price)
    let header: string
    try {
      // The budget has compared the price with the limit of a call.
      header = await sign(quote, account, quote.price, undefined, purchase)
    } catch (error) {
      await giveBack()
      throw error
    }
    const payment: object = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
    return payment
  }
}
