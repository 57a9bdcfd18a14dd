import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { trusting } from '../support/gateways/process.ts'

/** A measured server. Each is a separate process, so that no two share an event loop. */
export interface BenchServer {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a program and reads its port from the line `listening 8402` or `… listens on http://127.0.0.1:8402`. */
export async function startProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<BenchServer> {
  const child = spawn(
    process.execPath,
    [...(await flagsOfStart), new URL(program, import.meta.url).pathname, ...args],
    {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...(await environmentOfStart),
        ...trusting,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  if (child.pid === undefined) throw new Error(`${program} did not start`)
  const port = await listeningPort(child)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const wordsOfStart = readFile(new URL('../../package.json', import.meta.url), 'utf8').then((text) =>
  z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(text))
    .scripts.start.split(' '),
)

/** The flags of `npm start`. Peers get them too, so that V8 treats all alike. */
export const flagsOfStart = wordsOfStart.then((words) => words.filter((word) => word.startsWith('--')))

/** What `npm start` tells the C library. Peers are told it too. */
export const environmentOfStart = wordsOfStart.then((words) =>
  Object.fromEntries(words.flatMap((word) => [/^([A-Z_]+)=(.*)$/.exec(word)?.slice(1) ?? []].filter(isPair))),
)

const isPair = (pair: string[]): pair is [string, string] => pair.length === 2

async function listeningPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the program has no standard output')
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /listen(?:s on .*:|ing )(\d+)$/.exec(line)?.[1]
    if (port) return Number(port)
  }
  throw new Error('the program ended before it listened')
}

/** Reads the CPU time that a process has used, user and system, in milliseconds, from /proc, which only Linux has. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the process stands in parentheses and may contain spaces; utime and stime follow as fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}

/** Linux counts 100 ticks a second. */
const msPerTick = 10

/** Reads the resident memory of a process in megabytes from /proc, which only Linux has. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
