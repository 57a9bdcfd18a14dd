import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLog } from '../core/log.ts'
import { type Config, readSettings } from '../platform/config/config.ts'
import { type RunningGateway, startServer } from '../server/server.ts'
import { explainFailure } from '../server/start/failure.ts'
import { listenForStop } from '../server/stop/signals.ts'

export const out = (line = '') => process.stdout.write(`${line}\n`)

/** Keeps the compiled contracts for the next demo. */
const cache = new URL('../../node_modules/.cache/tollgate/', import.meta.url)

/** Aborts when a signal stops the demo. */
export const { stop } = listenForStop()

// A reader such as head closes the pipe early; the demo must still clean up.
process.stdout.on('error', () => {})

/**
 * Runs a demo against a gateway with its own books and chain, on free ports and in a folder that is removed at the
 * end. The process exits with 1 when anything throws.
 * @param prepare creates what the demo needs in its folder, and returns the settings of the gateway.
 */
export async function runDemo({
  prepare,
  run,
  cleanUp,
}: {
  readonly prepare: (folder: string) => Promise<{
    /** Names and values as in the environment. */
    readonly settings?: Readonly<Record<string, string>>
    readonly change?: Partial<Config>
  }>
  readonly run: (gateway: RunningGateway) => Promise<void>
  readonly cleanUp: () => Promise<void>
}): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tollgate-demo-'))
  try {
    const { settings, change } = await prepare(dataDir)
    // The environment is not read: a demo is the same on every machine, and uses no real money.
    const read = readSettings({ DATA_DIR: dataDir, ...settings }, () => false)
    const config: Config = {
      ...read.config,
      listen: { host: '127.0.0.1', port: 0 },
      chain: { kind: 'local', port: 0 },
      cacheDir: fileURLToPath(cache),
      ...change,
    }
    const gateway = await startServer({ ...read, config }, createLog('error'), (line) => out(`  ${line} …`))
    try {
      await run(gateway)
    } finally {
      await gateway.close()
    }
  } catch (error) {
    process.stderr.write(`${stop.aborted ? 'The demo was stopped.' : explainFailure(error)}\n`)
    process.exitCode = 1
  } finally {
    await cleanUp()
    await rm(dataDir, { recursive: true, force: true })
  }
}
