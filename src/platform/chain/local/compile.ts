import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

/**
 * Turns Solidity sources into creation code. The compiler needs much memory and more than a second, so it
 * runs in a child process, whose memory ends with it, and its output is cached for later starts and tests.
 */

export interface CompileOptions {
  /** The folder of the sources; contract `Name` is in `Name.sol`. */
  readonly folder: URL
  /** The folder where creation code is cached. */
  readonly cacheDir: string
  readonly log: Log
  /** Called when the compiler has to run, because the cache has nothing for these sources. */
  readonly onCompile?: () => void
}

/**
 * Compiles the named contracts.
 * @returns creation code by name.
 * @throws Error with the compiler's messages when a source does not compile.
 */
export async function compileContracts<Name extends string>(
  names: readonly Name[],
  { folder, cacheDir, log, onCompile }: CompileOptions,
): Promise<Readonly<Record<Name, `0x${string}`>>> {
  const creationCode = z.record(
    z.enum(names),
    z.templateLiteral(['0x', z.string().regex(/^([0-9a-f]{2})+$/)]),
  )
  const input = await standardInput(names, folder)
  const file = join(cacheDir, `contracts-${fingerprint(input)}.json`)

  const cached = await readJsonFile(file, creationCode, log)
  if (cached) return cached

  onCompile?.()
  const compiled = creationCode.parse(await runCompiler(input))
  await writeJsonFile(file, compiled)
  return compiled
}

/** The input of the compiler's JSON interface (docs.soliditylang.org, "Using the Compiler"). */
async function standardInput(names: readonly string[], folder: URL): Promise<string> {
  const sources = await Promise.all(
    names.map(async (name) => [
      `${name}.sol`,
      { content: await readFile(new URL(`${name}.sol`, folder), 'utf8') },
    ]),
  )
  return JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      // The oldest version that OpenZeppelin's contracts run on, so every present anvil runs the code.
      evmVersion: 'cancun',
      outputSelection: Object.fromEntries(
        names.map((name) => [`${name}.sol`, { [name]: ['evm.bytecode.object'] }]),
      ),
    },
  })
}

/** Names the cached file. Imported sources count through the version of their package. */
function fingerprint(input: string): string {
  const hash = createHash('sha256').update(input)
  for (const name of ['solc', '@openzeppelin/contracts']) hash.update(`${name}@${installedVersion(name)}`)
  return hash.digest('hex').slice(0, 16)
}

const requireFrom = createRequire(import.meta.url)

function installedVersion(name: string): string {
  return z.object({ version: z.string() }).parse(requireFrom(`${name}/package.json`)).version
}

const compilerOutput = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
    )
    .default({}),
})

async function runCompiler(input: string): Promise<Record<string, string>> {
  const child = fileURLToPath(new URL('./compile-child.ts', import.meta.url))
  const running = promisify(execFile)(process.execPath, [child], {
    env: {},
    timeout: 120_000,
    maxBuffer: 16 * 1024 * 1024,
  })
  // A compiler that ends before it has read its input reports why with its exit, which is awaited below.
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(input)
  const output = compilerOutput.parse(JSON.parse((await running).stdout))

  const faults = output.errors.filter((error) => error.severity === 'error')
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.values(output.contracts)
      .flatMap((contracts) => Object.entries(contracts))
      .map(([name, contract]) => [name, `0x${contract.evm.bytecode.object}`]),
  )
}
