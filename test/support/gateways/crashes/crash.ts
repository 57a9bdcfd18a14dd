import { expect } from 'vitest'
import type { Held } from '../../servers/held.ts'
import type { Model } from '../../servers/model.ts'
import type { Replica } from '../replica.ts'

/** A point in a payment's life at which a gateway may die. */
export interface CrashPoint {
  readonly name: string
  /** The part that the gateway waits for at this point. */
  readonly at: 'store' | 'node' | 'model'
  /** Makes the gateway stop at this point. */
  readonly stop: (doomed: Replica, model: Model) => Held
  /** The state in the books at this point. */
  readonly state: string
  /** Whether the chain has moved the money by this point. */
  readonly isTaken: boolean
  /** All runs of the handler, including the one that makes the reply. A killed run has served no caller. */
  readonly runs: number
}

/** The points of a payment that is charged after the work, in order. */
export const pointsAfter: readonly CrashPoint[] = [
  {
    name: 'after the claim, before the handler',
    at: 'store',
    stop: ({ store }) => store.holdAnswer('claimed'),
    state: 'claimed',
    isTaken: false,
    runs: 1,
  },
  {
    name: 'while the handler runs',
    at: 'model',
    stop: (_doomed, model) => stopInModel(model),
    state: 'claimed',
    isTaken: false,
    runs: 2,
  },
  {
    name: 'after the handler, before the reply is stored',
    at: 'store',
    stop: ({ store }) => store.holdWrite('served'),
    state: 'claimed',
    isTaken: false,
    runs: 2,
  },
  {
    name: 'after the reply is stored, before a transfer is signed',
    at: 'store',
    stop: ({ store }) => store.holdAnswer('served'),
    state: 'served',
    isTaken: false,
    runs: 1,
  },
  {
    name: 'before the broadcast reaches the node',
    at: 'node',
    stop: ({ node }) => node.hold('eth_sendRawTransaction'),
    state: 'served',
    isTaken: false,
    runs: 1,
  },
  {
    name: 'after the broadcast, before the node’s reply',
    at: 'node',
    stop: ({ node }) => node.holdAnswer('eth_sendRawTransaction'),
    state: 'served',
    isTaken: true,
    runs: 1,
  },
  {
    name: 'before the receipt arrives',
    at: 'node',
    stop: ({ node }) => node.holdAnswer('eth_getTransactionReceipt'),
    state: 'served',
    isTaken: true,
    runs: 1,
  },
  {
    name: 'after the receipt, before the outcome is recorded',
    at: 'store',
    stop: ({ store }) => store.holdWrite('settled'),
    state: 'served',
    isTaken: true,
    runs: 1,
  },
  {
    name: 'after the outcome is recorded, before the reply is sent',
    at: 'store',
    stop: ({ store }) => store.holdAnswer('settled'),
    state: 'settled',
    isTaken: true,
    runs: 1,
  },
]

/** The points of a payment that is charged before the work, in order. */
export const pointsBefore: readonly CrashPoint[] = [
  {
    name: 'after the claim, before a transfer is signed',
    at: 'store',
    stop: ({ store }) => store.holdAnswer('claimed'),
    state: 'settling',
    isTaken: false,
    runs: 1,
  },
  {
    name: 'before the broadcast reaches the node',
    at: 'node',
    stop: ({ node }) => node.hold('eth_sendRawTransaction'),
    state: 'settling',
    isTaken: false,
    runs: 1,
  },
  {
    name: 'after the broadcast, before the node’s reply',
    at: 'node',
    stop: ({ node }) => node.holdAnswer('eth_sendRawTransaction'),
    state: 'settling',
    isTaken: true,
    runs: 1,
  },
  {
    name: 'after the receipt, before the payment is recorded',
    at: 'store',
    stop: ({ store }) => store.holdWrite('paid'),
    state: 'settling',
    isTaken: true,
    runs: 1,
  },
  {
    name: 'after the payment is recorded, before the handler',
    at: 'store',
    stop: ({ store }) => store.holdAnswer('paid'),
    state: 'paid',
    isTaken: true,
    runs: 1,
  },
  {
    name: 'while the handler runs',
    at: 'model',
    stop: (_doomed, model) => stopInModel(model),
    state: 'paid',
    isTaken: true,
    runs: 2,
  },
  {
    name: 'after the handler, before the reply is stored',
    at: 'store',
    stop: ({ store }) => store.holdWrite('settled'),
    state: 'paid',
    isTaken: true,
    runs: 2,
  },
  {
    name: 'after the reply is stored, before it is sent',
    at: 'store',
    stop: ({ store }) => store.holdAnswer('settled'),
    state: 'settled',
    isTaken: true,
    runs: 1,
  },
]

function stopInModel(model: Model) {
  const asked = model.asked
  model.answer = 'never'
  return {
    reached: expect.poll(() => model.asked, { message: 'the handler did not begin' }).toBe(asked + 1),
    release: () => {
      model.answer = 'research'
    },
    drop: () => {
      model.answer = 'research'
    },
  }
}
