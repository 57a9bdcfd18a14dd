import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startTestChain, type TestChain, temporaryFolder } from '../../chain/chain.ts'
import { decode, type SignedPayment, v1Header, v2Header } from '../../chain/wallet.ts'
import { type Model, startModel } from '../../servers/model.ts'
import type { Replica } from '../replica.ts'

/** Paid calls for lead research at gateways that are killed or stopped on the way, and what these work with. */

/** In millionths of a USDC. */
export const price = 250_000n
const call = { path: '/api/leads/research', body: JSON.stringify({ companyName: 'Acme Dental' }) }

export interface ResearchScene {
  readonly chain: TestChain
  readonly model: Model
  /** Writes the tests' catalog, with lead research charged after or before the work. @returns the file. */
  writeCatalog(timing: 'after' | 'before'): Promise<string>
  close(): Promise<void>
}

export async function openResearchScene(): Promise<ResearchScene> {
  const catalogs = await temporaryFolder()
  const chain = await startTestChain()
  const model = await startModel()
  return {
    chain,
    model,
    async writeCatalog(timing) {
      const shipped = await readFile('test/fixtures/catalog.yaml', 'utf8')
      const file = join(catalogs.folder, `${timing}.yaml`)
      await writeFile(file, shipped.replace('price: "0.25"', `price: "0.25"\n    settle: ${timing}`))
      return file
    },
    async close() {
      await model.close()
      await chain.close()
      await catalogs.remove()
    },
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly receipt: string | null
  /** Of the receipt. */
  readonly transaction: unknown
}

/** @param version of x402: 1 or 2. */
export async function pay({ url }: Replica, payment: SignedPayment, version = 2): Promise<Answer> {
  const header =
    version === 1 ? { 'X-PAYMENT': v1Header(payment) } : { 'PAYMENT-SIGNATURE': v2Header(payment) }
  const response = await fetch(url + call.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...header },
    body: call.body,
  })
  const receipt = response.headers.get('payment-response')
  return {
    status: response.status,
    text: await response.text(),
    receipt,
    transaction: receipt ? transactionOf(receipt) : undefined,
  }
}

/** Repeats the call as its payer does while the outcome is open, for 20 s at most. */
export async function payUntilServed(replica: Replica, payment: SignedPayment): Promise<Answer> {
  const until = Date.now() + 20_000
  for (;;) {
    const reply = await pay(replica, payment)
    if (reply.status === 200 || Date.now() > until) return reply
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

function transactionOf(receipt: string): unknown {
  const read = decode(receipt)
  return typeof read === 'object' && read && 'transaction' in read ? read.transaction : undefined
}
