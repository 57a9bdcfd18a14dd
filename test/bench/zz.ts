import { privateKeyToAccount } from 'viem/accounts'
import { devPayers } from '../../src/chain/dev-accounts.ts'
import { signPayment, v2Header } from '../support/wallet.ts'

const url = process.argv[2] ?? '',
  n = Number(process.argv[3]),
  c = Number(process.argv[4])
const acc = privateKeyToAccount(devPayers[2].privateKey)
const hs = await Promise.all(Array.from({ length: n }, async () => v2Header(await signPayment(acc, 100000n))))
const t = performance.now()
await Promise.all(
  Array.from({ length: c }, async () => {
    for (let h = hs.pop(); h; h = hs.pop()) {
      const r = await fetch(url + '/api/analyze', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'payment-signature': h },
        body: '{"businessName":"Bright Smile Dental"}',
      })
      await r.arrayBuffer()
      if (r.status !== 200) console.log(r.status)
    }
  }),
)
console.log(n, c, 'per s', (n * 1000) / (performance.now() - t), 'ms each', ((performance.now() - t) * c) / n)
