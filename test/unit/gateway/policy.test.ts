import { describe, expect, test } from 'vitest'
import type { Operation, Tier } from '../../../src/core/catalog/catalog.ts'
import type { PricedOperation } from '../../../src/core/catalog/priced-operation.ts'
import type { Holder, OperatorOperation } from '../../../src/core/endpoint.ts'
import { type Caller, type Door, decide } from '../../../src/gateway/policy.ts'

/**
 * Every kind of operation with every kind of caller. A missing row, or a new access or caller without rows,
 * does not compile, and the rows are counted.
 */

const id = 'researchLead'
const description = 'An example.'
const priced: PricedOperation = {
  description,
  price: '0.10',
  settle: 'after',
  deadlineSeconds: 60,
  validitySeconds: 300,
}
const free = { limit: 3, unit: 'calls', per: 'day' } as const

const sold = { access: 'price', description, deadlineSeconds: 60, priced } as const satisfies Operation
const unpriced = { access: 'optional', description, free, deadlineSeconds: 60 } as const satisfies Operation
const limited = { ...unpriced, priced } as const satisfies Operation
const operations = {
  open: { access: 'open', description, deadlineSeconds: 10 },
  'optional with a price': limited,
  'optional without a price': unpriced,
  key: { access: 'key', description, deadlineSeconds: 60 },
  holder: { access: 'holder', description, deadlineSeconds: 30 },
  price: sold,
  operator: { access: 'operator', description, deadlineSeconds: 10 },
} as const satisfies Record<string, Operation | OperatorOperation>

const covering: Tier = {
  description: 'Has it.',
  days: 30,
  priority: 0,
  operations: { [id]: [{ limit: 5, unit: 'calls', per: 'day' }], constructor: [] },
}
const narrow: Tier = { ...covering, operations: { writeBlog: [] } }
const tiers = { pro: covering, starter: narrow, max: { ...covering, operations: { [id]: [] } } }

const holders = {
  'a covering tier': holderOf('pro'),
  'an unlimited tier': holderOf('max'),
  'a tier that does not cover it': holderOf('starter'),
  'a tier that is gone': holderOf('gold'),
  'a tier every object has': holderOf('constructor'),
  'a covering tier and the scope': holderOf('pro', ['writeBlog', id]),
  'a covering tier without the scope': holderOf('pro', ['writeBlog']),
  'a tier that does not cover it and the scope': holderOf('starter', [id]),
  'a tier that does not cover it, without the scope': holderOf('starter', []),
} as const
const besides = {
  '': undefined,
  ' and a payment': { kind: 'payer' },
  ' and an unreadable payment': { kind: 'unreadable' },
} as const

type HolderName = keyof typeof holders
type Beside = keyof typeof besides
type Plain = 'anonymous' | 'payer' | 'unreadable' | 'refused' | 'operator' | 'notOperator'
type CallerName = Plain | `${HolderName}${Beside}`

const plain: Record<Plain, Caller> = {
  anonymous: { kind: 'anonymous' },
  payer: { kind: 'payer' },
  unreadable: { kind: 'unreadable' },
  refused: { kind: 'refused', code: 'API_KEY_EXPIRED' },
  operator: { kind: 'operator' },
  notOperator: { kind: 'notOperator' },
}

function holderOf(tier: string, scopes?: readonly string[]): Holder {
  return { subject: 'key:abc', keyId: 'abc', tier, scopes }
}

const names: CallerName[] = [...keysOf(plain), ...withBesides(keysOf(holders))]

function withBesides(all: readonly HolderName[]): CallerName[] {
  return all.flatMap((name) => keysOf(besides).map((beside): CallerName => `${name}${beside}`))
}

function keysOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  const all: Name[] = []
  for (const name in table) all.push(name)
  return all
}

function callerOf(name: CallerName): Caller {
  for (const one of keysOf(plain)) if (one === name) return plain[one]
  for (const holder of keysOf(holders)) {
    for (const beside of keysOf(besides)) {
      if (name === `${holder}${beside}`) {
        return { kind: 'holder', holder: holders[holder], payment: besides[beside] }
      }
    }
  }
  throw new Error(`no caller has the name ${name}`)
}

/** Short names of the doors, so that the table can be read. */
type Outcome =
  | 'open'
  | 'free'
  | 'key'
  | 'payment'
  | 'challenge'
  | 'bad key'
  | 'no key'
  | 'tier'
  | 'scope'
  | 'no token'
  | 'bad token'

type AccessName = keyof typeof operations

/** The outcome for the six callers without a key, and for each holder by what is sent beside the key. */
interface Column {
  readonly plain: Record<Plain, Outcome>
  readonly holder: Record<HolderName, Outcome | Record<Beside, Outcome>>
}

const everyPlain = (outcome: Outcome): Column['plain'] => ({
  anonymous: outcome,
  payer: outcome,
  unreadable: outcome,
  refused: outcome,
  operator: outcome,
  notOperator: outcome,
})
const everyHolder = (outcome: Outcome): Column['holder'] => ({
  'a covering tier': outcome,
  'an unlimited tier': outcome,
  'a tier that does not cover it': outcome,
  'a tier that is gone': outcome,
  'a tier every object has': outcome,
  'a covering tier and the scope': outcome,
  'a covering tier without the scope': outcome,
  'a tier that does not cover it and the scope': outcome,
  'a tier that does not cover it, without the scope': outcome,
})
/** A payment can replace a key that does not cover the operation. */
const paysInstead = {
  '': 'challenge',
  ' and a payment': 'payment',
  ' and an unreadable payment': 'challenge',
} as const
const byTier = (uncovered: 'tier' | typeof paysInstead): Column['holder'] => ({
  'a covering tier': 'key',
  'an unlimited tier': 'key',
  'a tier that does not cover it': uncovered,
  'a tier that is gone': uncovered,
  'a tier every object has': uncovered,
  'a covering tier and the scope': 'key',
  'a covering tier without the scope': 'scope',
  'a tier that does not cover it and the scope': uncovered,
  'a tier that does not cover it, without the scope': 'scope',
})

