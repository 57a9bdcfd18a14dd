import type { Room } from '../../../ledger/claim.ts'
import { type Funds, tooLittle } from '../../wire/facilitator.ts'
import type { Refusal } from '../../wire/types.ts'
import type { Purchase } from '../purchase.ts'

/** Why the books refuse a payment. */
export type BooksRefusal = Exclude<Room['kind'], 'free' | 'taken' | 'bought'>

/** The refusal that the caller gets for it. @param funds what the payer was seen to hold. */
export function refusalBy(
  kind: Exclude<BooksRefusal, 'busy' | 'queued'>,
  { wanted: { authorized } }: Purchase,
  funds: Funds | undefined,
): Refusal {
  switch (kind) {
    case 'moving':
    case 'overdrawn':
      return funds && funds.balance < authorized ? tooLittle(funds.balance, authorized) : overdrawn
    case 'distrusted':
      return mustPayFirst
    case 'waiting':
    case 'uncredited':
      return beyondCredit
  }
}

const overdrawn: Refusal = {
  reason: 'insufficient_funds',
  message: 'the payer’s other open payments need the balance of the wallet',
}

const mustPayFirst: Refusal = {
  reason: 'unsupported_scheme',
  offered: 'exact',
  message:
    'the scheme must be exact: calls of this payer went unpaid within the last day, so the money has to move before the work',
}

const beyondCredit: Refusal = {
  reason: 'unsupported_scheme',
  offered: 'exact',
  message:
    'the scheme must be exact: the money has to move before the work, because this operation asks it of new payers, or because this would be more unsettled work than this payer has earned by earlier payments, or than all new payers together may have',
}
