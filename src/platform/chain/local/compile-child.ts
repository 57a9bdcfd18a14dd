import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import solc from 'solc'

/**
 * The child process that compiles Solidity (see compile.ts): standard JSON in, standard JSON out. It ends
 * after one compilation, and frees the compiler's memory.
 */

const requireFrom = createRequire(import.meta.url)

/** Finds an imported source the way Node finds a package's file. */
function importSource(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(requireFrom.resolve(path), 'utf8') }
  } catch (error) {
    return { error: String(error) }
  }
}

process.stdout.write(solc.compile(await text(process.stdin), { import: importSource }))
