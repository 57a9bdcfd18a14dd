import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Challenges } from '../../../src/doors/x402/wire/challenge.ts'
import { createReceiptSigner } from '../../../src/doors/x402/wire/offer-receipt.ts'
import { chatCall, offer, operation } from '../../support/chain/upto.ts'

setFlagsFromString('--expose-gc')
const collect = z.function({ input: [], output: z.void() }).implement(runInNewContext('gc'))

function usedBytes(): number {
  for (let times = 0; times < 3; times += 1) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('the 402s kept for thousands of addresses take at most 8 MB of memory', () => {
  const signer = createReceiptSigner(generatePrivateKey())
  const challenges = new Challenges(offer, 'https://pay.example.com', { signer })
  const ask = (n: number) =>
    challenges.unpaid({ ...chatCall, target: `${chatCall.endpoint.path}?n=${n}` }, { ...operation })
  // The first calls load and compile what all calls share.
  for (let n = 0; n < 10; n += 1) ask(n)
  const before = usedBytes()
  for (let n = 10; n < 5_000; n += 1) ask(n)
  expect(usedBytes() - before).toBeLessThan(8_000_000)
  expect(ask(4_999)).toBe(ask(4_999))
})
