import type { Migration } from 'kysely/migration'
import { up as payments } from './migrations/doors/0001-payments.ts'
import { up as sales } from './migrations/doors/0002-sales.ts'
import { up as usage } from './migrations/doors/0003-usage.ts'
import { up as keys } from './migrations/doors/0004-keys.ts'
import { up as signingKeys } from './migrations/doors/0005-signing-keys.ts'
import { up as claimByIndex } from './migrations/doors/0006-claim-by-index.ts'
import { up as metered } from './migrations/doors/0008-metered.ts'
import { up as units } from './migrations/doors/0009-units.ts'
import { up as chains } from './migrations/doors/0010-chains.ts'
import { up as adoption } from './migrations/doors/0011-adoption.ts'
import { up as books } from './migrations/doors/0012-books.ts'
import { up as credit } from './migrations/doors/0015-credit.ts'
import { up as settlingAccounts } from './migrations/doors/0016-settling-accounts.ts'
import { up as walletRecords } from './migrations/doors/0017-wallet-records.ts'
import { up as repeats } from './migrations/doors/0018-repeats.ts'
import { up as room } from './migrations/doors/0019-room.ts'
import { up as holders } from './migrations/doors/0023-holders.ts'
import { up as claimRuns } from './migrations/doors/0024-claim-runs.ts'
import { up as listingTurns } from './migrations/doors/0026-listing-turns.ts'
import { up as scans } from './migrations/products/0007-scans.ts'
import { up as waitingScans } from './migrations/products/0014-waiting-scans.ts'
import { up as outbox } from './migrations/products/0020-outbox.ts'
import { up as webhooks } from './migrations/products/0021-webhooks.ts'
import { up as listings } from './migrations/products/0022-listings.ts'
import { up as insights } from './migrations/products/0025-insights.ts'

/**
 * The migrations, oldest first: `doors/` for money, keys and usage, `products/` for our own products. The SQL of a
 * shipped migration is never edited, because stores in use have run it already.
 */
export const migrations: Record<string, Migration> = {
  '0001_payments': { up: payments },
  '0002_sales': { up: sales },
  '0003_usage': { up: usage },
  '0004_keys': { up: keys },
  '0005_signing_keys': { up: signingKeys },
  '0006_claim_by_index': { up: claimByIndex },
  '0007_scans': { up: scans },
  '0008_metered': { up: metered },
  '0009_units': { up: units },
  '0010_chains': { up: chains },
  '0011_adoption': { up: adoption },
  '0012_books': { up: books },
  '0014_waiting_scans': { up: waitingScans },
  '0015_credit': { up: credit },
  '0016_settling_accounts': { up: settlingAccounts },
  '0017_wallet_records': { up: walletRecords },
  '0018_repeats': { up: repeats },
  '0019_room': { up: room },
  '0020_outbox': { up: outbox },
  '0021_webhooks': { up: webhooks },
  '0022_listings': { up: listings },
  '0023_holders': { up: holders },
  '0024_claim_runs': { up: claimRuns },
  '0025_insights': { up: insights },
  '0026_listing_turns': { up: listingTurns },
}
