import { ExactEvmScheme } from '@x402/evm/exact/client'
import {
  BuilderCodeClientExtension,
  BuilderCodeFacilitatorExtension,
  declareBuilderCodeExtension,
  parseBuilderCodeSuffixFromCalldata,
} from '@x402/extensions/builder-code'
import { x402Client } from '@x402/fetch'
import { concat, encodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devPayers, devPayTo, devSettler } from '../../src/chain/dev-accounts.ts'
import { multicall3Address, networks } from '../../src/chain/networks.ts'
import { createBuilderCodes, readServiceCodes } from '../../src/x402/builder-code.ts'
import { requirementFor } from '../../src/x402/requirements.ts'
import { tokenAbi, transferCall } from '../../src/x402/token.ts'
import { startTestChain, type TestChain } from '../support/chain.ts'
import { freshWallet, signPayment } from '../support/wallet.ts'

const network = networks['base-sepolia']
const codes = createBuilderCodes('bc_tollgate')
const payer = privateKeyToAccount(devPayers[0].privateKey)
const requirement = requirementFor(
  {
    access: 'price',
    description: 'Priced.',
    price: '0.10',
    settle: 'after',
    deadline_seconds: 60,
    validity_seconds: 300,
  },
  { network, payTo: devPayTo.address },
)

/** The payment of the public client that meets our 402, with these services in it. */
function pay(services: string[]) {
  return new x402Client()
    .register('eip155:*', new ExactEvmScheme(freshWallet()))
    .registerExtension(new BuilderCodeClientExtension(services))
    .createPaymentPayload({
      x402Version: 2,
      resource: { url: 'https://pay.example.com/api/analyze' },
      accepts: [{ ...requirement }],
      extensions: { ...codes.declared },
    })
}

describe('on the chain', () => {
  let chain: TestChain
  beforeAll(async () => {
    chain = await startTestChain()
  })
  afterAll(() => chain.close())

  const suffix = codes.suffix([['bc_agent']])
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
    '%s moves the same money with codes behind it, and shows them',
    async (_form, make) => {
      const { to, data, moved } = await make()
      const before = await balance()
      const hash = await chain.client.sendTransaction({
        account: devSettler.address,
        to,
        data: concat([data, suffix]),
      })
      const { status } = await chain.client.waitForTransactionReceipt({ hash })
      expect(status).toBe('success')
      expect((await balance()) - before).toBe(moved)
      const { input } = await chain.client.getTransaction({ hash })
      expect(parseBuilderCodeSuffixFromCalldata(input)).toEqual({
        a: 'bc_tollgate',
        s: ['bc_agent'],
      })
    },
  )

  function balance(): Promise<bigint> {
    const args = [devPayTo.address] as const
    return chain.client.readContract({ address: asset, abi: tokenAbi, functionName: 'balanceOf', args })
  }
})

describe('the codes of one payment', () => {
  test('are what the public client says, and the suffix is the public facilitator’s', async () => {
    const paymentPayload = await pay(['bc_agent', 'bc_kit'])
    const services = readServiceCodes(paymentPayload.extensions)
    expect(services).toEqual(['bc_agent', 'bc_kit'])

    const facilitator = new BuilderCodeFacilitatorExtension()
    const context = { paymentPayload, paymentRequirements: { ...requirement } }
    expect(codes.suffix([services])).toBe(facilitator.buildDataSuffix(context))
    // What we tell a facilitator elsewhere leads to the same suffix.
    const told = { ...paymentPayload, extensions: { ...codes.statedBy(services) } }
    expect(codes.suffix([services])).toBe(facilitator.buildDataSuffix({ ...context, paymentPayload: told }))
  })

  test('of a client that names no service are the configured ones', () => {
    expect(readServiceCodes(codes.declared)).toEqual([])
    expect(parse(codes.suffix([[]]))).toEqual({ a: 'bc_tollgate' })
    expect(parse(codes.suffix([]))).toEqual({ a: 'bc_tollgate' })
    expect(codes.statedBy([])).toEqual(codes.declared)
  })

  test('name our app even when the client says it is another', () => {
    const forged = { 'builder-code': { info: { a: 'bc_thief', w: 'bc_thief', s: ['bc_agent'] } } }
    const services = readServiceCodes(forged)
    expect(parse(codes.suffix([services]))).toEqual({ a: 'bc_tollgate', s: ['bc_agent'] })
    expect(codes.statedBy(services)).toHaveProperty(['builder-code', 'info', 'a'], 'bc_tollgate')
  })

  test.each<[string, unknown, string[]]>([
    ['no extensions', undefined, []],
    ['null', null, []],
    ['a list', [], []],
    ['no info', { 'builder-code': {} }, []],
    ['info that is a text', { 'builder-code': { info: 'bc_agent' } }, []],
    ['a number for the services', { 'builder-code': { info: { s: 7 } } }, []],
    ['one service without a list', { 'builder-code': { info: { s: 'bc_agent' } } }, ['bc_agent']],
    ['capital letters', { 'builder-code': { info: { s: ['BC_AGENT', 'bc_kit'] } } }, ['bc_kit']],
    ['33 letters', { 'builder-code': { info: { s: ['a'.repeat(33), 'a'.repeat(32)] } } }, ['a'.repeat(32)]],
    ['an empty code', { 'builder-code': { info: { s: ['', 'bc_kit'] } } }, ['bc_kit']],
    ['a line break', { 'builder-code': { info: { s: ['bc_kit\n'] } } }, []],
    ['other things between', { 'builder-code': { info: { s: [1, null, {}, 'bc_kit'] } } }, ['bc_kit']],
    ['repeats', { 'builder-code': { info: { s: ['b', 'a', 'b'] } } }, ['b', 'a']],
    [
      'six of them',
      { 'builder-code': { info: { s: ['a', 'b', 'c', 'd', 'e', 'f'] } } },
      ['a', 'b', 'c', 'd', 'e'],
    ],
  ])('are read from %s without refusing it', (_form, extensions, read) => {
    expect(readServiceCodes(extensions)).toEqual(read)
  })
})

describe('the codes of a batch', () => {
  test('are those of all its payments, each once', () => {
    const suffix = codes.suffix([['b', 'a'], [], ['a', 'c']])
    expect(parse(suffix)).toMatchObject({ s: ['b', 'a', 'c'] })
  })

  test('stay as few and as short as the extension allows one payment', () => {
    const made = Array.from({ length: 100 }, (_, n) => [`${n}`.padEnd(32, 'x')])
    const longest = createBuilderCodes('a'.repeat(32)).suffix(made)
    expect(parse(longest)).toMatchObject({ s: made.slice(0, 5).flat() })
    expect((longest.length - 2) / 2).toBeLessThan(240)
  })
})

test('the 402 declares the app’s code as the public package does', () => {
  expect(codes.declared).toEqual({ 'builder-code': declareBuilderCodeExtension('bc_tollgate') })
})

test.each(['', 'Bc', 'bc-x', 'a'.repeat(33), 'bc_x\n'])('%j is no code to configure', (code) => {
  expect(() => createBuilderCodes(code)).toThrow('builder code')
})

function parse(suffix: Hex) {
  return parseBuilderCodeSuffixFromCalldata(suffix)
}
