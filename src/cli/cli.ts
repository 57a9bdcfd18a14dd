#!/usr/bin/env node
import './oldest-node.ts'
import * as modules from 'node:module'
import { Command } from 'commander'
import { PayError } from '../client/pay-error.ts'
import { defaultCatalogFile } from '../platform/config/defaults.ts'
import { CommandError } from './command-error.ts'
import type { Access } from './gateway/locate-gateway.ts'
import { note } from './output.ts'

/**
 * The `tollgate` command. It exits with 0 only when the command did what it says; README.md beside this file has the
 * rules and an operator's runbook. Only the called command is loaded, since the libraries that sign payments load
 * slowly (compare `time node src/cli/cli.ts pay --help` with `ledger --help`).
 */
modules.enableCompileCache()

const program = new Command('tollgate')
  .description('Try and operate an x402 payment gateway.')
  .version('1.0.0')

const { CATALOG_FILE, MCP_API_KEY } = process.env
const access: Access = process.env

/** In the order in which `--help` lists them. */
const commands: readonly { readonly name: string; readonly add: () => Promise<void> }[] = [
  {
    name: 'pay',
    add: async () => (await import('./commands/pay.ts')).addPayCommand(program, access),
  },
  {
    name: 'sign',
    add: async () => (await import('./commands/sign.ts')).addSignCommand(program),
  },
  {
    name: 'balance',
    add: async () => (await import('./commands/balance.ts')).addBalanceCommand(program, access),
  },
  {
    name: 'mcp',
    add: async () => (await import('./commands/mcp.ts')).addMcpCommand(program, { MCP_API_KEY }, access),
  },
  {
    name: 'scan',
    add: async () => (await import('./commands/scan.ts')).addScanCommand(program, access),
  },
  {
    name: 'pricing',
    add: async () =>
      (await import('./commands/pricing.ts')).addPricingCommands(
        program,
        access,
        CATALOG_FILE || defaultCatalogFile,
      ),
  },
  {
    name: 'listing',
    add: async () => (await import('./commands/listing.ts')).addListingCommands(program, access),
  },
  {
    name: 'ledger',
    add: async () => (await import('./commands/ledger.ts')).addLedgerCommands(program, access),
  },
  {
    name: 'usage',
    add: async () => (await import('./commands/usage.ts')).addUsageCommand(program, access),
  },
  {
    name: 'refund',
    add: async () => (await import('./commands/refund.ts')).addRefundCommand(program, access),
  },
  {
    name: 'keys',
    add: async () => (await import('./commands/keys.ts')).addKeysCommands(program, access),
  },
  {
    name: 'scans',
    add: async () => (await import('./commands/scans.ts')).addScansCommands(program, access),
  },
  {
    name: 'directory',
    add: async () => (await import('./commands/directory.ts')).addDirectoryCommands(program, access),
  },
  {
    name: 'webhooks',
    add: async () => (await import('./commands/webhooks.ts')).addWebhooksCommands(program, access),
  },
  {
    name: 'audit',
    add: async () => (await import('./commands/audit.ts')).addAuditCommand(program, access),
  },
  {
    name: 'explain',
    add: async () => (await import('./commands/explain.ts')).addExplainCommand(program, access),
  },
]

// A reader such as head closes the pipe early; that is not an error to report.
process.stdout.on('error', () => process.exit(1))

const [firstArgument] = process.argv.slice(2)
const called = commands.filter(({ name }) => name === firstArgument)
// Help, and the error for an unknown command, list all commands.
for (const { add } of called.length > 0 ? called : commands) await add()

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommandError || error instanceof PayError)) throw error
  note(error.message)
  process.exitCode = 1
}
