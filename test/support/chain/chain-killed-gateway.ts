import { startChainIn } from './chain.ts'

/**
 * A process that starts the local chain of the given folder as a gateway does, prints its address in one
 * line, and waits to be killed.
 */
const [, , dataDir = ''] = process.argv
const { rpcUrl, pid } = await startChainIn(dataDir)
process.stdout.write(`${JSON.stringify({ rpcUrl, pid })}\n`)
setInterval(() => {}, 60_000)
