import { harmless } from '../../../core/text/visible.ts'
import { checksummed } from '../address.ts'
import { adoptedOperation } from '../reconciling/adopt.ts'
import type { Entry } from './entries.ts'

/**
 * The books as a double-entry journal in plain text, as hledger and ledger-cli read it
 * (https://hledger.org/hledger.html#journal). Every entry moves one amount from one account to another, so it
 * always sums to zero, and an auditor can check the sums with a program that is not ours.
 *
 *     2026-05-01 * (0x…payment) analyzeBusiness
 *         ; transaction: 0x…
 *         Assets:USDC:0x…payTo         0.100000 USDC
 *         Income:analyzeBusiness      -0.100000 USDC
 *
 * Gas is booked in ether, a commodity of its own: what it was worth in dollars is for the accountant to say.
 */
export function journalHeader(network: string): string {
  return [
    `; tollgate: sales, refunds, unmatched transfers and costs in USDC, and gas in ETH, on ${network}, dated in UTC.`,
    '; An entry marked ! rests on a block that the chain may still drop.',
    '',
    'commodity USDC',
    '    format 1000.000000 USDC',
    '',
    'commodity ETH',
    '    format 1000.000000000000000000 ETH',
    '',
    '',
  ].join('\n')
}

export function journalEntries(entries: readonly Entry[]): string {
  return entries.map(journalEntry).join('')
}

function journalEntry(entry: Entry): string {
  const { title, to, from, money = usdc } = bookingOf(entry)
  const at = entry.at.toISOString()
  const lines = [
    `${at.slice(0, 10)} ${entry.isFinal ? '*' : '!'} (${entry.id}) ${title}`,
    `    ; time: ${at}`,
    ...(entry.transaction === null ? [] : [`    ; transaction: ${entry.transaction}`]),
    ...(entry.blockNumber === null ? [] : [`    ; block: ${entry.blockNumber}`]),
    ...(entry.payer === null
      ? []
      : [`    ; ${entry.kind === 'cost' ? 'payee' : 'payer'}: ${checksummed(entry.payer)}`]),
    ...(entry.reason === null ? [] : [`    ; reason: ${harmless(entry.reason, '')}`]),
    posting(to, entry.amount, money),
    posting(from, -entry.amount, money),
    '',
  ]
  return `${lines.join('\n')}\n`
}

/** Not income: its sender may ask for it back. */
const unmatched = 'Liabilities:Unmatched'

interface Booking {
  readonly title: string
  /** The account that receives the amount, and the account that it comes from. */
  readonly to: string
  readonly from: string
  /** USDC when left out. */
  readonly money?: Money
}

interface Money {
  readonly commodity: string
  readonly decimals: number
}

const usdc: Money = { commodity: 'USDC', decimals: 6 }
const ether: Money = { commodity: 'ETH', decimals: 18 }

function bookingOf({ kind, operation, upstream, purpose, account }: Entry): Booking {
  const ours = account === null ? 'unknown' : checksummed(account)
  const cash = `Assets:USDC:${ours}`
  // An adopted transfer is income once its payer has named what it pays for.
  const income = operation === adoptedOperation ? unmatched : `Income:${operation}`
  switch (kind) {
    case 'sale':
      return { title: `${operation}`, to: cash, from: income }
    case 'refund':
      return { title: `Refund of ${operation}`, to: income, from: cash }
    case 'stranger':
      return { title: 'Unmatched transfer', to: cash, from: unmatched }
    case 'cost':
      return { title: `${upstream} for ${operation}`, to: `Expenses:${upstream}`, from: cash }
    case 'gas':
      return {
        title: `Gas of ${purpose}`,
        to: `Expenses:Gas:${purpose}`,
        from: `Assets:ETH:${ours}`,
        money: ether,
      }
  }
}

/** Two or more spaces end the name of an account. */
function posting(account: string, amount: bigint, { commodity, decimals }: Money): string {
  return `    ${account.padEnd(56)}  ${decimal(amount, decimals).padStart(18)} ${commodity}`
}

function decimal(atomic: bigint, decimals: number): string {
  const digits = (atomic < 0n ? -atomic : atomic).toString().padStart(decimals + 1, '0')
  return `${atomic < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
