import { readFile } from 'node:fs/promises'
import { reasonOf } from '../client/fetch-failure.ts'
import { CommandError } from './command-error.ts'

/**
 * Reads a key or token from a file, without the white space around it. A secret in a file stays out of the list of
 * processes, which every user of the machine can read.
 * @param kind as the error message names it.
 * @throws CommandError when the file cannot be read.
 */
export async function readSecretFile(file: string, kind: 'key' | 'token'): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new CommandError(`The ${kind} file cannot be read: ${reasonOf(cause)}`, { cause })
  }
}
