import { Agent, request } from 'undici'
import { median } from './measure.ts'
import type { Result } from './report.ts'
import type { BenchServer } from './servers.ts'

const rounds = 7
const calls = 300

/**
 * Measures what a tool call adds to the operation that it makes: one caller on one connection, both ways by turns. The
 * current protocol answers with JSON, the older ones with an event.
 */
export async function benchMcp({ ours }: { ours: BenchServer }): Promise<Result[]> {
  const dispatcher = new Agent({ connections: 1 })
  const time = async (send: () => Promise<void>): Promise<number> => {
    const times: number[] = []
    for (let call = 0; call < calls; call++) {
      const startedAt = performance.now()
      await send()
      times.push(performance.now() - startedAt)
    }
    return median(times)
  }
  const health = async () => {
    const { statusCode, body } = await request(`${ours.url}/api/health`, { dispatcher })
    await body.dump()
    if (statusCode !== 200) throw new Error(`GET /api/health answered ${statusCode}`)
  }
  const tool = (version: string) => async () => {
    const { statusCode, body } = await request(`${ours.url}/.well-known/mcp`, {
      dispatcher,
      method: 'POST',
      ...toolCall(version),
    })
    const text = await body.text()
    if (statusCode !== 200 || text.includes('"isError":true')) throw new Error(`a tool call failed: ${text}`)
  }
  try {
    const results: Result[] = []
    for (const version of [current, older]) {
      const [tools, plain]: [number[], number[]] = [[], []]
      for (let round = 0; round <= rounds; round++) {
        const [plainMs, toolMs] = [await time(health), await time(tool(version))]
        // The first round warms up.
        if (round === 0) continue
        plain.push(plainMs)
        tools.push(toolMs)
      }
      const [ours, peer] = [median(tools), median(plain)]
      results.push({
        what: `tool call by MCP ${version}, p50 in ms; peer: its operation over HTTP`,
        ours,
        peer,
        ratio: ours / peer,
        wanted: 'at most 3 ms more',
        note: `get_health and GET /api/health, ${(ours - peer).toFixed(2)} ms more`,
      })
    }
    return results
  } finally {
    await dispatcher.close()
  }
}

const current = '2026-07-28'
const older = '2025-06-18'

function toolCall(version: string) {
  const isCurrent = version === current
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'get_health', arguments: {}, ...(isCurrent ? { _meta: meta } : {}) }
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(isCurrent ? { 'mcp-method': 'tools/call', 'mcp-name': 'get_health' } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}
