import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cacheDir } from '../chain/chain.ts'
import { type Packages, type PublishedClient, publishedClients } from './clients.ts'

/** A client that can be started. */
export interface InstalledClient extends PublishedClient {
  /** Path of its script, in a folder from which the client's packages are found. */
  readonly path: string
}

const scripts = fileURLToPath(new URL('scripts/', import.meta.url))

/**
 * Installs the published clients in a folder of their own, once for all runs: together they are 270 MB, and would have
 * this project's packages in other versions. A client that the registry cannot give is left out with a notice, also in
 * CI, because a registry that is down or behind says nothing about this gateway.
 */
export async function installClients(): Promise<readonly InstalledClient[]> {
  const own = publishedClients.filter(({ packages }) => packages === undefined)
  const others = publishedClients.filter(({ packages }) => packages !== undefined)
  const ready = own.map((client) => ({ ...client, path: join(scripts, `${client.script}.mjs`) }))
  for (const { clients, folder } of await installAll(others)) {
    await copyScripts(folder)
    for (const client of clients) {
      if (await runs(client, folder)) ready.push({ ...client, path: join(folder, `${client.script}.mjs`) })
    }
  }
  const names = new Set(ready.map(({ name }) => name))
  for (const { name } of others) {
    if (!names.has(name))
      process.stderr.write(`${name} is not installed, so the gateway is not tried with it here\n`)
  }
  return ready
}

async function runs({ probe }: PublishedClient, cwd: string): Promise<boolean> {
  if (!probe) return true
  const [command, ...args] = probe
  return promisify(execFile)(join(cwd, command), args).then(
    () => true,
    () => false,
  )
}

/** A script finds its packages from where it lies. Another run may be reading the old copy. */
async function copyScripts(folder: string): Promise<void> {
  for (const name of await readdir(scripts)) {
    const copy = join(folder, `${name}.${process.pid}`)
    await copyFile(join(scripts, name), copy)
    await rename(copy, join(folder, name))
  }
}

interface Group {
  readonly clients: readonly PublishedClient[]
  /** Holds their packages. */
  readonly folder: string
}

/** Installs the clients together; where the registry lacks a package of one, the others each for itself. */
async function installAll(clients: readonly PublishedClient[]): Promise<readonly Group[]> {
  const together = await install(clients)
  if (together !== 'missing') return together === 'failed' ? [] : [together]
  const groups: Group[] = []
  for (const client of clients) {
    const alone = await install([client])
    if (alone !== 'missing' && alone !== 'failed') groups.push(alone)
  }
  return groups
}

async function install(clients: readonly PublishedClient[]): Promise<Group | 'missing' | 'failed'> {
  const packages: Packages = Object.assign({}, ...clients.map((client) => client.packages))
  const installed = await installPackages(packages)
  return typeof installed === 'string' ? installed : { clients, ...installed }
}

/**
 * Installs packages in a folder of their own, once for all runs.
 * @returns the folder; `missing` when the registry lacks a package, `failed` when npm could not install for another
 *   reason.
 */
export async function installPackages(
  packages: Packages,
): Promise<{ readonly folder: string } | 'missing' | 'failed'> {
  const manifest = manifestOf(packages)
  const folder = join(cacheDir, `clients-${createHash('sha256').update(manifest).digest('hex').slice(0, 16)}`)
  if (await exists(folder)) return { folder }
  await mkdir(cacheDir, { recursive: true })
  const fresh = await mkdtemp(join(cacheDir, 'installing-clients-'))
  try {
    await writeFile(join(fresh, 'package.json'), manifest)
    await mkdir(join(fresh, 'empty'))
    await writeFile(join(fresh, 'empty/package.json'), '{"name":"empty","version":"1.0.0"}')
    await promisify(execFile)('npm', npmArguments, { cwd: fresh, timeout: 120_000 })
    await rename(fresh, folder)
    return { folder }
  } catch (error) {
    // Another run has installed the same meanwhile.
    if (await exists(folder)) return { folder }
    const reason = error instanceof Error ? error.message : String(error)
    // npm says first what is wrong, and then much else.
    process.stderr.write(`${reason.split('\n').slice(0, 3).join('\n')}\n`)
    return /\b(E404|ETARGET)\b/.test(reason) ? 'missing' : 'failed'
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Peer packages are for web pages. A registry that does not answer is given up soon. */
const npmArguments = [
  'install',
  '--ignore-scripts',
  '--legacy-peer-deps',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--prefer-offline',
  '--loglevel=error',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-timeout=20000',
]

/**
 * x402 version 1 brings 540 MB of wallet windows for web pages (wagmi), and AnySpend an SDK for servers. An empty
 * package stands for them: no client loads them here, and one that did would fail at once.
 */
function manifestOf(packages: Packages): string {
  const overrides = { wagmi: 'file:./empty', '@coinbase/cdp-sdk': 'file:./empty' }
  return JSON.stringify({ private: true, type: 'module', dependencies: packages, overrides })
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
