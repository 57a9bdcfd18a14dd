import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField, type GatewayError } from '../../../core/errors.ts'
import { text } from '../../../core/reply.ts'
import { csvHeader, csvRows, gasHeader, gasRows } from '../../../doors/ledger/export/csv.ts'
import { type EntryPosition, entryKinds, listEntries } from '../../../doors/ledger/export/entries.ts'
import { journalEntries, journalHeader } from '../../../doors/ledger/export/journal.ts'
import { listGasCosts } from '../../../doors/ledger/gas-costs.ts'
import { listPayments, type Period } from '../../../doors/ledger/list.ts'
import type { Currency } from '../../../doors/ledger/totals.ts'
import { caip2Of } from '../../../platform/chain/networks.ts'
import type { Books } from '../../../platform/store/books.ts'
import type { Page, Position } from '../../../platform/store/page.ts'
import { paymentId } from '../payments/view.ts'
import { operatorOperation, period, word } from './fields.ts'
import { cursorOf, exactTime, writeCursor } from './page.ts'

const csvPosition = z.tuple([exactTime, paymentId])
const journalPosition = z.tuple([exactTime, z.enum(entryKinds), word])

/**
 * GET /operator/export: the books as CSV (every payment, by when it was created; with `gas` every transaction
 * that we paid gas for, by when it was seen) or as a double-entry journal (every movement of money, by when it
 * happened). The rows are read a page at a time and one reply holds a limited number of them, so an export of
 * large books takes little memory. The X-Next-Cursor header says where the next part begins; the parts in their
 * order make the whole file.
 */
export const exportRows = {
  exportLedger: {
    ...noInput,
    method: 'GET',
    path: '/operator/export',
    operation: operatorOperation('The books as CSV or as a double-entry journal, or the gas as CSV.', 120),
    query: z.strictObject({
      format: z.enum(['csv', 'journal', 'gas']),
      ...period,
      cursor: cursorOf(z.union([csvPosition, journalPosition])),
    }),
    response: z.string(),
  },
} satisfies EndpointRows

export function exportHandlers(
  books: Pick<Books, 'queries'>,
  currency: Currency,
  maxRows = 20_000,
  pageRows = 5_000,
): Handlers<typeof exportRows> {
  return {
    async exportLedger({ query: { format, cursor, ...filter } }, { signal }) {
      if (format !== 'journal') {
        if (cursor?.length === 3) throw foreignCursor()
        const [header, part] =
          format === 'csv'
            ? [csvHeader(), await collect(readPayments(filter), csvRows, cursor, signal)]
            : [gasHeader(), await collect(readGas(filter), gasRows, cursor, signal)]
        return cursor === undefined
          ? reply('text/csv; charset=utf-8; header=present', header, part)
          : reply('text/csv; charset=utf-8; header=absent', '', part)
      }
      if (cursor?.length === 2) throw foreignCursor()
      const read = (after: EntryPosition | undefined, limit: number) =>
        listEntries(books, currency, filter, after, limit)
      const part = await collect(read, journalEntries, cursor, signal)
      const header = cursor === undefined ? journalHeader(caip2Of(currency.chainId)) : ''
      return reply('text/plain; charset=utf-8', header, part)
    },
  }

  function readPayments(filter: Period) {
    return (after: Position | undefined, limit: number) =>
      listPayments(books, filter, 'oldest first', after, limit)
  }

  function readGas(filter: Period) {
    return (after: Position | undefined, limit: number) =>
      listGasCosts(books, currency.chainId, filter, after, limit)
  }

  async function collect<Row, At extends readonly unknown[]>(
    read: (after: At | undefined, limit: number) => Promise<Page<Row, At>>,
    write: (rows: readonly Row[]) => string,
    from: At | undefined,
    signal: AbortSignal,
  ): Promise<Part> {
    const written: string[] = []
    let count = 0
    let next = from
    do {
      signal.throwIfAborted()
      const page = await read(next, Math.min(pageRows, maxRows - count))
      written.push(write(page.rows))
      count += page.rows.length
      next = page.next
    } while (next !== undefined && count < maxRows)
    return { written, count, next }
  }
}

interface Part {
  readonly written: readonly string[]
  readonly count: number
  /** Where the next part begins; undefined after the last. */
  readonly next: readonly unknown[] | undefined
}

function reply(contentType: string, header: string, { written, count, next }: Part) {
  return text(200, contentType, header + written.join(''), {
    'x-row-count': String(count),
    ...(next ? { 'x-next-cursor': writeCursor(next) } : {}),
  })
}

function foreignCursor(): GatewayError {
  return faultyField('cursor', 'belongs to the other format')
}
