import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { devPayers, devPayTo } from '../../../src/platform/chain/dev-accounts.ts'
import { type DevChain, DevChainError } from '../../../src/platform/chain/local/dev-chain.ts'
import { createDevClient } from '../../../src/platform/chain/local/place-contracts.ts'
import { multicall3Address, networks } from '../../../src/platform/chain/networks.ts'
import { startChainIn, temporaryFolder } from '../../support/chain/chain.ts'
import { patienceMs } from '../../support/patience.ts'

/** The local chain over the life of its gateways, which stop, are killed, or start twice. */

const usdc = networks['base-sepolia'].usdc.address
const abi = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
])
const [payer] = devPayers

let dataDir: string
const toUndo: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  const { folder, remove } = await temporaryFolder()
  dataDir = folder
  toUndo.push(remove)
})
afterEach(async () => {
  for (const undo of toUndo.splice(0).reverse()) await undo()
})

async function start(port = 0): Promise<DevChain> {
  const chain = await startChainIn(dataDir, port)
  toUndo.push(() => chain.close())
  return chain
}

const portOf = (chain: DevChain) => Number(new URL(chain.rpcUrl).port)

/** Moves one USDC to the operator. */
async function pay(rpcUrl: string) {
  const client = createDevClient(rpcUrl)
  const account = payer.address
  const hash = await client.writeContract({
    account,
    address: usdc,
    abi,
    functionName: 'transfer',
    args: [devPayTo.address, 1_000_000n],
  })
  return await client.waitForTransactionReceipt({ hash })
}

const income = async (rpcUrl: string) =>
  (await createDevClient(rpcUrl).readContract({
    address: usdc,
    abi,
    functionName: 'balanceOf',
    args: [devPayTo.address],
  })) - 10_000_000_000n

/** A process that starts this folder's chain as a gateway does. */
function spawnGateway() {
  const script = fileURLToPath(new URL('../../support/chain/chain-killed-gateway.ts', import.meta.url))
  const gateway = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(gateway, 'exit')
  const kill = async () => {
    gateway.kill('SIGKILL')
    await exit
  }
  toUndo.push(kill)
  return { gateway, kill }
}

async function startAndKillGateway(): Promise<{ rpcUrl: string; pid: number }> {
  const { gateway, kill } = spawnGateway()
  const [line] = await once(gateway.stdout, 'data')
  await kill()
  return z.object({ rpcUrl: z.string(), pid: z.number() }).parse(JSON.parse(String(line)))
}

test('payments, receipts and logs are there after a close and a start', async () => {
  const first = await startChainIn(dataDir)
  const paid = await pay(first.rpcUrl)
  await first.close()

  const second = await start()

  const client = createDevClient(second.rpcUrl)
  expect(second.adopted).toBe(false)
  expect(await income(second.rpcUrl)).toBe(1_000_000n)
  expect(await client.getTransactionReceipt({ hash: paid.transactionHash })).toMatchObject({
    status: 'success',
  })
  expect(
    await client.getLogs({ address: usdc, fromBlock: paid.blockNumber, toBlock: paid.blockNumber }),
  ).toHaveLength(1)
  expect(await client.getCode({ address: multicall3Address })).toBeDefined()
})

test('a chain that a killed gateway left is adopted with its payments, and ends with its new gateway', async () => {
  const left = await startAndKillGateway()
  await pay(left.rpcUrl)

  const chain = await startChainIn(dataDir, Number(new URL(left.rpcUrl).port))

  expect(chain).toMatchObject({ adopted: true, rpcUrl: left.rpcUrl, pid: left.pid })
  expect(await income(chain.rpcUrl)).toBe(1_000_000n)

  await chain.close()
  await expect(createDevClient(left.rpcUrl).getChainId()).rejects.toThrow()
  expect(await income((await start()).rpcUrl)).toBe(1_000_000n)
})

test('after a gateway was killed while it launched its chain, the next one adopts that chain', async () => {
  const { kill } = spawnGateway()
  const record = join(dataDir, 'chain.json')
  await vi.waitFor(() => expect(existsSync(record)).toBe(true), { interval: 1, timeout: patienceMs })
  await kill()
  const { running } = z
    .object({ running: z.object({ pid: z.number() }) })
    .parse(JSON.parse(readFileSync(record, 'utf8')))

  const chain = await start()

  expect(chain).toMatchObject({ adopted: true, pid: running.pid })
  expect(await income(chain.rpcUrl)).toBe(0n)
})

