import type { Command } from 'commander'
import type { z } from 'zod'
import { type Access, locateGateway } from './locate-gateway.ts'
import { otherVersion, parseJson, readBytes, readText, refusal, unreachable } from './refusal.ts'

/**
 * A running gateway as the operator's commands use it, over its `/operator` endpoints. Commands never open the store:
 * the embedded one serves one process only, and calls in flight are known to the gateway alone.
 */
export interface Gateway {
  readonly url: string
  /** @throws CommandError when the gateway does not answer, refuses, or is another program. */
  get<Schema extends z.ZodType>(path: string, query: Query, schema: Schema): Promise<z.output<Schema>>
  post<Schema extends z.ZodType>(path: string, body: object, schema: Schema): Promise<z.output<Schema>>
  delete<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>>
  download(path: string, query: Query): Promise<{ headers: Headers; bytes: Uint8Array }>
}

type Query = Readonly<Record<string, string | undefined>>

export interface GatewayOptions {
  url?: string
  tokenFile?: string
  envFile?: string
  json?: boolean
}

/** Adds the options that say which gateway a command asks. */
export function addGatewayOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the gateway, with OPERATOR_PORT that one')
    .option('--token-file <file>', 'file with the operator token')
    .option('--env-file <file>', 'settings of the gateway, to find address and token')
    .option('--json', 'print one JSON object')
}

/** Longer than any of these operations takes, so that the gateway times out first and reports the reason. */
const timeoutMs = 320_000

/** @throws CommandError when no address or token is known. */
export async function openGateway(options: GatewayOptions, access: Access): Promise<Gateway> {
  const { url, token } = await locateGateway(options, access)
  return connectGateway(url, { authorization: `Bearer ${token}` })
}

/** @param credentials headers of every request. */
export function connectGateway(url: string, credentials: Readonly<Record<string, string>>): Gateway {
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
          ...credentials,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        // A redirect would hand the credentials to another address.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (cause) {
      throw unreachable(url, cause)
    }
    if (!response.ok) throw await refusal(response, url)
    return response
  }

  async function parse<Schema extends z.ZodType>(
    response: Response,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const parsed = schema.safeParse(parseJson(await readText(response, url)))
    if (parsed.success) return parsed.data
    throw otherVersion(url, parsed.error)
  }

  return {
    url,
    get: async (path, query, schema) => parse(await send('GET', path, query), schema),
    post: async (path, body, schema) => parse(await send('POST', path, {}, body), schema),
    delete: async (path, schema) => parse(await send('DELETE', path, {}), schema),
    async download(path, query) {
      const response = await send('GET', path, query)
      return { headers: response.headers, bytes: await readBytes(response, url) }
    },
  }
}
