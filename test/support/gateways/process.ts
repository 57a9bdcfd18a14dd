import { execFile, spawn } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cacheDir } from '../chain/chain.ts'

/**
 * The programs as users start them: processes of their own, with nothing in their environment but what a
 * test gives them, in folders that go away with them.
 */
export interface Workplace {
  /** Home folder, folder for temporary files, and room for data folders of the programs started here. */
  readonly folder: string
  start(program: Program, options?: StartOptions): Running
  /** Starts a program and waits for its end. */
  run(program: Program, options?: StartOptions): Promise<Ended>
  /** The processes that work in a folder below this one, known by their command line: local chains above all. */
  processes(dataDir?: string): Promise<readonly number[]>
  /** Ends whatever still runs here, whoever started it, and removes the folder. */
  close(): Promise<void>
}

const files = {
  main: 'src/main.ts',
  cli: 'src/cli/cli.ts',
  demo: 'src/demo/demo.ts',
  'demo-tokens': 'src/demo/tokens.ts',
} as const

export type Program = keyof typeof files

export interface StartOptions {
  readonly args?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  /** A file descriptor to take the place of standard error. */
  readonly stderr?: number
  /** Whether the process leads a group, as at a terminal: a signal then goes to its children, too. */
  readonly leadsGroup?: boolean
}

export interface Running {
  readonly pid: number
  readonly stdout: string
  readonly stderr: string
  readonly ended: Promise<Ended>
  /** Resolves once the output matches; rejects when the process ends before that, or after 30 s. */
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
/** Compiled code of the programs, kept between runs: a third of a start is compiling. */
const codeCache = join(cacheDir, 'code')
const patienceMs = 30_000

export async function openWorkplace(): Promise<Workplace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tollgate-processes-')))
  const started: Running[] = []

  function start(program: Program, options: StartOptions = {}): Running {
    const { args = [], settings = {}, stderr = 'pipe', leadsGroup = false } = options
    const child = spawn(process.execPath, [files[program], ...args], {
      cwd: projectRoot,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TMPDIR: folder,
        NODE_COMPILE_CACHE: codeCache,
        // A test of a first start says that it has none.
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
    if (pid === undefined) throw new Error(`${files[program]} could not be started`)

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
        const seen = Promise.withResolvers<RegExpExecArray>()
        const look = () => {
          const match = pattern.exec(output.stdout) ?? pattern.exec(output.stderr)
          if (match) seen.resolve(match)
        }
        const giveUp = (why: string) =>
          seen.reject(new Error(`${why} without showing ${pattern}:\n${output.stdout}${output.stderr}`))
        const timer = setTimeout(() => giveUp(`${files[program]} waited ${patienceMs} ms`), patienceMs)
        listeners.add(look)
        look()
        void ended.then(({ code, signal }) => giveUp(`${files[program]} ended with ${signal ?? code}`))
        try {
          return await seen.promise
        } finally {
          clearTimeout(timer)
          listeners.delete(look)
        }
      },
      signal(name) {
        // Once it is gone, its number may be anyone's.
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
    // It has ended by itself.
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
