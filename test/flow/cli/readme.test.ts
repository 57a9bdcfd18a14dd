import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkplace, projectRoot, type Workplace } from '../../support/gateways/process.ts'

/** src/cli/README.md names the commands that exist, and no others. */

let workplace: Workplace

beforeAll(async () => {
  workplace = await openWorkplace()
})
afterAll(() => workplace.close())

/** The names in the list of commands that `--help` prints. */
async function commandsOf(...group: string[]): Promise<string[]> {
  const { stdout } = await workplace.run('cli', { args: [...group, '--help'] })
  const [, list = ''] = stdout.split('\nCommands:\n')
  const names = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'help')
}

test('the table of commands in src/cli/README.md has every tollgate command with an example', async () => {
  const readme = readFileSync(join(projectRoot, 'src/cli/README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `([a-z-]+(?: [a-z-]+)?)` +\| `tollgate ([^`|]+)`/gm)]
  const documented = rows.map(([, name = '']) => name)

  const commands: string[] = []
  for (const name of await commandsOf()) {
    const members = await commandsOf(name)
    commands.push(...(members.length > 0 ? members.map((member) => `${name} ${member}`) : [name]))
  }

  expect(documented.toSorted()).toEqual(commands.toSorted())
  for (const [, name = '', example = ''] of rows) expect(`${example} `).toMatch(new RegExp(`^${name} `))
})
