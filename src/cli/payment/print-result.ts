import { once } from 'node:events'
import type { CallResult, Outlet } from '../../client/send.ts'
import { harmless } from '../../core/text/visible.ts'
import { note, print } from '../output.ts'

/** Prints the reply of a paid endpoint. */

/** What was paid for a call. */
interface Purchase {
  readonly idempotencyKey: string | undefined
  /** Decimal USDC, for a payment of scheme `upto` whose amount is known. */
  readonly taken: string | undefined
  readonly price: string
}

/** Prints a result, and sets exit code 1 for a status of 400 or more. */
export function printResult(result: CallResult, { json }: { json?: boolean }, purchase?: Purchase): void {
  if (result.status >= 400) process.exitCode = 1
  if (json) print(toJson(result, purchase))
  else printForPeople(result, purchase)
}

function toJson(
  { status, body, isBase64, receipt, textEngine, paymentId }: CallResult,
  purchase?: Purchase,
): string {
  const { idempotencyKey, taken } = purchase ?? {}
  const content = isBase64 ? { bodyBase64: body } : { body: parseIfJson(body) }
  const payment = { paymentId: paymentId ?? undefined, idempotencyKey, taken }
  return JSON.stringify({ status, receipt: receipt ?? null, textEngine, ...content, ...payment })
}

function printForPeople(
  { status, body, isBase64, receipt, isStreamed, paymentId }: CallResult,
  purchase?: Purchase,
): void {
  const transaction =
    receipt?.success && receipt.transaction ? `, paid in transaction ${receipt.transaction}` : ''
  const taken = purchase?.taken === undefined ? '' : `, ${purchase.taken} of ${purchase.price} USDC taken`
  note(`← ${status}${transaction}${taken}`)
  if (paymentId !== null) note(`  payment ${paymentId}`)
  if (isStreamed) return
  const value = isBase64 ? body : parseIfJson(body)
  print(typeof value === 'string' ? body : JSON.stringify(value, null, 2))
}

function parseIfJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** Prints a streamed or binary reply as it arrives. */
export const stdoutOutlet: Outlet = {
  text: printPiece,
  async bytes(piece) {
    // A terminal would obey control characters; a file or a pipe gets the bytes unchanged.
    if (process.stdout.isTTY) printPiece(new TextDecoder().decode(piece))
    else if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
  },
}

/** Removes carriage returns, which `harmless` would show as `?`; terminals need only the line feed. */
function printPiece(text: string): void {
  process.stdout.write(harmless(text.replaceAll('\r', '')))
}
