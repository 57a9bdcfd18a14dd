import { existsSync } from 'node:fs'
import { codeCache, openWorkplace } from './process.ts'

/**
 * Fills the cache of compiled code before the first test of a fresh clone. Node.js writes it when a process exits by itself,
 * and the tests of crashes kill theirs: dozens of starts would compile all modules again. A start with a faulty setting
 * loads most of them, and exits.
 */
export default async function fillCodeCache(): Promise<void> {
  if (existsSync(codeCache)) return
  const workplace = await openWorkplace()
  try {
    await workplace.run('main', { settings: { PORT: 'none' } })
  } finally {
    await workplace.close()
  }
}
