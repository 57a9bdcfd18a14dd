import pg from 'pg'
import { type Address, parseAbi } from 'viem'
import { z } from 'zod'
import { networks } from '../../src/platform/chain/networks.ts'
import type { TestChain } from '../support/chain/chain.ts'
import { maxUnits, price } from './metered.ts'
import type { Door, Met } from './metered-callers.ts'
import type { Told } from './metered-model.ts'

/** What has to be true of money and units when all is said and done, and what was found. Amounts in atomic units. */
export interface MeteredVerdict {
  /** What the payments brought: on the chain, by the books, and as counted by the meter. */
  readonly sums: { readonly chain: bigint; readonly payments: bigint; readonly meterings: bigint }
  readonly doors: Readonly<Record<Door, DoorSum>>
  /** Payments of which nothing was taken. */
  readonly released: number
  readonly violations: readonly string[]
}

interface DoorSum {
  readonly calls: number
  /** Of how many of them the count was worked out, because nobody told it. */
  readonly estimates: number
  /** As an allowance is charged. */
  readonly units: number
}

interface Findings {
  readonly databaseUrl: string
  readonly chain: TestChain
  readonly payTo: Address
  /** What each wallet had before. */
  readonly wallets: readonly { readonly address: Address; readonly funds: bigint }[]
  /** By the model. */
  readonly told: ReadonlyMap<string, Told>
  /** By the callers. */
  readonly met: readonly Met[]
}

const whole = z.string().transform(BigInt)
const meteringRows = z.array(
  z.object({
    call_id: z.string(),
    door: z.enum(['payment', 'key', 'free']),
    subject: z.string(),
    payment_id: z.string().nullable(),
    input: z.coerce.number(),
    output: z.coerce.number(),
    is_estimate: z.boolean(),
    outcome: z.enum(['complete', 'left', 'broken']),
    amount: whole,
  }),
)
const paymentRows = z.array(
  z.object({ id: z.string(), payer: z.string(), state: z.string(), amount: whole, authorized: whole }),
)
const usageRows = z.array(z.object({ subject: z.string(), per: z.number(), used: z.coerce.number() }))

type Metering = z.infer<typeof meteringRows>[number]
type Payment = z.infer<typeof paymentRows>[number]

export async function judgeMetered(findings: Findings): Promise<MeteredVerdict> {
  const { meterings, payments, usage } = await readBooks(findings.databaseUrl)
  const taken = payments.filter(({ state }) => state === 'settled' || state === 'final')
  const paid = meterings.filter(({ door }) => door === 'payment')
  const chain = await balances(findings)
  const sums = {
    chain: chain.received,
    payments: sum(taken.map(({ amount }) => amount)),
    meterings: sum(paid.map(({ amount }) => amount)),
  }
  const violations = [
    ...findings.met.flatMap((met) => (met.kind === 'wrong' ? [`a caller ${met.what}`] : [])),
    ...checkCalls(findings, meterings),
    ...checkPayments(payments, paid),
    ...chain.spent.flatMap(({ address, amount }) => {
      const booked = sum(
        taken.filter(({ payer }) => payer === address.toLowerCase()).map((row) => row.amount),
      )
      return booked === amount ? [] : [`${address} has paid ${amount}, the books say ${booked}`]
    }),
    ...checkUnits(meterings, usage),
    ...(sums.chain === sums.payments && sums.payments === sums.meterings
      ? []
      : [`the chain shows ${sums.chain}, the books ${sums.payments}, the meter ${sums.meterings}`]),
  ]
  const doorSum = (wanted: Door): DoorSum => {
    const rows = meterings.filter(({ door }) => door === wanted)
    const units = rows.reduce((total, row) => total + unitsOf(row), 0)
    return { calls: rows.length, estimates: rows.filter(({ is_estimate }) => is_estimate).length, units }
  }
  const doors = { payment: doorSum('payment'), key: doorSum('key'), free: doorSum('free') }
  return { sums, doors, released: payments.length - taken.length, violations }
}

