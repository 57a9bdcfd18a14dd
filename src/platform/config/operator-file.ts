import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Log } from '../../core/log.ts'
import type { Config } from './config.ts'

/**
 * How the operator's tools find the gateway and prove that they are the operator's: `operator.json` in the
 * data folder, which only the user the gateway runs as can read. A token is made at the first start and
 * kept; a token that was given in the environment is not written to any disk.
 */
export interface OperatorAccess {
  /** Undefined when none was given and none could be kept: then the operator's endpoints stay closed. */
  readonly token: string | undefined
  /** Notes where the gateway listens. */
  announce(address: string): Promise<void>
}

/** What stands in the file. */
const keptSchema = z.object({ url: z.string().optional(), token: z.string().min(1).optional() })

type Kept = z.infer<typeof keptSchema>

export function operatorFile(dataDir: string): string {
  return join(dataDir, 'operator.json')
}

/** @throws when the file cannot be read or is broken. @returns undefined when there is none. */
export async function readOperatorFile(file: string): Promise<Kept | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  return keptSchema.parse(JSON.parse(text))
}

/** Finds or makes the token. What goes wrong with the file is logged: it is no reason not to sell. */
export async function openOperatorAccess(
  config: Pick<Config, 'dataDir' | 'operatorToken' | 'store' | 'chain'>,
  log: Log,
): Promise<OperatorAccess> {
  const { dataDir, operatorToken } = config
  const file = operatorFile(dataDir)
  const write = async (kept: Kept) => {
    try {
      await writePrivate(file, kept, 'replace')
    } catch (error) {
      log.warn({ file, err: error }, 'the address of this gateway could not be kept for the tollgate command')
    }
  }

  if (operatorToken !== undefined) {
    // Gateways that keep nothing else in the folder may be several, and none of them is the one to name.
    const worksThere = config.store.kind === 'embedded' || config.chain.kind === 'local'
    return {
      token: operatorToken,
      announce: async (address) => (worksThere ? write({ url: reachable(address) }) : undefined),
    }
  }
  try {
    const token = await keepToken(dataDir, file, log)
    return { token, announce: (address) => write({ url: reachable(address), token }) }
  } catch (error) {
    log.warn(
      { file, err: error },
      'no operator token could be kept, so the operator’s endpoints are closed: set OPERATOR_TOKEN, or a DATA_DIR that can be written',
    )
    return { token: undefined, announce: async () => {} }
  }
}

async function keepToken(dataDir: string, file: string, log: Log): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const known = await readOperatorFile(file).catch((error: unknown): Kept => {
    if (error instanceof Error && 'code' in error) throw error
    log.warn({ file, err: error }, 'this file is broken and is made anew')
    return {}
  })
  if (known?.token) return known.token
  const token = randomBytes(32).toString('base64url')
  if (known) {
    await writePrivate(file, { ...known, token }, 'replace')
    return token
  }
  // Of gateways that start here together the first one's token holds.
  await writePrivate(file, { token }, 'create')
  const kept = await readOperatorFile(file)
  if (!kept?.token) throw new Error('another process has changed the file meanwhile')
  return kept.token
}

/** Whole or not at all, and never readable by anyone else, not even for a moment. */
async function writePrivate(file: string, kept: Kept, how: 'create' | 'replace'): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  await writeFile(draft, `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    if (how === 'replace') await rename(draft, file)
    else await link(draft, file)
  } catch (error) {
    if (how === 'replace' || !hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** To listen on every interface is no address to call. */
function reachable(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
