import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import type { Log } from '../../core/log.ts'
import type { Config } from './config.ts'

/**
 * How the operator's tools find the gateway and prove that they are the operator's: by `operator.json` in the
 * data folder, which only the gateway's own user can read. The gateway generates a token at the first start
 * and keeps it there. A token that the environment gives is written to no disk.
 */
/** What else a gateway writes down beside its public address. */
interface OtherAddresses {
  /** Of the operator's own listener, if it has one. */
  readonly operatorAddress?: string | undefined
  /** Of its local chain. The address of another chain often holds a secret, and is written to no disk. */
  readonly rpcUrl?: string | undefined
}

export interface OperatorAccess {
  /** Undefined when none was given and none could be stored: then the operator's endpoints stay closed. */
  readonly token: string | undefined
  /** Writes down the address at which the gateway listens. */
  announce(address: string, others?: OtherAddresses): Promise<void>
}

/** The content of the file. */
const contentSchema = z.object({
  url: z.string().optional(),
  /** Of the gateway's local chain. */
  rpcUrl: z.string().optional(),
  /** Where the operator's endpoints answer, when not at `url`. */
  operatorUrl: z.string().optional(),
  token: z.string().min(1).optional(),
})

type Content = z.infer<typeof contentSchema>

export function operatorFile(dataDir: string): string {
  return join(dataDir, 'operator.json')
}

/**
 * Reads the file.
 * @returns undefined when there is none.
 * @throws Error when it cannot be read or has another form.
 */
export async function readOperatorFile(file: string): Promise<Content | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  return contentSchema.parse(JSON.parse(text))
}

/**
 * Finds the token, or generates one. A failure of the file is only logged: the gateway can sell without its
 * operator's tools.
 */
export async function openOperatorAccess(
  { dataDir, store, chain }: Pick<Config, 'dataDir' | 'store' | 'chain'>,
  operatorToken: string | undefined,
  log: Log,
): Promise<OperatorAccess> {
  const file = operatorFile(dataDir)
  const write = async (content: Content) => {
    try {
      await replacePrivate(file, content)
    } catch (error) {
      log.warn(
        { file, err: error },
        'the address of this gateway could not be written for the tollgate command',
      )
    }
  }

  if (operatorToken !== undefined) {
    // Replicas without a store or chain in the folder may share it, and the file can name only one of them.
    const hasFolder = store === 'embedded' || chain.kind === 'local'
    return {
      token: operatorToken,
      announce: async (...addresses) => (hasFolder ? write(urls(...addresses)) : undefined),
    }
  }
  try {
    const token = await keepToken(dataDir, file, log)
    return { token, announce: (...addresses) => write({ ...urls(...addresses), token }) }
  } catch (error) {
    log.warn(
      { file, err: error },
      'the operator token could not be stored, so the operator’s endpoints are closed: set OPERATOR_TOKEN, or a DATA_DIR that can be written',
    )
    return { token: undefined, announce: async () => {} }
  }
}

/** @returns the token in the file, after one was generated when there was none. */
async function keepToken(dataDir: string, file: string, log: Log): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const existing = await readOperatorFile(file).catch((error: unknown): Content => {
    if (error instanceof Error && 'code' in error) throw error
    log.warn({ file, err: error }, 'this file cannot be read and is replaced')
    return {}
  })
  if (existing?.token) return existing.token
  const token = randomBytes(32).toString('base64url')
  if (existing) {
    await replacePrivate(file, { ...existing, token })
    return token
  }
  await createPrivate(file, { token })
  const kept = await readOperatorFile(file)
  if (!kept?.token) throw new Error('another process has changed the file meanwhile')
  return kept.token
}

/** Readers see the old content or the new one whole, and no other user can read either at any moment. */
async function replacePrivate(file: string, content: Content): Promise<void> {
  await writeFileAtomic(file, textOf(content), { mode: 0o600 })
}

/**
 * Writes the file unless it exists: of gateways that start in this folder together, the token of the first
 * holds.
 */
async function createPrivate(file: string, content: Content): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  await writeFile(draft, textOf(content), { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

function textOf(content: Content): string {
  return `${JSON.stringify(content)}\n`
}

function urls(address: string, { operatorAddress, rpcUrl }: OtherAddresses = {}): Content {
  return {
    url: callable(address),
    rpcUrl,
    ...(operatorAddress !== undefined && { operatorUrl: callable(operatorAddress) }),
  }
}

/**
 * An address that tools can call. The address of all interfaces cannot be called, so loopback replaces it.
 */
function callable(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
