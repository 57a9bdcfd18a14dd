import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { sign } from '../../client/pay.ts'
import { askPriceOnly } from '../../client/quote.ts'
import { CommandError } from '../command-error.ts'
import { print } from '../output.ts'
import {
  addPaymentOptions,
  methodAdvice,
  type PaymentOptions,
  toRequest,
} from '../payment/payment-options.ts'
import { identifierOption } from '../payment/purchase-name.ts'
import { readWallet, testWalletFor } from '../payment/wallet.ts'

interface SignOptions extends PaymentOptions {
  idempotencyKey?: string
}

/** `tollgate sign`: prints the payment header for a call, so that curl or another program can send it. */
export function addSignCommand(program: Command): void {
  const command = program
    .command('sign')
    .description('Sign a payment without sending it, and print the value of its header, for curl.')
  addPaymentOptions(command).addOption(identifierOption)
  command.action(async (url: string, options: SignOptions) => {
    const wallet = await readWallet(options)
    const unpaid = await askPriceOnly(toRequest(url, options), options.scheme)
    switch (unpaid.kind) {
      case 'result':
        throw new CommandError(
          `The endpoint answered ${unpaid.result.status} without asking for a payment.${methodAdvice(unpaid.result)}`,
        )
      case 'quote': {
        const { quote } = unpaid
        const { price, requirement } = quote
        const account = wallet ?? testWalletFor(quote, url)
        const idempotencyKey = options.idempotencyKey ?? randomUUID()
        const header = await sign(quote, account, options.max, options.rpc, idempotencyKey)
        print(options.json ? JSON.stringify({ header, price, requirement, idempotencyKey }) : header)
      }
    }
  })
}
