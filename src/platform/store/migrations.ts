import type { Migration } from 'kysely/migration'
import { up as payments } from './migrations/0001-payments.ts'
import { up as sales } from './migrations/0002-sales.ts'
import { up as usage } from './migrations/0003-usage.ts'
import { up as keys } from './migrations/0004-keys.ts'
import { up as signingKeys } from './migrations/0005-signing-keys.ts'
import { up as claimByIndex } from './migrations/0006-claim-by-index.ts'
import { up as scans } from './migrations/0007-scans.ts'
import { up as metered } from './migrations/0008-metered.ts'
import { up as units } from './migrations/0009-units.ts'
import { up as chains } from './migrations/0010-chains.ts'
import { up as adoption } from './migrations/0011-adoption.ts'
import { up as books } from './migrations/0012-books.ts'
import { up as waitingScans } from './migrations/0014-waiting-scans.ts'
import { up as credit } from './migrations/0015-credit.ts'
import { up as settlingAccounts } from './migrations/0016-settling-accounts.ts'
import { up as walletRecords } from './migrations/0017-wallet-records.ts'
import { up as repeats } from './migrations/0018-repeats.ts'
import { up as room } from './migrations/0019-room.ts'

/**
 * The migrations, oldest first. The SQL of a shipped migration is never edited, because stores in use have
 * run it already.
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
}
