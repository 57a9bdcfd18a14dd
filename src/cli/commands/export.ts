import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import {
  type Access,
  asksGateway,
  type Gateway,
  type GatewayOptions,
  GatewayUnusable,
  openGateway,
} from './gateway.ts'
import { note, print } from './output.ts'
import { between } from './time.ts'

interface ExportOptions extends GatewayOptions {
  format: string
  since?: string
  until?: string
  output?: string
}

/** `tollgate ledger export`: fetches part after part, so that it takes no more memory than one of them. */
export function addExportCommand(ledger: Command, access: Access): void {
  const command = ledger
    .command('export')
    .description('Write the books out, as CSV or as a double-entry journal.')
    .addOption(
      new Option('-f, --format <format>', 'csv: all payments; journal: for hledger')
        .choices(['csv', 'journal'])
        .makeOptionMandatory(),
    )
    .option('-o, --output <file>', 'file to write; else standard output')
  asksGateway(between(command)).action(async (options: ExportOptions) => {
    const { format, since, until, output, json } = options
    if (json && output === undefined) {
      throw new GatewayUnusable('--json tells about a file: name one with -o FILE.')
    }
    const gateway = await openGateway(options, access)
    const parts = readParts(gateway, { format, since, until })
    if (output === undefined) {
      await pipeline(parts.bytes, process.stdout, { end: false })
      return
    }
    await writeFile(output, parts.bytes)
    const { rows } = parts
    if (json) print(JSON.stringify({ file: output, format, rows }))
    else note(`${output}: ${rows} ${format === 'csv' ? 'payments' : 'entries'}`)
  })
}

interface Parts {
  readonly bytes: AsyncIterable<Uint8Array>
  /** How many rows were read so far. */
  readonly rows: number
}

function readParts(gateway: Gateway, query: Readonly<Record<string, string | undefined>>): Parts {
  let rows = 0
  async function* read(): AsyncGenerator<Uint8Array> {
    let cursor: string | undefined
    do {
      const { headers, bytes } = await gateway.download('/operator/export', { ...query, cursor })
      rows += Number(headers.get('x-row-count'))
      cursor = headers.get('x-next-cursor') ?? undefined
      yield bytes
    } while (cursor !== undefined)
  }
  return {
    bytes: read(),
    get rows() {
      return rows
    },
  }
}

/** Half an export is worse than none, so the file gets its name when it is whole. */
async function writeFile(file: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const draft = `${file}.part`
  try {
    await pipeline(bytes, createWriteStream(draft))
    await rename(draft, file)
  } catch (cause) {
    await rm(draft, { force: true })
    if (cause instanceof GatewayUnusable) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new GatewayUnusable(`${file} cannot be written: ${reason}`, { cause })
  }
}
