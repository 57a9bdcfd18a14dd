import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { reasonOf } from '../../client/fetch-failure.ts'
import { defaultDataDir, defaultPort, loopback, ownAddress } from '../../platform/config/defaults.ts'
import { operatorFile, readOperatorFile } from '../../platform/config/operator-file.ts'
import { CommandError } from '../command-error.ts'
import { readSecretFile } from '../secret-file.ts'

/**
 * Finds the address and the operator token of the gateway that a command asks. Options win over the settings, and the
 * settings over the file that a gateway keeps in its data folder. The settings are those of the gateway: the command
 * runs in the gateway's own environment (its container, say), or is told the file that holds it.
 */

/** The environment of the command, of which it reads only the settings named here. */
export type Access = Readonly<Partial<Record<ReadSetting, string | undefined>>>

type ReadSetting =
  | 'OPERATOR_URL'
  | 'OPERATOR_TOKEN'
  | 'OPERATOR_HOST'
  | 'OPERATOR_PORT'
  | 'HOST'
  | 'PORT'
  | 'DATA_DIR'
  | 'DATABASE_URL'
  | 'RPC_URL'

export interface LocateOptions {
  url?: string
  envFile?: string
  tokenFile?: string
}

/**
 * Finds address and token. The token of a data folder goes only to the gateway of that folder or to another
 * one on this machine: a mistyped `--url` must not send it to another machine.
 * @throws CommandError when either is missing, naming every place that was looked at.
 */
export async function locateGateway(
  options: LocateOptions,
  access: Access,
): Promise<{ readonly url: string; readonly token: string }> {
  const settings = await readSettings(options, access)
  const file = operatorFile(settings.DATA_DIR || defaultDataDir)
  const kept = leavesNoFile(settings) ? undefined : await readFileOf(file)
  const keptUrl = kept?.operatorUrl ?? kept?.url
  const given = options.url ?? (settings.OPERATOR_URL || undefined)
  const found = given ?? (leavesNoFile(settings) ? operatorAddress(settings) : keptUrl)
  if (found === undefined) throw noAddress(file, 'neither --url nor OPERATOR_URL is set')
  const url = checkUrl(found)
  const named =
    options.tokenFile === undefined
      ? settings.OPERATOR_TOKEN || undefined
      : await readTokenFile(options.tokenFile)
  const isNear = given === undefined || given === keptUrl || isLoopback(url)
  const token = named ?? (isNear ? kept?.token : undefined)
  if (token !== undefined) return { url, token }
  throw new CommandError(
    `There is no operator token for ${url}: set OPERATOR_TOKEN, name a file that holds it with --token-file, or the gateway's file of settings with --env-file. ${whyNotKept(file, kept, isNear)}`,
  )
}

/** Finds the public address alone, for commands that need no token. */
export async function findGatewayUrl(options: LocateOptions, access: Access): Promise<string> {
  const settings = await readSettings(options, access)
  const file = operatorFile(settings.DATA_DIR || defaultDataDir)
  const { HOST, PORT } = settings
  const url =
    options.url ??
    (leavesNoFile(settings)
      ? ownAddress(HOST || loopback, PORT || defaultPort)
      : (await readFileOf(file))?.url)
  if (url === undefined) throw noAddress(file, '--url is not set')
  return checkUrl(url)
}

/**
 * A file of settings stands in place of the environment: a mixture of both could send the token of one gateway to the
 * address of another.
 */
export async function readSettings({ envFile }: LocateOptions, access: Access): Promise<Access> {
  if (envFile === undefined) return access
  try {
    return parseEnv(await readFile(envFile, 'utf8'))
  } catch (cause) {
    throw new CommandError(`The file of settings cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

/**
 * Whether the settings are those of a gateway that leaves no file in its data folder (`openOperatorAccess`). A file
 * that is there belongs to another gateway, which must not get this one's token.
 */
function leavesNoFile({ OPERATOR_TOKEN, DATABASE_URL, RPC_URL }: Access): boolean {
  return Boolean(OPERATOR_TOKEN && DATABASE_URL && RPC_URL)
}

/** Where the gateway of these settings listens, on this machine. */
function operatorAddress({ OPERATOR_HOST, OPERATOR_PORT, HOST, PORT }: Access): string {
  return OPERATOR_PORT
    ? ownAddress(OPERATOR_HOST || loopback, OPERATOR_PORT)
    : ownAddress(HOST || loopback, PORT || defaultPort)
}

function noAddress(file: string, lacking: string): CommandError {
  return new CommandError(
    `No gateway was found: ${lacking}, and ${file} names none. Start one with npm start, set DATA_DIR to the data folder of a running one, or name its file of settings with --env-file.`,
  )
}

function whyNotKept(file: string, kept: KeptFile, isNear: boolean): string {
  if (kept?.token === undefined) return `${file} holds none.`
  return isNear ? '' : `The one in ${file} goes only to the gateway of that folder.`
}

function checkUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '')
  throw new CommandError(`${url} is not an http(s) address.`)
}

type KeptFile = Awaited<ReturnType<typeof readOperatorFile>>

/**
 * Reads what the gateway in the data folder has written down.
 * @throws CommandError when the file is there and cannot be read.
 */
export async function readKeptFile({ DATA_DIR }: Access): Promise<KeptFile> {
  return readFileOf(operatorFile(DATA_DIR || defaultDataDir))
}

async function readFileOf(file: string): Promise<KeptFile> {
  try {
    return await readOperatorFile(file)
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
