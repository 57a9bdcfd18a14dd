import { x402Facilitator } from '@x402/core/facilitator'
import type { FacilitatorClient } from '@x402/core/server'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as FacilitatorScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme as ServerScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import express from 'express'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../../src/platform/chain/networks.ts'

/** Peer for payments: the @x402/express middleware with a facilitator in the same process. */
const [rpcUrl] = process.argv.slice(2)
if (!rpcUrl) throw new Error('usage: x402-express RPC_URL')
const network = networks['base-sepolia']
const wallet = createWalletClient({
  // Another account than the gateway's settler: both settle on the same chain.
  account: privateKeyToAccount(devPayers[7].privateKey),
  chain: network.chain,
  transport: http(rpcUrl),
  pollingInterval: 20,
}).extend(publicActions)

const facilitator = new x402Facilitator().register(
  network.caip2,
  new FacilitatorScheme(
    toFacilitatorEvmSigner({
      address: wallet.account.address,
      readContract: (request) => wallet.readContract({ ...request, args: request.args ?? [] }),
      // The exact scheme verifies signatures without it.
      verifyTypedData: () => Promise.reject(new Error('not used by the exact scheme')),
      writeContract: (request) => wallet.writeContract({ ...request, args: request.args ?? [] }),
      sendTransaction: (request) => wallet.sendTransaction(request),
      waitForTransactionReceipt: (request) => wallet.waitForTransactionReceipt(request),
      getCode: (request) => wallet.getCode(request),
    }),
  ),
)
const inProcess: FacilitatorClient = {
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: async () => ({
    kinds: [{ x402Version: 2, scheme: 'exact', network: network.caip2 }],
    extensions: [],
    signers: {},
  }),
}

const app = express()
app.disable('x-powered-by')
app.use(
  paymentMiddleware(
    {
      'POST /api/analyze': {
        accepts: { scheme: 'exact', price: '$0.10', network: network.caip2, payTo: devPayTo.address },
        description: 'A business analysis',
        mimeType: 'application/json',
      },
    },
    new x402ResourceServer(inProcess).register(network.caip2, new ServerScheme()),
  ),
)
app.post('/api/analyze', express.json(), (req, res) => {
  res.json({ success: true, echo: req.body })
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening ${address.port}\n`)
})
