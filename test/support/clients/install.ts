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
  const together = await installed(others)
  const found = together ? [{ clients: others, folder: together }] : await installEach(others)
  const ready = found.map(async ({ clients, folder }) => {
    for (const name of await readdir(scripts)) await copyFile(join(scripts, name), join(folder, name))
    return clients.map((client) => ({ ...client, path: join(folder, `${client.script}.mjs`) }))
  })
  return [
    ...own.map((client) => ({ ...client, path: join(scripts, `${client.script}.mjs`) })),
    ...(await Promise.all(ready)).flat(),
  ]
}

/** Where a package of one client is missing, the others can still be installed. */
async function installEach(clients: readonly PublishedClient[]) {
  const found: { clients: readonly PublishedClient[]; folder: string }[] = []
  for (const client of clients) {
    const folder = await installed([client])
    if (folder) found.push({ clients: [client], folder })
    else
      process.stderr.write(
        `${client.name} could not be installed, so the gateway is not tried with it here\n`,
      )
  }
  return found
}

/** @returns the folder that holds the packages of these clients; undefined when npm could not install them. */
async function installed(clients: readonly PublishedClient[]): Promise<string | undefined> {
  const packages: Packages = Object.assign({}, ...clients.map((client) => client.packages))
  const manifest = manifestOf(packages)
  const folder = join(cacheDir, `clients-${createHash('sha256').update(manifest).digest('hex').slice(0, 16)}`)
  if (await exists(folder)) return folder
  await mkdir(cacheDir, { recursive: true })
  const fresh = await mkdtemp(join(cacheDir, 'installing-clients-'))
  try {
    await writeFile(join(fresh, 'package.json'), manifest)
    await mkdir(join(fresh, 'empty'))
    await writeFile(join(fresh, 'empty/package.json'), '{"name":"empty","version":"1.0.0"}')
    await promisify(execFile)('npm', npmArguments, { cwd: fresh, timeout: 120_000 })
    await rename(fresh, folder)
    return folder
  } catch (error) {
    // Another run has installed the same meanwhile.
    if (await exists(folder)) return folder
    process.stderr.write(
      `npm install of ${Object.keys(packages).join(', ')}: ${error instanceof Error ? error.message : error}\n`,
    )
    return undefined
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
