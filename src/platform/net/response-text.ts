import { readBody } from './body.ts'

/**
 * Reads the body of a response as text, up to a limit that counts the bytes after decompression.
 *
 * @throws BodyTooLarge, after which the connection is closed
 */
export async function readResponseText(response: Response, maxBytes: number): Promise<string> {
  const bytes = await readBody(response.body, maxBytes, `the reply of ${response.url}`)
  return Buffer.from(bytes).toString()
}
