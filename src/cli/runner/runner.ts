import { randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server'
import { reasonOf } from '../../client/fetch-failure.ts'
import { PayError } from '../../client/pay-error.ts'
import { StrictServer } from '../../edge/mcp/strict-server.ts'
import { inOwnWords } from './in-own-words.ts'
import type { PayFor } from './payer.ts'

/** Where the runner gets its tools, and in whose name. */
export interface RunnerOptions {
  /** The MCP servers of a gateway. The first also has the resources and prompts. */
  readonly servers: readonly [string, ...string[]]
  readonly apiKey: string | undefined
  /** Pays for tools; undefined without a wallet. */
  readonly payFor: PayFor | undefined
  readonly version: string
  /** Tells the person who reads the log of the desktop client. */
  readonly note: (line: string) => void
}

/**
 * The MCP server that a desktop client starts on its own machine. It has the tools of a gateway, calls them with the
 * person's key or wallet, and so keeps both from the client and from the model.
 */
export function createRunner(options: RunnerOptions): () => Server {
  const { servers, payFor, note, version } = options
  const remotes = servers.map((url) => new Remote(url, options))
  const [service] = remotes
  if (!service) throw new Error('the runner needs a server')
  /** Which server has a tool, as it was listed last. */
  const homes = new Map<string, Remote>()
  const noted = new Set<string>()

  async function listTools() {
    const lists = await Promise.all(
      remotes.map(async (remote) => {
        try {
          const { tools } = await remote.use((client) => client.listTools())
          for (const { name } of tools) homes.set(name, remote)
          return tools
        } catch (error) {
          // Tools of one server are useful without those of the other.
          if (remote === service) throw error
          const line = `The tools at ${remote.url} are left out: ${reasonOf(error)}`
          if (!noted.has(line)) note(line)
          noted.add(line)
          return []
        }
      }),
    )
    return { tools: lists.flat() }
  }

  async function callTool(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    if (!homes.has(name)) await listTools()
    const remote = homes.get(name)
    if (!remote) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`)
    const call = (meta: object = {}) =>
      remote.use((client) => client.callTool({ name, arguments: args, _meta: { ...meta } }))
    const unpaid = await call()
    const payment = await payFor?.(unpaid, randomUUID())
    if (payment === undefined) return inOwnWords(unpaid, payFor !== undefined)
    const paid = { 'x402/payment': payment }
    // The same payment is charged once, however often it is sent.
    return call(paid).catch((error: unknown) => {
      note(`The paid call of ${name} is sent again: ${reasonOf(error)}`)
      return call(paid)
    })
  }

  return () => {
    const server = new StrictServer(
      { name: 'tollgate', version },
      { capabilities: { tools: {}, resources: {}, prompts: {} } },
    )
    server.setRequestHandler('tools/list', listTools)
    server.setRequestHandler('tools/call', ({ params }) =>
      callTool(params.name, params.arguments ?? {}).catch(refusalOf),
    )
    server.setRequestHandler('resources/list', () => service.use((client) => client.listResources()))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', ({ params: { uri } }) =>
      service.use((client) => client.readResource({ uri })),
    )
    server.setRequestHandler('prompts/list', () => service.use((client) => client.listPrompts()))
    server.setRequestHandler('prompts/get', ({ params }) =>
      service.use((client) => client.getPrompt({ name: params.name, arguments: params.arguments ?? {} })),
    )
    return server
  }
}

/** A limit of the wallet is told to the model, which can say so to the person. */
function refusalOf(error: unknown): CallToolResult {
  if (!(error instanceof PayError)) throw error
  const body = { error: 'not_paid', message: error.message, code: 'NOT_PAID' }
  return { isError: true, structuredContent: body, content: [{ type: 'text', text: JSON.stringify(body) }] }
}

/** A gateway's MCP server. It is connected to when it is first needed, so that the runner starts without it. */
class Remote {
  readonly url: string
  readonly #options: Pick<RunnerOptions, 'apiKey' | 'version'>
  #client: Promise<Client> | undefined

  constructor(url: string, options: Pick<RunnerOptions, 'apiKey' | 'version'>) {
    this.url = url
    this.#options = options
  }

  async use<Result>(ask: (client: Client) => Promise<Result>): Promise<Result> {
    this.#client ??= this.#connect()
    let client: Client
    try {
      client = await this.#client
    } catch (error) {
      this.#client = undefined
      throw new Error(`${this.url} does not answer: ${reasonOf(error)}`, { cause: error })
    }
    return ask(client)
  }

  async #connect(): Promise<Client> {
    const { apiKey, version } = this.#options
    const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-mcp-api-key': apiKey }
    const client = new Client({ name: 'tollgate', version }, { versionNegotiation: { mode: 'auto' } })
    // A redirect would hand the key to another address.
    const requestInit: RequestInit = { headers, redirect: 'error' }
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url), { requestInit }))
    return client
  }
}
