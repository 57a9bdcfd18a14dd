import pg from 'pg'
import { type Address, parseAbi } from 'viem'
import { z } from 'zod'
import { networks } from '../../../src/platform/chain/networks.ts'
import type { TestChain } from '../../support/chain/chain.ts'
import type { CallOutcome, Door } from './callers.ts'
import { maxUnits, price } from './metered.ts'
import type { ReportedUsage } from './model.ts'

/** The checks of money and units at the end of a metered run, and their violations. Amounts in atomic units. */
export interface MeteredVerdict {
  /** The income from payments: on the chain, in the books, and by the meter. */
  readonly sums: { readonly chain: bigint; readonly payments: bigint; readonly meterings: bigint }
  readonly doors: Readonly<Record<Door, DoorSum>>
  /** Payments that took nothing. */
  readonly released: number
  readonly violations: readonly string[]
}

interface DoorSum {
  readonly calls: number
  /** Calls whose count is an estimate, because the model reported none. */
  readonly estimates: number
  /** Units charged to quotas. */
  readonly units: number
}

interface Findings {
  readonly databaseUrl: string
  readonly chain: TestChain
  readonly payTo: Address
  /** `funds`: the balance before the run. */
  readonly wallets: readonly { readonly address: Address; readonly funds: bigint }[]
  /** The usage that the model has reported, by call id. */
  readonly reported: ReadonlyMap<string, ReportedUsage>
  /** How the calls ended for their callers. */
  readonly outcomes: readonly CallOutcome[]
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
    ...findings.outcomes.flatMap((outcome) => (outcome.kind === 'wrong' ? [`a caller ${outcome.what}`] : [])),
    ...checkCalls(findings, meterings),
    ...checkPayments(payments, paid),
    ...chain.spent.flatMap(({ address, amount }) => {
      const booked = sum(
        taken.filter(({ payer }) => payer === address.toLowerCase()).map((row) => row.amount),
      )
      return booked === amount ? [] : [`${address} has paid ${amount}, but the books say ${booked}`]
    }),
    ...checkUnits(meterings, usage),
    ...(sums.chain === sums.payments && sums.payments === sums.meterings
      ? []
      : [`the chain shows ${sums.chain}, the books ${sums.payments}, the meter ${sums.meterings}`]),
  ]
  const sumDoor = (wanted: Door): DoorSum => {
    const rows = meterings.filter(({ door }) => door === wanted)
    const units = rows.reduce((total, row) => total + unitsOf(row), 0)
    return { calls: rows.length, estimates: rows.filter(({ is_estimate }) => is_estimate).length, units }
  }
  const doors = { payment: sumDoor('payment'), key: sumDoor('key'), free: sumDoor('free') }
  return { sums, doors, released: payments.length - taken.length, violations }
}

/** A complete call must be counted as the model reported it; a call that was left is counted as left, or not at all. */
function checkCalls({ reported, outcomes }: Findings, meterings: readonly Metering[]): string[] {
  const complete = new Set(outcomes.flatMap((outcome) => (outcome.kind === 'complete' ? [outcome.call] : [])))
  const counted = new Set(meterings.map(({ call_id }) => call_id))
  const missing = [...complete].filter((call) => !counted.has(call)).map((call) => `${call} was not counted`)
  const wrong = meterings.flatMap(({ call_id, outcome, input, output, is_estimate }) => {
    const usage = reported.get(call_id)
    if (outcome === 'broken') return [`${call_id} broke off`]
    if (outcome === 'left')
      return complete.has(call_id) ? [`${call_id} was complete for its caller, but is counted as left`] : []
    if (!usage || is_estimate) return [`${call_id} is complete, but its usage is an estimate`]
    return input === usage.prompt && output === usage.completion
      ? []
      : [`${call_id}: counted ${input} + ${output}, the model reported ${usage.prompt} + ${usage.completion}`]
  })
  return [...missing, ...wrong]
}

/** Each payment must take the price of its call, and nothing when its call was not counted. */
function checkPayments(payments: readonly Payment[], paid: readonly Metering[]): string[] {
  const byPayment = Map.groupBy(paid, ({ payment_id }) => payment_id ?? 'none')
  const known = new Set(payments.map(({ id }) => id))
  const unknown = [...byPayment.keys()].filter((id) => !known.has(id)).map((id) => `${id} is not a payment`)
  const wrong = payments.flatMap(({ id, state, amount, authorized }) => {
    const [call, ...others] = byPayment.get(id) ?? []
    if (others.length > 0) return [`${id} paid for ${others.length + 1} calls`]
    if (state === 'released' || state === 'failed')
      return call ? [`${id} is ${state}, but its call was counted`] : []
    if (state !== 'settled' && state !== 'final') return [`${id} is still ${state}`]
    if (!call) return [`${id} paid ${amount} for nothing`]
    if (amount > authorized) return [`${id} paid ${amount}, but signed only ${authorized}`]
    const due = amountOf(call)
    return amount === due && call.amount === due ? [] : [`${id} paid ${amount} for a call that costs ${due}`]
  })
  return [...unknown, ...wrong]
}

/** Quotas must be charged the counted units, per day and per month. */
function checkUnits(meterings: readonly Metering[], usage: z.infer<typeof usageRows>): string[] {
  const rows = Map.groupBy(
    meterings.filter(({ door }) => door !== 'payment'),
    ({ subject }) => subject,
  )
  const uncounted = usage.filter(({ subject, used }) => used > 0 && !rows.has(subject))
  const wrong = [...rows].flatMap(([subject, calls]) => {
    const counted = calls.reduce((total, call) => total + unitsOf(call), 0)
    const charged = usage.filter((one) => one.subject === subject).map(({ used }) => used)
    return charged.length > 0 && charged.every((used) => used === counted)
      ? []
      : [`${subject} is charged ${charged.join(' and ')} units, but used ${counted}`]
  })
  return [
    ...uncounted.map(({ subject, used }) => `${subject} is charged ${used} units without a call`),
    ...wrong,
  ]
}

/** Computes the price without the gateway's code, so that an error there does not hide itself. */
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
      // A run may pass midnight, so days are added up; the length of a period tells days from months.
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
