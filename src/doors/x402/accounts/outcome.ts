import { type Hex, isHex } from 'viem'
import type { HandoverOutcome } from '../../ledger/settling/handovers.ts'
import type { Settlement } from '../wire/facilitator.ts'

/** The outcome of a settlement, as one gateway writes it and another one reads it. */
export function writeOutcome(settlement: Settlement): HandoverOutcome {
  switch (settlement.outcome) {
    case 'settled': {
      const { transaction, block } = settlement
      return { ...nothing, outcome: 'settled', transaction, blockNumber: block.number, blockHash: block.hash }
    }
    case 'failed':
      return { ...nothing, outcome: 'failed', ...settlement.refusal }
    case 'unknown':
      return { ...nothing, outcome: 'unknown', transaction: settlement.transaction ?? null }
  }
}

const nothing = { transaction: null, blockNumber: null, blockHash: null, reason: null, message: null }

/** @param written undefined when the other gateway has written nothing in time. */
export function readOutcome(written: HandoverOutcome | undefined): Settlement {
  const transaction = hexOf(written?.transaction)
  const hash = hexOf(written?.blockHash)
  if (written?.outcome === 'settled' && transaction && hash && written.blockNumber !== null) {
    return { outcome: 'settled', transaction, block: { number: written.blockNumber, hash } }
  }
  if (written?.outcome === 'failed' && written.reason !== null) {
    return { outcome: 'failed', refusal: { reason: written.reason, message: written.message ?? '' } }
  }
  const why = written
    ? 'the gateway that holds the account does not know the outcome yet'
    : 'the gateway that holds the account has not settled the payment in time'
  return { outcome: 'unknown', ...(transaction ? { transaction } : {}), cause: new Error(why) }
}

function hexOf(text: string | null | undefined): Hex | undefined {
  return isHex(text) ? text : undefined
}
