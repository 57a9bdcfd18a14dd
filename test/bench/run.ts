import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { benchDoors } from './doors.ts'
import { benchLedger } from './ledger.ts'
import { benchPaid } from './paid.ts'
import { benchProxy } from './proxy.ts'
import { report } from './report.ts'
import { benchScans } from './scans.ts'
import { startProgram } from './servers.ts'
import { benchStart } from './start.ts'
import { benchUnpaid } from './unpaid.ts'
import { benchVerify } from './verify.ts'

/** `npm run bench`: our gateway and its peers, started together and measured in turns. Absolute times mean little on a shared machine. */
const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
const chainPort = await freePort()
const ours = await startProgram('../../src/main.ts', [], {
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  DEV_CHAIN_PORT: String(chainPort),
})
const bare = await startProgram('peers/bare-express.ts', [], {})
const reference = await startProgram('peers/x402-express.ts', [`http://127.0.0.1:${chainPort}`], {})
try {
  const rpc = `http://127.0.0.1:${chainPort}`
  const urls = { ours: ours.url, bare: bare.url, reference: reference.url, rpc }
  const results = [
    ...(await benchVerify()),
    ...(await benchUnpaid(urls)),
    ...(await benchDoors(bare.url)),
    ...(await benchPaid(urls)),
  ]
  await Promise.all([ours.stop(), bare.stop(), reference.stop()])
  await report([
    ...results,
    ...(await benchLedger()),
    ...(await benchStart()),
    ...(await benchProxy()),
    ...(await benchScans()),
  ])
} finally {
  await Promise.all([ours.stop(), bare.stop(), reference.stop()])
  await rm(dataDir, { recursive: true, force: true })
}
