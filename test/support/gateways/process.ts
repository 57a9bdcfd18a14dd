import { execFile, spawn } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pTimeout from 'p-timeout'
import { cacheDir } from '../chain/chain.ts'
import { patienceMs } from '../patience.ts'

/**
 * Starts the programs as users do: in separate processes, with an environment that the test chooses, in a folder that
 * is removed at the end.
 */
export interface Workplace {
  /** The home and temporary folder of the programs, with room for their data folders. */
  readonly folder: string
  start(program: Program, options?: StartOptions): Running
  /** Starts a program and waits until it exits. */
  run(program: Program, options?: StartOptions): Promise<Ended>
  /** Lists the processes whose command line names the folder, above all local chains. */
  processes(dataDir?: string): Promise<readonly number[]>
  /** Kills all processes that still run in the folder, and removes it. */
  close(): Promise<void>
}

/**
 * Credit for many unsettled calls of each wallet, and for wallets that have failed to pay elsewhere in the test
 * run. Tests of credit have settings of their own.
 */
export const trusting = { NEW_PAYER_CALLS: '100', NEW_PAYER_USDC: '1000', MAX_UNSETTLED_USDC: '100000' }

/** The credit that a gateway gives by default. */
export const careful = { NEW_PAYER_CALLS: '1', NEW_PAYER_USDC: '1.00', MAX_UNSETTLED_USDC: '5.00' }

const files = {
  main: 'src/main.ts',
  cli: 'src/cli/cli.ts',
  demo: 'src/demo/demo.ts',
  'demo-tokens': 'src/demo/tokens.ts',
} as const

/** `npm start` runs main as users do; its process is npm's. */
export type Program = keyof typeof files | 'npm start'

/**
 * As the scripts of package.json start them: without --liftoff-only V8 optimizes the WebAssembly of the embedded store,
 * which takes two fifths of a start's processor time.
 */
const usualFlags: Readonly<Record<Program, readonly string[]>> = {
  main: ['--liftoff-only'],
  demo: ['--liftoff-only'],
  'demo-tokens': ['--liftoff-only'],
  cli: [],
  'npm start': [],
}

export interface StartOptions {
  readonly args?: readonly string[]
  /** Flags of Node.js besides those of `usualFlags`. `npm start` has its own. */
  readonly flags?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  /** A file descriptor for standard error. */
  readonly stderr?: number
  /** Whether the process leads a group, as at a terminal: then a signal reaches its children, too. */
  readonly leadsGroup?: boolean
}

export interface Running {
  readonly pid: number
  readonly stdout: string
  readonly stderr: string
  readonly ended: Promise<Ended>
  /** Resolves when the output matches; rejects when the process exits first, or after 30 s. */
  shows(pattern: RegExp): Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export const projectRoot = fileURLToPath(new URL('../../../', import.meta.url))
/** Keeps the compiled code of the programs between runs. */
export const codeCache = join(cacheDir, 'code')

export async function openWorkplace(): Promise<Workplace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tollgate-processes-')))
  const started: Running[] = []

  function start(program: Program, options: StartOptions = {}): Running {
    const { args = [], flags = [], settings = {}, stderr = 'pipe', leadsGroup = false } = options
    const [command, ...words] =
      program === 'npm start'
        ? ['npm', 'start']
        : [process.execPath, ...usualFlags[program], ...flags, files[program]]
    const child = spawn(command, [...words, ...args], {
      cwd: projectRoot,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TMPDIR: folder,
        NODE_COMPILE_CACHE: codeCache,
        // A test of a first start overrides it.
        CACHE_DIR: cacheDir,
        ...settings,
      },
      stdio: ['ignore', 'pipe', stderr],
      detached: leadsGroup,
    })
    const output = { stdout: '', stderr: '' }
    const listeners = new Set<() => void>()
    const collect = (name: 'stdout' | 'stderr') => (chunk: string) => {
      output[name] += chunk
      for (const listener of listeners) listener()
    }
    child.stdout?.setEncoding('utf8').on('data', collect('stdout'))
    child.stderr?.setEncoding('utf8').on('data', collect('stderr'))
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, ...output }))
    })
    const { pid } = child
    if (pid === undefined) throw new Error(`${program} did not start`)

    const running: Running = {
      pid,
      get stdout() {
        return output.stdout
      },
      get stderr() {
        return output.stderr
      },
      ended,
      async shows(pattern) {
        const shown = Promise.withResolvers<RegExpExecArray>()
        const check = () => {
          const match = pattern.exec(output.stdout) ?? pattern.exec(output.stderr)
          if (match) shown.resolve(match)
        }
        const failure = (what: string) =>
          new Error(`${program} ${what} without showing ${pattern}:\n${output.stdout}${output.stderr}`)
        listeners.add(check)
        check()
        void ended.then(({ code, signal }) => shown.reject(failure(`exited with ${signal ?? code}`)))
        try {
          return await pTimeout(shown.promise, {
            milliseconds: patienceMs,
            fallback: () => Promise.reject(failure(`ran ${patienceMs} ms`)),
          })
        } finally {
          listeners.delete(check)
        }
      },
      signal(name) {
        // After its exit, another process may have its id.
        if (child.exitCode === null && child.signalCode === null) signalProcess(leadsGroup ? -pid : pid, name)
      },
    }
    started.push(running)
    return running
  }

  return {
    folder,
    start,
    run: (program, options) => start(program, options).ended,
    processes: (dataDir = folder) => processesNaming(dataDir),
    async close() {
      for (const { signal, ended } of started) {
        signal('SIGKILL')
        await ended
      }
      for (const pid of await processesNaming(folder)) signalProcess(pid, 'SIGKILL')
      while ((await processesNaming(folder)).length > 0) await sleep(20)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // The process has exited already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function processesNaming(folder: string): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args='])
  return stdout
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => Number.parseInt(line, 10))
}
