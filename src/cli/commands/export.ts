import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { CommandError } from '../command-error.ts'
import type { Access } from '../gateway/locate-gateway.ts'
import { addGatewayOptions, type Gateway, type GatewayOptions, openGateway } from '../gateway/open-gateway.ts'
import { note, print } from '../output.ts'
import { addPeriodOptions } from '../time.ts'

interface ExportOptions extends GatewayOptions {
  format: string
  since?: string
  until?: string
  output?: string
}

/** `tollgate ledger export`: downloads the books part by part, so that memory holds one part at a time. */
export function addExportCommand(ledger: Command, access: Access): void {
  const command = ledger
    .command('export')
    .description('Export the books as CSV or as a double-entry journal, or the gas as CSV.')
    .addOption(
      new Option('-f, --format <format>', 'csv: all payments; gas: gas as CSV; journal: for hledger')
        .choices(['csv', 'gas', 'journal'])
        .makeOptionMandatory(),
    )
    .option('-o, --output <file>', 'file to write; by default standard output')
  addGatewayOptions(addPeriodOptions(command)).action(async (options: ExportOptions) => {
    const { format, since, until, output, json } = options
    if (json && output === undefined) {
      throw new CommandError('--json reports on a written file: add -o FILE.')
    }
    const gateway = await openGateway(options, access)
    const download = downloadParts(gateway, { format, since, until })
    if (output === undefined) {
      await pipeline(download.parts, process.stdout, { end: false })
      return
    }
    await writeWholeFile(output, download.parts)
    const { rows } = download
    if (json) print(JSON.stringify({ file: output, format, rows }))
    else note(`${output}: ${rows} ${rowNames[format] ?? 'entries'}`)
  })
}

const rowNames: Readonly<Record<string, string>> = { csv: 'payments', gas: 'transactions' }

interface Download {
  readonly parts: AsyncIterable<Uint8Array>
  /** Rows read so far. */
  readonly rows: number
}

function downloadParts(gateway: Gateway, query: Readonly<Record<string, string | undefined>>): Download {
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
    parts: read(),
    get rows() {
      return rows
    },
  }
}

/**
 * Writes a draft and renames it when it is complete: a truncated export would look like a complete one. The
 * parts are streamed, which write-file-atomic cannot do.
 */
async function writeWholeFile(file: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const draft = `${file}.part`
  try {
    await pipeline(parts, createWriteStream(draft))
    await rename(draft, file)
  } catch (cause) {
    await rm(draft, { force: true })
    if (cause instanceof CommandError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${file} cannot be written: ${reason}`, { cause })
  }
}
