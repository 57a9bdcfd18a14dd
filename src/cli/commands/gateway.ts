import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'

/**
 * A running gateway, as the operator's commands ask it. They never open its store: the embedded one serves
 * one process only, and what the gateway has in hand stands in no store yet.
 */
export interface Gateway {
  readonly url: string
  /** @throws GatewayUnusable saying what to do when it does not answer, refuses, or is no gateway. */
  get<Schema extends z.ZodType>(path: string, query: Query, schema: Schema): Promise<z.output<Schema>>
  post<Schema extends z.ZodType>(path: string, body: object, schema: Schema): Promise<z.output<Schema>>
  download(path: string, query: Query): Promise<{ headers: Headers; bytes: Uint8Array }>
}

type Query = Readonly<Record<string, string | undefined>>

/** Where the address and the token of a gateway come from when nobody names them. */
export interface Access {
  /** OPERATOR_TOKEN of the environment. */
  readonly token: string | undefined
  /** The file that a gateway keeps in its data folder. */
  readonly file: string
  readonly readFile: () => Promise<
    { readonly url?: string | undefined; readonly token?: string | undefined } | undefined
  >
}

export interface GatewayOptions {
  url?: string
  tokenFile?: string
  json?: boolean
}

/** The gateway cannot be asked, or says no; the message says why, and holds no secret. */
export class GatewayUnusable extends Error {
  override readonly name = 'GatewayUnusable'
}

/** Gives a command the options that say which gateway it asks. */
export function asksGateway(command: Command): Command {
  return command
    .option('--url <url>', 'address of the gateway; else the one that DATA_DIR names')
    .option('--token-file <file>', 'file with its operator token; else OPERATOR_TOKEN')
    .option('--json', 'print one JSON object')
}

/** Longer than any of these operations may take, so that it is the gateway that gives up and says why. */
const deadlineMs = 320_000

export async function openGateway(options: GatewayOptions, access: Access): Promise<Gateway> {
  const { url, token } = await locate(options, access)

  async function send(method: string, path: string, query: Query, body?: object): Promise<Response> {
    const target = new URL(`${url}${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, value)
    }
    let response: Response
    try {
      response = await fetch(target, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        // The token is for this address and for no other.
        redirect: 'error',
        signal: AbortSignal.timeout(deadlineMs),
      })
    } catch (cause) {
      throw unreachable(url, cause)
    }
    if (!response.ok) throw await refusal(response, url)
    return response
  }

  async function ask<Schema extends z.ZodType>(
    response: Response,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const parsed = schema.safeParse(readJson(await bodyOf(response, url)))
    if (parsed.success) return parsed.data
    throw new GatewayUnusable(`${url} answers, but not as this version of tollgate does.`, {
      cause: parsed.error,
    })
  }

  return {
    url,
    get: async (path, query, schema) => ask(await send('GET', path, query), schema),
    post: async (path, body, schema) => ask(await send('POST', path, {}, body), schema),
    async download(path, query) {
      const response = await send('GET', path, query)
      return { headers: response.headers, bytes: await bytesOf(response, url) }
    },
  }
}

/** The token of a data folder goes to the gateway of that folder, or to another on this machine; never further. */
async function locate(
  options: GatewayOptions,
  access: Access,
): Promise<{ readonly url: string; readonly token: string }> {
  const kept = await readKept(access)
  const given = options.url ?? kept?.url
  if (given === undefined) throw nowhere(access)
  const url = checkedUrl(given)
  const named = options.tokenFile === undefined ? access.token : await readToken(options.tokenFile)
  const isNear = options.url === undefined || options.url === kept?.url || isLoopback(options.url)
  const token = named ?? (isNear ? kept?.token : undefined)
  if (token !== undefined) return { url, token }
  throw new GatewayUnusable(
    `There is no operator token for ${url}: set OPERATOR_TOKEN, or name a file that holds it with --token-file.`,
  )
}

/** The address of the gateway that is meant, for commands that need no token. */
export async function findGateway(options: Pick<GatewayOptions, 'url'>, access: Access): Promise<string> {
  const url = options.url ?? (await readKept(access))?.url
  if (url === undefined) throw nowhere(access)
  return checkedUrl(url)
}

function nowhere({ file }: Access): GatewayUnusable {
  return new GatewayUnusable(
    `No gateway has noted its address in ${file}. Start one with npm start, set DATA_DIR to the folder of one that runs, or name one with --url.`,
  )
}

function checkedUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '')
  throw new GatewayUnusable(`${url} is not an http(s) address.`)
}

async function readKept({ file, readFile }: Access) {
  try {
    return await readFile()
  } catch (cause) {
    throw new GatewayUnusable(`${file} cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

async function readToken(file: string): Promise<string> {
  let token: string
  try {
    token = (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new GatewayUnusable(`The token file cannot be read: ${reasonOf(cause)}`, { cause })
  }
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new GatewayUnusable(`The token file ${file} does not hold one word, and nothing else.`)
}

function isLoopback(url: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname)
}

const errorBody = z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() })

/** What a gateway says when it refuses. @throws GatewayUnusable when this is the answer of something else. */
export async function readError(response: Response, url: string): Promise<z.infer<typeof errorBody>> {
  const parsed = errorBody.safeParse(readJson(await bodyOf(response, url)))
  if (parsed.success) return parsed.data
  throw new GatewayUnusable(`${url} answers ${response.status}, and not as a tollgate gateway does.`)
}

export function unreachable(url: string, cause: unknown): GatewayUnusable {
  return new GatewayUnusable(
    `The gateway at ${url} does not answer: ${reasonOf(cause)}. Start it with npm start, or name another one with --url.`,
    { cause },
  )
}

async function refusal(response: Response, url: string): Promise<GatewayUnusable> {
  const { code, message, details } = await readError(response, url)
  const more = details === undefined ? '' : `\n${JSON.stringify(details)}`
  if (response.status !== 401) return new GatewayUnusable(`${message}${more}`)
  return new GatewayUnusable(
    `The gateway at ${url} does not take this operator token (${code}). Take OPERATOR_TOKEN as the gateway was started with it, or the data folder (DATA_DIR) it was started on.`,
  )
}

async function bodyOf(response: Response, url: string): Promise<string> {
  return new TextDecoder().decode(await bytesOf(response, url))
}

async function bytesOf(response: Response, url: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    throw new GatewayUnusable(`The answer of ${url} broke off: ${reasonOf(cause)}`, { cause })
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON has no shape that is looked for here, and is refused for that.
    return undefined
  }
}

/** fetch hides what happened in its cause; a name with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
