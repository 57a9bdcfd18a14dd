import { createInterface } from 'node:readline/promises'
import { harmless } from '../core/text/visible.ts'
import { CommandError } from './command-error.ts'

/**
 * Asks before something that cannot be taken back.
 * @param otherwise what is true without a yes: "Nothing was refunded".
 * @throws CommandError unless a person at a terminal says yes.
 */
export async function confirm(question: string, otherwise: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError(`${otherwise}: without a terminal, pass --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const reply = await terminal.question(`${harmless(question)} [y/N] `)
    if (/^y(es)?$/i.test(reply.trim())) return
  } finally {
    terminal.close()
  }
  throw new CommandError(`${otherwise}.`)
}
