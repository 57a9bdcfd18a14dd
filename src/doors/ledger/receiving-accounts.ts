import { type ExpressionBuilder, sql } from 'kysely'
import type { Books } from '../../platform/store/books.ts'
import type { ReceivingAccountRow } from '../../platform/store/rows/settlement.ts'
import type { Tables } from '../../platform/store/schema.ts'
import type { Currency } from './totals.ts'

/**
 * The accounts that payments to these books go to, or went to before `PAY_TO` was changed. Without them a
 * change would leave all earlier payments out of the reconciliation.
 */

/** In lower-case hex. */
export type ReceivingAccount = Omit<ReceivingAccountRow, 'currentAt'>

/** Records that payments to this account are asked for now. */
export async function noteReceivingAccount(
  { queries, clock }: Books,
  account: ReceivingAccount,
): Promise<void> {
  const currentAt = new Date(clock.now())
  await queries
    .insertInto('receivingAccounts')
    .values({ ...account, currentAt })
    .onConflict((conflict) =>
      conflict.columns(['chainId', 'asset', 'payTo']).doUpdateSet({
        currentAt: sql<Date>`greatest(receiving_accounts.current_at, excluded.current_at)`,
      }),
    )
    .execute()
}

/** Lists the accounts that received payments in this token, the one that was current last first. */
export async function receivingAccounts(
  { queries }: Pick<Books, 'queries'>,
  { chainId, asset }: Currency,
): Promise<ReceivingAccount[]> {
  return queries
    .selectFrom('receivingAccounts')
    .select(['chainId', 'asset', 'payTo'])
    .where('chainId', '=', chainId)
    .where('asset', '=', asset)
    .orderBy('currentAt', 'desc')
    .orderBy('payTo')
    .execute()
}

/** When a gateway on these books has last asked for payments to each account, by the account. */
export async function lastAskedFor(
  { queries }: Pick<Books, 'queries'>,
  { chainId, asset }: Currency,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await queries
    .selectFrom('receivingAccounts')
    .select(['payTo', 'currentAt'])
    .where('chainId', '=', chainId)
    .where('asset', '=', asset)
    .execute()
  return new Map(rows.map(({ payTo, currentAt }) => [payTo, currentAt]))
}

type WithAccount = 'receivingAccounts' | 'reconciled' | 'payments'

/** The condition that a row is about this account. */
export function isAccount({ chainId, asset, payTo }: ReceivingAccount) {
  return (row: ExpressionBuilder<Pick<Tables, WithAccount>, WithAccount>) =>
    row.and({ chainId, asset, payTo })
}
