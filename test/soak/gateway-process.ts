import { join } from 'node:path'
import { devSettler } from '../../src/platform/chain/dev-accounts.ts'
import { freePort } from '../../src/platform/chain/local/port.ts'
import { openWorkplace } from '../support/gateways/process.ts'

/** A gateway in a separate process, so that its callers do not take its CPU time. */
export interface GatewayProcess {
  readonly url: string
  readonly pid: number
  /** Whether the process has exited. */
  readonly hasEnded: boolean
  /**
   * Stops the gateway after its open calls.
   * @throws Error when it exits with another code than 0.
   */
  close(): Promise<void>
  /** Ends the gateway at once, whatever it does. */
  kill(): Promise<void>
}

/** @param flags of Node.js; none when left out. */
export async function openGatewayProcess(
  settings: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<GatewayProcess> {
  const workplace = await openWorkplace()
  const running = workplace.start('main', {
    flags,
    settings: {
      SETTLER_KEY: devSettler.privateKey,
      DATA_DIR: join(workplace.folder, 'data'),
      PORT: String(await freePort()),
      ...settings,
    },
  })
  const state = { hasEnded: false }
  void running.ended.then(() => {
    state.hasEnded = true
  })
  const [, url = ''] = await running.shows(/tollgate listens on (\S+)/)
  return {
    url,
    pid: running.pid,
    get hasEnded() {
      return state.hasEnded
    },
    async close() {
      running.signal('SIGTERM')
      const { code, stderr } = await running.ended
      await workplace.close()
      if (code !== 0) throw new Error(`the gateway ended with ${code}:\n${stderr}`)
    },
    kill: () => workplace.close(),
  }
}
