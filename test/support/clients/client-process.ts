import { fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import pTimeout from 'p-timeout'
import type { Hex } from 'viem'
import { z } from 'zod'
import { temporaryFolder } from '../chain/chain.ts'
import { patienceMs } from '../patience.ts'

/**
 * A published client in a process of its own, as its users run it: with its own packages, and without the test's
 * environment. Its script is in `scripts`.
 */
export interface ClientProcess {
  /** Makes one call. Calls wait for each other. */
  call(order: Order): Promise<Outcome>
  /** Ends the process. */
  close(): Promise<void>
}

/** A request, and the wallet that may pay for it. */
export interface Order {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** JSON. */
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly privateKey: Hex
  /** The chain's node, for clients that read the wallet's balance or allowance. */
  readonly rpcUrl: string
  /** What the client may pay at most. Without it, or without an option for it, the client's own limit holds. */
  readonly limitUsdc: string | undefined
  /** `exact` when left out. */
  readonly scheme?: 'upto'
}

const reply = z.object({
  status: z.int(),
  /** By name in lower case. A client that shows its user no headers gives none. */
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
const outcome = z.union([
  z.object({ reply }),
  /** What the client threw, as its user reads it. */
  z.object({ error: z.string() }),
])

export type Reply = z.infer<typeof reply>
export type Outcome = z.infer<typeof outcome>

/**
 * Starts a client.
 * @param script path of the script, in a folder from which its packages are found.
 */
export async function startClient(script: string): Promise<ClientProcess> {
  const { folder, remove } = await temporaryFolder()
  const child = fork(script, [], {
    cwd: dirname(script),
    env: { PATH: process.env.PATH, HOME: folder },
    execArgv: [],
    silent: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const exited = once(child, 'exit')

  /** Waits for the next message, or says why none came. */
  async function answer(): Promise<unknown> {
    const message = once(child, 'message')
    const ended = exited.then(() => Promise.reject(new Error(`the client exited:\n${printed}`)))
    const [first]: unknown[] = await pTimeout(Promise.race([message, ended]), {
      milliseconds: patienceMs,
      message: `the client did not answer within ${patienceMs} ms:\n${printed}`,
    })
    return first
  }

  async function close() {
    child.kill('SIGKILL')
    await exited
    await remove()
  }

  try {
    await answer()
  } catch (error) {
    await close()
    throw error
  }
  return {
    async call(order) {
      const answered = answer()
      child.send(order)
      return outcome.parse(await answered)
    },
    close,
  }
}