const table: Record<AccessName, Column> = {
  open: { plain: everyPlain('open'), holder: everyHolder('open') },
  'optional with a price': {
    plain: { ...everyPlain('free'), payer: 'payment', unreadable: 'challenge', refused: 'bad key' },
    holder: byTier(paysInstead),
  },
  'optional without a price': {
    plain: { ...everyPlain('free'), refused: 'bad key' },
    holder: byTier('tier'),
  },
  key: { plain: { ...everyPlain('no key'), refused: 'bad key' }, holder: byTier('tier') },
  holder: { plain: { ...everyPlain('no key'), refused: 'bad key' }, holder: everyHolder('open') },
  price: {
    plain: { ...everyPlain('challenge'), payer: 'payment', refused: 'bad key' },
    holder: byTier(paysInstead),
  },
  operator: {
    plain: { ...everyPlain('no token'), operator: 'open', notOperator: 'bad token' },
    holder: everyHolder('no token'),
  },
}

const rows = keysOf(table).flatMap((access) => [
  ...keysOf(plain).map((name): Row => [access, name, table[access].plain[name]]),
  ...keysOf(holders).flatMap((holder) =>
    keysOf(besides).map((beside): Row => {
      const outcome = table[access].holder[holder]
      return [access, `${holder}${beside}`, typeof outcome === 'string' ? outcome : outcome[beside]]
    }),
  ),
])

type Row = [access: AccessName, caller: CallerName, outcome: Outcome]

/** The whole door, to compare all its fields. */
function doorOf(outcome: Outcome, access: AccessName, caller: Caller): Door {
  const key = 'Bearer realm="tollgate"'
  const operator = 'Bearer realm="operator"'
  switch (outcome) {
    case 'open':
      return { kind: 'open' }
    case 'free':
      return { kind: 'free', operation: access === 'optional with a price' ? limited : unpriced }
    case 'key': {
      if (caller.kind !== 'holder') throw new Error('only a holder has a key')
      const { holder } = caller
      return { kind: 'key', holder, tier: holder.tier === 'max' ? tiers.max : covering }
    }
    case 'payment':
      return { kind: outcome, operation: priced }
    case 'challenge': {
      const isUncovered = caller.kind === 'holder' && caller.payment === undefined
      const remark = isUncovered ? { remark: notCovered(caller.holder.tier) } : {}
      return { kind: outcome, operation: priced, ...remark }
    }
    case 'bad key':
      return refusal('API_KEY_EXPIRED', {}, `${key}, error="invalid_token"`)
    case 'no key':
      return refusal('API_KEY_REQUIRED', {}, key)
    case 'tier': {
      const tier = caller.kind === 'holder' ? caller.holder.tier : ''
      return refusal('TIER_INSUFFICIENT', { tier, tiers: ['pro', 'max'] }, undefined)
    }
    case 'scope':
      return refusal('SCOPE_INSUFFICIENT', { scope: id }, `${key}, error="insufficient_scope", scope="${id}"`)
    case 'no token':
      return refusal('OPERATOR_TOKEN_REQUIRED', {}, operator)
    case 'bad token':
      return refusal('OPERATOR_TOKEN_INVALID', {}, `${operator}, error="invalid_token"`)
  }
}

const notCovered = (tier: string) => ({
  hint: `The tier of this key, ${tier}, does not cover the operation, so the call has to be paid for. A key of another tier does: pro or max.`,
  details: { tier, tiers: ['pro', 'max'] },
})

function refusal(
  code: Extract<Door, { kind: 'refuse' }>['code'],
  details: Readonly<Record<string, unknown>>,
  challenge: string | undefined,
): Door {
  return { kind: 'refuse', code, details, challenge }
}

describe('the door of an operation of access', () => {
  test.each(rows)('%s, for %s: %s', (access, name, outcome) => {
    const caller = callerOf(name)
    expect(decide(id, operations[access], caller, tiers)).toEqual(doorOf(outcome, access, caller))
  })

  test('is listed for every operation and every caller exactly once', () => {
    const listed = rows.map(([access, name]) => `${access} / ${name}`)
    const all = keysOf(operations).flatMap((access) => names.map((name) => `${access} / ${name}`))
    expect(new Set(listed)).toEqual(new Set(all))
    expect(listed).toHaveLength(7 * (6 + 9 * 3))
  })

  test.each(['price', 'key'] as const)(
    '%s says that an x-api-key which is not of our making was ignored',
    (access) => {
      const hint = expect.stringContaining('x-api-key of this request was ignored')
      const door = decide(id, operations[access], { kind: 'anonymous', hasForeignKey: true }, tiers)
      expect(door).toMatchObject(access === 'price' ? { remark: { hint } } : { hint })
    },
  )

  test('tier cannot be chosen before the price of the tier is known', () => {
    const sale = {
      access: 'tier',
      description,
      deadlineSeconds: 10,
      validitySeconds: 300,
      offers: {},
    } as const
    expect(() => decide('buyKey', sale, { kind: 'anonymous' }, tiers)).toThrow('price of a tier')
  })
})
