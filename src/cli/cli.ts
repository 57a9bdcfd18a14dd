#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { Command } from 'commander'
import { defaultCatalogFile, defaultDataDir } from '../platform/config/default-paths.ts'
import { operatorFile, readOperatorFile } from '../platform/config/operator-file.ts'
import { type Access, GatewayUnusable } from './commands/gateway.ts'
import { note } from './commands/output.ts'

/**
 * The `tollgate` command. Every command can answer in JSON, and ends with 0 only when it did what it says.
 * Only the command that is asked for is loaded: what signs payments takes longer to load than most others take to run.
 */
enableCompileCache()

const program = new Command('tollgate')
  .description('An x402 payment gateway: try it, and tend it.')
  .version('1.0.0')

const { CATALOG_FILE, DATA_DIR, OPERATOR_TOKEN } = process.env
const file = operatorFile(DATA_DIR || defaultDataDir)
const access: Access = { token: OPERATOR_TOKEN || undefined, file, readFile: () => readOperatorFile(file) }

/** In the order of the help. */
const commands: readonly { readonly names: readonly string[]; readonly add: () => Promise<void> }[] = [
  {
    names: ['pay', 'sign'],
    add: async () => (await import('./commands/pay.ts')).addPayCommands(program),
  },
  {
    names: ['scan'],
    add: async () => (await import('./commands/scan.ts')).addScanCommand(program, access),
  },
  {
    names: ['pricing'],
    add: async () =>
      (await import('./commands/pricing.ts')).addPricingCommands(
        program,
        access,
        CATALOG_FILE || defaultCatalogFile,
      ),
  },
  {
    names: ['ledger'],
    add: async () => (await import('./commands/ledger.ts')).addLedgerCommands(program, access),
  },
  {
    names: ['usage'],
    add: async () => (await import('./commands/usage.ts')).addUsageCommand(program, access),
  },
  {
    names: ['refund'],
    add: async () => (await import('./commands/refund.ts')).addRefundCommand(program, access),
  },
  {
    names: ['keys'],
    add: async () => (await import('./commands/keys.ts')).addKeysCommands(program, access),
  },
  {
    names: ['explain'],
    add: async () => (await import('./commands/explain.ts')).addExplainCommand(program, access),
  },
]

// A reader that has seen enough, like head, is no fault to report.
process.stdout.on('error', () => process.exit(1))

const [asked = ''] = process.argv.slice(2)
const named = commands.filter(({ names }) => names.includes(asked))
// Help, and the answer to a word that is no command, name them all.
for (const { add } of named.length > 0 ? named : commands) await add()

try {
  await program.parseAsync()
} catch (error) {
  if (!isExpected(error)) throw error
  note(error.message)
  process.exitCode = 1
}

/** What a person can mend, told in a sentence. A PayError is known by its name, so that nothing need be loaded to know it. */
function isExpected(error: unknown): error is Error {
  return error instanceof GatewayUnusable || (error instanceof Error && error.name === 'PayError')
}
