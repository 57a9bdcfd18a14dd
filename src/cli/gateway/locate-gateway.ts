import { reasonOf } from '../../client/fetch-failure.ts'
import { CommandError } from '../command-error.ts'
import { readSecretFile } from '../secret-file.ts'

/**
 * Finds the address and the operator token of the gateway that a command asks. Options win over the environment, and
 * the environment over the file that a gateway keeps in its data folder.
 */

/** Where address and token come from when the options name none. */
export interface Access {
  /** OPERATOR_TOKEN of the environment. */
  readonly token: string | undefined
  /** `operator.json` in the data folder. */
  readonly file: string
  readonly readFile: () => Promise<OperatorFile | undefined>
}

interface OperatorFile {
  readonly url?: string | undefined
  /** Of the gateway's local chain. */
  readonly rpcUrl?: string | undefined
  readonly token?: string | undefined
}

interface LocateOptions {
  url?: string
  tokenFile?: string
}

/**
 * Finds address and token. The token of a data folder goes only to the gateway of that folder or to another
 * one on this machine: a mistyped `--url` must not send it to another machine.
 * @throws CommandError when either is missing.
 */
export async function locateGateway(
  options: LocateOptions,
  access: Access,
): Promise<{ readonly url: string; readonly token: string }> {
  const kept = await readOperatorFile(access)
  const given = options.url ?? kept?.url
  if (given === undefined) throw noAddress(access)
  const url = checkUrl(given)
  const named = options.tokenFile === undefined ? access.token : await readTokenFile(options.tokenFile)
  const isNear = options.url === undefined || options.url === kept?.url || isLoopback(options.url)
  const token = named ?? (isNear ? kept?.token : undefined)
  if (token !== undefined) return { url, token }
  throw new CommandError(
    `There is no operator token for ${url}: set OPERATOR_TOKEN, or name a file that holds it with --token-file.`,
  )
}

/** Finds the address alone, for commands that need no token. */
export async function findGatewayUrl(options: Pick<LocateOptions, 'url'>, access: Access): Promise<string> {
  const url = options.url ?? (await readOperatorFile(access))?.url
  if (url === undefined) throw noAddress(access)
  return checkUrl(url)
}

function noAddress({ file }: Access): CommandError {
  return new CommandError(
    `${file} names no gateway. Start one with npm start, set DATA_DIR to the data folder of a running one, or name one with --url.`,
  )
}

function checkUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '')
  throw new CommandError(`${url} is not an http(s) address.`)
}

/** @throws CommandError when the file is there and cannot be read. */
export async function readOperatorFile({ file, readFile }: Access): Promise<OperatorFile | undefined> {
  try {
    return await readFile()
  } catch (cause) {
    throw new CommandError(`${file} cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

async function readTokenFile(file: string): Promise<string> {
  const token = await readSecretFile(file, 'token')
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CommandError(`The token file ${file} must hold the token alone, on one line.`)
}

function isLoopback(url: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname)
}
