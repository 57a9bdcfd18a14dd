import { z } from 'zod'
import { reasonOf } from '../../client/fetch-failure.ts'
import { CommandError } from '../command-error.ts'

/** The error messages of commands when a gateway refuses, does not answer, or is another program. */

const errorBody = z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() })

/**
 * Reads the error body of a gateway.
 * @throws CommandError when another program sent it.
 */
export async function readError(response: Response, url: string): Promise<z.infer<typeof errorBody>> {
  const parsed = errorBody.safeParse(parseJson(await readText(response, url)))
  if (parsed.success) return parsed.data
  throw new CommandError(`${url} answers ${response.status}, but not in the form of a tollgate gateway.`)
}

/** A reply of 400 or more to an operator's request. */
export async function refusal(response: Response, url: string): Promise<CommandError> {
  const { code, message, details } = await readError(response, url)
  const more = details === undefined ? '' : `\n${JSON.stringify(details)}`
  // Replies of the operator's endpoints never open themselves to browsers, so this one is of another endpoint.
  if (code === 'NOT_FOUND' && response.headers.has('access-control-allow-origin')) {
    return new CommandError(
      `${url} has no operator's endpoints. With OPERATOR_PORT they answer on that port alone: name it with --url.`,
    )
  }
  if (response.status !== 401) return new CommandError(`${message}${more}`, { code })
  return new CommandError(
    `The gateway at ${url} refuses this operator token (${code}). Set OPERATOR_TOKEN to the gateway's own, or DATA_DIR to its data folder.`,
  )
}

export function unreachable(url: string, cause: unknown): CommandError {
  return new CommandError(
    `The gateway at ${url} does not answer: ${reasonOf(cause)}. Start it with npm start, or name another one with --url.`,
    { cause },
  )
}

export function otherVersion(url: string, cause?: unknown): CommandError {
  return new CommandError(`${url} answers, but not in the form of this version of tollgate.`, { cause })
}

export async function readText(response: Response, url: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, url))
}

/** @throws CommandError when the connection breaks before the end. */
export async function readBytes(response: Response, url: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    throw new CommandError(`The reply of ${url} broke off: ${reasonOf(cause)}`, { cause })
  }
}

/** @returns undefined for text that is not JSON: no schema here accepts it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