test('a chain that was left on another port moves to the configured port, with its payments', async () => {
  const left = await startAndKillGateway()
  await pay(left.rpcUrl)
  const free = await listen()
  await free.close()

  const chain = await start(free.port)

  expect(chain).toMatchObject({ adopted: false, rpcUrl: `http://127.0.0.1:${free.port}` })
  expect(await income(chain.rpcUrl)).toBe(1_000_000n)
  await expect(createDevClient(left.rpcUrl).getChainId()).rejects.toThrow()
})

test('another program on the port stops the start, with an error that names port and setting', async () => {
  const program = await listen()

  const refusal = startChainIn(dataDir, program.port)

  await expect(refusal).rejects.toThrow(DevChainError)
  await expect(refusal).rejects.toThrow(
    new RegExp(`Port ${program.port} is taken by another program.*DEV_CHAIN_PORT`),
  )
  await program.close()
})

test('the chain of another folder on the port is not adopted', async () => {
  const first = await start()
  const other = await temporaryFolder()
  toUndo.push(other.remove)

  await expect(startChainIn(other.folder, portOf(first))).rejects.toThrow('is taken by another program')
})

test('another chain on the port of a chain that ended is not adopted', async () => {
  const left = await startAndKillGateway()
  await pay(left.rpcUrl)
  process.kill(left.pid, 'SIGTERM')
  await vi.waitFor(() => expect(createDevClient(left.rpcUrl).getChainId()).rejects.toThrow(), patienceMs)
  const other = await temporaryFolder()
  const foreign = await startChainIn(other.folder, Number(new URL(left.rpcUrl).port))
  toUndo.push(other.remove, () => foreign.close())

  const chain = await start()

  expect(chain.adopted).toBe(false)
  expect(await income(chain.rpcUrl)).toBe(1_000_000n)
  expect(await income(foreign.rpcUrl)).toBe(0n)
})

test('the end of a chain is reported with its cause', async () => {
  const chain = await start()

  process.kill(chain.pid, 'SIGKILL')

  expect(await chain.died).toContain('SIGKILL')
})

test('the end of an adopted chain is reported with its process id', async () => {
  await startAndKillGateway()
  const chain = await start()

  process.kill(chain.pid, 'SIGKILL')

  expect(await chain.died).toContain(`process ${chain.pid}`)
})

test('a chain that ended while it saved continues from its last complete state', async () => {
  const first = await startChainIn(dataDir)
  await pay(first.rpcUrl)
  await first.close()
  await writeFile(join(dataDir, 'chain-state.saved.json'), '{"block":{"number":"0x')

  const second = await start()

  expect(await income(second.rpcUrl)).toBe(1_000_000n)
})

test('a broken state stops the start, with the reason and the file to delete', async () => {
  await (await startChainIn(dataDir)).close()
  await truncate(join(dataDir, 'chain-state.json'), 100)

  await expect(startChainIn(dataDir)).rejects.toThrow(
    /did not start: .*failed to parse json.*delete .*chain-state\.json/s,
  )
})

test('block time never runs ahead of the clock, even with hundreds of blocks in a second', async () => {
  const chain = await start()
  const client = createDevClient(chain.rpcUrl)
  const before = await client.getBlockNumber()

  const account = privateKeyToAccount(payer.privateKey)
  for (let nonce = 0; nonce < 300; nonce++) {
    const serializedTransaction = await account.signTransaction({
      ...{ chainId: 84532, nonce, to: devPayTo.address, gas: 21_000n },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n },
    })
    const receipt = await client.sendRawTransactionSync({ serializedTransaction })
    expect(receipt.status).toBe('success')
  }

  const block = await client.getBlock()
  expect(block.number).toBeGreaterThanOrEqual(before + 300n)
  expect(Number(block.timestamp)).toBeLessThanOrEqual(Date.now() / 1000)
})

test('block time goes on without transactions, so that an authorization signed now is valid now', async () => {
  const chain = await start()
  const client = createDevClient(chain.rpcUrl)
  const before = await client.getBlock()

  await vi.waitFor(async () => expect((await client.getBlock()).timestamp).not.toBe(before.timestamp), {
    interval: 250,
    timeout: patienceMs,
  })

  const { timestamp } = await client.getBlock()
  expect(timestamp - before.timestamp).toBeLessThanOrEqual(11n)
})

/** Starts a server that is not a chain. */
async function listen(): Promise<{ port: number; close: () => Promise<unknown> }> {
  const server = createServer((_, response) => response.end('not a chain')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: AddressInfo = z
    .object({ port: z.number(), family: z.string(), address: z.string() })
    .parse(server.address())
  return {
    port: address.port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
