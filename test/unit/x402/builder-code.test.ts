import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  BuilderCodeFacilitatorExtension,
  declareBuilderCodeExtension,
  parseBuilderCodeSuffixFromCalldata,
} from '@x402/extensions/builder-code'
import { x402Client } from '@x402/fetch'
import { concat, encodeFunctionData, multicall3Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenAbi, transferCall } from '../../../src/doors/x402/evidence/token.ts'
import { createBuilderCode } from '../../../src/doors/x402/wire/builder-code.ts'
import { requirementFor } from '../../../src/doors/x402/wire/requirements.ts'
import { devPayers, devPayTo, devSettler } from '../../../src/platform/chain/dev-accounts.ts'
import { multicall3Address, networks } from '../../../src/platform/chain/networks.ts'
import { startTestChain, type TestChain } from '../../support/chain/chain.ts'
import { freshWallet, signPayment } from '../../support/chain/wallet.ts'

const network = networks['base-sepolia']
const code = createBuilderCode('bc_tollgate')
const payer = privateKeyToAccount(devPayers[0].privateKey)
const requirement = requirementFor(
  {
    description: 'Priced.',
    price: '0.10',
    settle: 'after',
    deadlineSeconds: 60,
    validitySeconds: 300,
  },
  { network, payTo: devPayTo.address },
)

/** The payment that the public client makes for our 402. */
function pay() {
  return new x402Client().register('eip155:*', new ExactEvmScheme(freshWallet())).createPaymentPayload({
    x402Version: 2,
    resource: { url: 'https://pay.example.com/api/analyze' },
    accepts: [{ ...requirement }],
    extensions: { ...code.declared },
  })
}

describe('on the chain', () => {
  let chain: TestChain
  beforeAll(async () => {
    chain = await startTestChain()
  })
  afterAll(() => chain.close())

  const asset = network.usdc.address

  const callOf = {
    'a plain wallet’s transfer': async () => {
      const { authorization, signature } = await signPayment(payer, 1_000n)
      return { to: asset, data: transferCall(authorization, signature), moved: 1_000n }
    },
    'a transfer with the signature as bytes, as smart wallets make them': async () => {
      const { authorization, signature } = await signPayment(payer, 1_000n)
      const { from, to, value, validAfter, validBefore, nonce } = authorization
      const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transferWithAuthorization', args })
      return { to: asset, data, moved: 1_000n }
    },
    'several transfers in one': async () => {
      const payments = await Promise.all([signPayment(payer, 1_000n), signPayment(payer, 2_000n)])
      const calls = payments.map(({ authorization, signature }) => ({
        target: asset,
        allowFailure: true,
        callData: transferCall(authorization, signature),
      }))
      const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
      return { to: multicall3Address, data, moved: 3_000n }
    },
  }

  test.each(Object.entries(callOf))(
    '%s moves the same money with the code at its end, and the chain shows the code',
    async (_form, make) => {
      const { to, data, moved } = await make()
      const before = await balance()
      const hash = await chain.client.sendTransaction({
        account: devSettler.address,
        to,
        data: concat([data, code.suffix]),
      })
      const { status } = await chain.client.waitForTransactionReceipt({ hash })
      expect(status).toBe('success')
      expect((await balance()) - before).toBe(moved)
      const { input } = await chain.client.getTransaction({ hash })
      expect(parseBuilderCodeSuffixFromCalldata(input)).toEqual({ a: 'bc_tollgate' })
    },
  )

  function balance(): Promise<bigint> {
    const args = [devPayTo.address] as const
    return chain.client.readContract({ address: asset, abi: tokenAbi, functionName: 'balanceOf', args })
  }
})

test('the suffix equals the public facilitator’s for a payment of our 402', async () => {
  const facilitator = new BuilderCodeFacilitatorExtension()
  const context = { paymentPayload: await pay(), paymentRequirements: { ...requirement } }
  expect(facilitator.buildDataSuffix(context)).toBe(code.suffix)
})

test('the 402 declares the app’s code as @x402/extensions does', () => {
  const { info } = declareBuilderCodeExtension('bc_tollgate')
  expect(code.declared).toMatchObject({ 'builder-code': { info } })
})

test.each(['', 'Bc', 'bc-x', 'a'.repeat(33), 'bc_x\n'])('%j is refused as a builder code', (named) => {
  expect(() => createBuilderCode(named)).toThrow('builder code')
})
