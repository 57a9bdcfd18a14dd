import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLog } from '../core/log.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { explainFailure } from '../server/failure.ts'
import { listenForStop, type RunningGateway, startServer } from '../server/server.ts'

/** Where the demos play: a gateway on free ports with books and a chain of its own, of which nothing is left. */

export const out = (line = '') => process.stdout.write(`${line}\n`)

/** Where other tools keep what they can make again: a second demo need not compile the contracts anew. */
const cache = new URL('../../node_modules/.cache/tollgate/', import.meta.url)

/** Aborted when the demo is told to stop. */
export const stop = listenForStop()

// A reader that has seen enough, like head, must not keep us from tidying up.
process.stdout.on('error', () => {})

/**
 * Plays a demo to its end; the process ends with 0 unless something in it throws.
 * @param prepare makes what the demo needs in its folder, and says how the gateway is to be set.
 */
export async function play({
  prepare,
  show,
  tidy,
}: {
  readonly prepare: (folder: string) => Promise<{
    /** As from the environment. */
    readonly settings?: Readonly<Record<string, string>>
    readonly change?: Partial<Config>
  }>
  readonly show: (gateway: RunningGateway) => Promise<void>
  readonly tidy: () => Promise<void>
}): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-demo-'))
  try {
    const { settings, change } = await prepare(dataDir)
    // Nothing of the machine's settings is read: a demo is the same everywhere, and touches nobody's money.
    const config: Config = {
      ...readConfig({ DATA_DIR: dataDir, ...settings }, () => false),
      listen: { host: '127.0.0.1', port: 0 },
      chain: { kind: 'local', port: 0 },
      cacheDir: fileURLToPath(cache),
      ...change,
    }
    const gateway = await startServer(config, createLog('error'), (line) => out(`  ${line} …`))
    try {
      await show(gateway)
    } finally {
      await gateway.close()
    }
  } catch (error) {
    process.stderr.write(`${stop.aborted ? 'The demo was stopped.' : explainFailure(error)}\n`)
    process.exitCode = 1
  } finally {
    await tidy()
    await rm(dataDir, { recursive: true, force: true })
  }
}