/** A call that was delivered whole is counted as the model has told it; one that was not is counted as left, or not at all. */
function checkCalls({ told, met }: Findings, meterings: readonly Metering[]): string[] {
  const complete = new Set(met.flatMap((one) => (one.kind === 'complete' ? [one.call] : [])))
  const counted = new Set(meterings.map(({ call_id }) => call_id))
  const missing = [...complete].filter((call) => !counted.has(call)).map((call) => `${call} is not counted`)
  const wrong = meterings.flatMap(({ call_id, outcome, input, output, is_estimate }) => {
    const truth = told.get(call_id)
    if (outcome === 'broken') return [`${call_id} broke off`]
    if (outcome === 'left') return complete.has(call_id) ? [`${call_id} was heard to its end`] : []
    if (!truth || is_estimate) return [`${call_id} is complete, and its use was not told`]
    return input === truth.prompt && output === truth.completion
      ? []
      : [`${call_id}: ${input} + ${output} counted, ${truth.prompt} + ${truth.completion} told`]
  })
  return [...missing, ...wrong]
}

/** Of each payment is taken what its call comes to, and nothing of one whose call was not counted. */
function checkPayments(payments: readonly Payment[], paid: readonly Metering[]): string[] {
  const byPayment = Map.groupBy(paid, ({ payment_id }) => payment_id ?? 'none')
  const known = new Set(payments.map(({ id }) => id))
  const strange = [...byPayment.keys()].filter((id) => !known.has(id)).map((id) => `${id} is no payment`)
  const wrong = payments.flatMap(({ id, state, amount, authorized }) => {
    const [call, ...others] = byPayment.get(id) ?? []
    if (others.length > 0) return [`${id} paid for ${others.length + 1} calls`]
    if (state === 'released' || state === 'failed')
      return call ? [`${id} is ${state}, and its call was counted`] : []
    if (state !== 'settled' && state !== 'final') return [`${id} is left ${state}`]
    if (!call) return [`${id} paid ${amount} for nothing`]
    if (amount > authorized) return [`${id} paid ${amount}, and signed ${authorized}`]
    const due = amountOf(call)
    return amount === due && call.amount === due ? [] : [`${id} paid ${amount} for what comes to ${due}`]
  })
  return [...strange, ...wrong]
}

/** Allowances are charged what was counted, by the day and by the month. */
function checkUnits(meterings: readonly Metering[], usage: z.infer<typeof usageRows>): string[] {
  const rows = Map.groupBy(
    meterings.filter(({ door }) => door !== 'payment'),
    ({ subject }) => subject,
  )
  const strange = usage.filter(({ subject, used }) => used > 0 && !rows.has(subject))
  const wrong = [...rows].flatMap(([subject, calls]) => {
    const counted = calls.reduce((total, call) => total + unitsOf(call), 0)
    const charged = usage.filter((one) => one.subject === subject).map(({ used }) => used)
    return charged.length > 0 && charged.every((used) => used === counted)
      ? []
      : [`${subject} is charged ${charged.join(' and ')} units, and has used ${counted}`]
  })
  return [...strange.map(({ subject, used }) => `${subject} is charged ${used} units for nothing`), ...wrong]
}

/** Worked out anew, so that a mistake of the gateway's is not made here as well. */
function amountOf({ input, output }: Metering): bigint {
  const counted = BigInt(input) * price.input + BigInt(output) * price.output
  const amount = price.base + (counted + price.units - 1n) / price.units
  return amount < price.max ? amount : price.max
}

function unitsOf({ input, output }: Metering): number {
  return Math.min(input + output, maxUnits)
}

async function readBooks(databaseUrl: string) {
  const books = new pg.Client({ connectionString: databaseUrl })
  await books.connect()
  try {
    const read = async (query: string): Promise<unknown> => (await books.query(query)).rows
    return {
      meterings: meteringRows.parse(await read('select * from meterings')),
      payments: paymentRows.parse(await read('select * from payments')),
      // A run may go on past midnight: the same day's or month's length tells which of the two is counted.
      usage: usageRows.parse(
        await read(`select subject, length(period) as per, sum(used)::text as used from usage
          where operation like '%.tokens' group by subject, length(period)`),
      ),
    }
  } finally {
    await books.end()
  }
}

const token = {
  address: networks['base-sepolia'].usdc.address,
  abi: parseAbi(['function balanceOf(address account) view returns (uint256)']),
  functionName: 'balanceOf',
} as const

async function balances({ chain: { client }, payTo, wallets }: Findings) {
  const balanceOf = (account: Address) => client.readContract({ ...token, args: [account] })
  const spent = wallets.map(async ({ address, funds }) => ({
    address,
    amount: funds - (await balanceOf(address)),
  }))
  return { received: await balanceOf(payTo), spent: await Promise.all(spent) }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
