#!/usr/bin/env node
import { Command } from 'commander'
import { PayError } from './client/pay.ts'
import { addExplainCommand } from './commands/explain.ts'
import { GatewayUnusable } from './commands/gateway.ts'
import { addKeysCommands } from './commands/keys.ts'
import { addLedgerCommands } from './commands/ledger.ts'
import { note } from './commands/output.ts'
import { addPayCommands } from './commands/pay.ts'
import { addPricingCommands } from './commands/pricing.ts'
import { addRefundCommand } from './commands/refund.ts'
import { environmentSchema } from './config/env.ts'
import { operatorFile, readOperatorFile } from './operator-access.ts'

/** The `tollgate` command. Every command can answer in JSON, and ends with 0 only when it did what it says. */
const program = new Command('tollgate')
  .description('An x402 payment gateway: try it, and tend it.')
  .version('1.0.0')

const { DATA_DIR, OPERATOR_TOKEN } = process.env
const file = operatorFile(environmentSchema.shape.DATA_DIR.parse(DATA_DIR || undefined))
const access = { token: OPERATOR_TOKEN || undefined, file, readFile: () => readOperatorFile(file) }

addPayCommands(program)
addPricingCommands(program, access)
addLedgerCommands(program, access)
addRefundCommand(program, access)
addKeysCommands(program, access)
addExplainCommand(program, access)

// A reader that has seen enough, like head, is no fault to report.
process.stdout.on('error', () => process.exit(1))

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof PayError || error instanceof GatewayUnusable)) throw error
  note(error.message)
  process.exitCode = 1
}
