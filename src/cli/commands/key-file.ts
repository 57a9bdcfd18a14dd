import { readFile } from 'node:fs/promises'
import { GatewayUnusable } from './gateway.ts'

/** The API key in a file, without the white space around it. */
export async function readKey(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new GatewayUnusable(`The key file cannot be read: ${reason}`, { cause })
  }
}
