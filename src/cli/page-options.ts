import type { Command } from 'commander'
import type { GatewayOptions } from './gateway/open-gateway.ts'

/** The options of commands that list something page by page. */
export interface PageOptions extends GatewayOptions {
  limit?: string
  cursor?: string
}

export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <number>', 'how many at most, up to 500')
    .option('--cursor <cursor>', 'next page, as the last output names it')
}
