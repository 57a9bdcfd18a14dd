import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server'
import pLimit from 'p-limit'
import type { Call } from '../../core/call.ts'
import type { Catalog, Operation } from '../../core/catalog/catalog.ts'
import { describeOperation } from '../../core/documented/operation-docs.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import type { Reply } from '../../core/reply.ts'
import { clientCredentials, isForRequest } from './challenge.ts'
import { prompts, writePrompt } from './prompt.ts'
import { StrictServer } from './strict-server.ts'
import { callOf, type ToolRequest } from './tool-call.ts'
import { toolResult } from './tool-result.ts'
import { createDescribeTool } from './tool-schemas.ts'
import type { Tool } from './tools.ts'

/** What an MCP server of ours is made of. */
export interface McpParts {
  /** Runs a call through the chain, counts it and turns errors into replies. Never rejects. */
  readonly run: (call: Call) => Promise<Reply>
  readonly endpoints: readonly Endpoint[]
  readonly catalog: () => Catalog
  readonly baseUrl: string
  /** The address that tells where access tokens for this server are issued. */
  readonly tokenMetadata: string
  readonly version: string
}

/** One of our MCP servers: which tools it has, and how it introduces itself. */
export interface McpService {
  readonly name: string
  /** @param provider the name of who offers it: the card of the server has the same. */
  readonly title: (provider: string) => string
  readonly instructions: string
  readonly tools: readonly Tool[]
  /** The address at which its tools are sold; undefined where none is. */
  readonly soldAt?: string
  readonly hasPrompt: boolean
}

/**
 * Makes the server for one request, which answers in the name of the request's caller.
 * @param refuse is called with a refusal that should become the answer to the whole request.
 */
export type ServerFor = (request: Call, refuse: (reply: Reply) => void) => Server

/** A document that the servers have as a resource. */
interface Document {
  readonly operation: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
}

const documents: readonly Document[] = [
  {
    operation: 'getPricingMarkdown',
    name: 'pricing',
    title: 'Prices, free quotas and tiers',
    mimeType: 'text/markdown',
  },
  {
    operation: 'getWebhookDocs',
    name: 'webhooks',
    title: 'Webhook events and how they are delivered',
    mimeType: 'application/json',
  },
]

/** Lists and documents follow the catalog, and a copy that is a minute old does no harm, as over HTTP. */
const cacheHint = { ttlMs: 60_000, cacheScope: 'public' } as const

/** @returns makes the server for one MCP request. */
export function createMcpServer(parts: McpParts, service: McpService): ServerFor {
  const { run, baseUrl, tokenMetadata, version } = parts
  const describe = createDescribeTool()
  const byName = new Map(service.tools.map((tool) => [tool.name, tool]))
  const endpoints = new Map(parts.endpoints.map((endpoint) => [endpoint.id, endpoint]))

  /** Undefined for an operation that the catalog does not offer. */
  function offered(id: string): { endpoint: Endpoint; operation: Operation } | undefined {
    const endpoint = endpoints.get(id)
    const operation = parts.catalog().operations[id]
    return endpoint && operation ? { endpoint, operation } : undefined
  }

  function listTools(): ListToolsResult {
    return {
      tools: service.tools.flatMap(({ name, operation: id, annotations }) => {
        const found = offered(id)
        if (!found) return []
        const { docs } = found.endpoint
        const title = docs?.summary ?? name
        const said = describeOperation(found.operation.description, docs ?? { details: '' })
        const description = [said, ...conditionsOf(found.operation)].join(' ')
        const schemas = describe(found.endpoint)
        return [{ name, title, description, ...schemas, annotations: { title, ...annotations } }]
      }),
    }
  }

  async function callTool(
    name: string,
    { args, meta, request }: Pick<ToolRequest, 'args' | 'meta'> & { readonly request: Call },
  ): Promise<Reply> {
    const tool = byName.get(name)
    const found = tool && offered(tool.operation)
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`)
    const { soldAt } = service
    const sold = found.operation.priced && soldAt !== undefined ? { name, server: soldAt } : undefined
    return run(callOf({ ...found, tool: sold, tokenMetadata, args, meta }, request))
  }

  const resources = () =>
    documents.flatMap(({ operation: id, ...described }) => {
      const found = offered(id)
      return found ? [{ ...found, ...described, uri: `${baseUrl}${found.endpoint.path}` }] : []
    })

  async function readResource(uri: string, request: Call) {
    const resource = resources().find((one) => one.uri === uri)
    if (!resource) throw new ResourceNotFoundError(uri)
    const { mimeType } = resource
    const call = callOf({ ...resource, tool: undefined, tokenMetadata, args: {}, meta: undefined }, request)
    const { status, body } = await run(call)
    if (status !== 200) throw new ProtocolError(ProtocolErrorCode.InternalError, `${uri} cannot be read now.`)
    return { contents: [{ uri, mimeType, text: Buffer.from(body).toString('utf8') }] }
  }

  return (request, refuse) => {
    const { name, instructions, hasPrompt } = service
    const title = service.title(parts.catalog().provider.name)
    const server = new StrictServer(
      { name, title, version, websiteUrl: baseUrl },
      {
        capabilities: {
          tools: {},
          resources: {},
          ...(hasPrompt ? { prompts: {} } : {}),
          ...(offered('issueToken') ? { extensions: { [clientCredentials]: {} } } : {}),
        },
        instructions,
        cacheHints: {
          'tools/list': cacheHint,
          'resources/list': cacheHint,
          'resources/templates/list': cacheHint,
          'resources/read': cacheHint,
          'prompts/list': cacheHint,
          'server/discover': cacheHint,
        },
      },
    )
    // The calls of a batch run one after the other, as the requests of a connection do: a batch must not get more of
    // the gateway at a time than one caller does over HTTP.
    const inTurn = pLimit(1)
    server.setRequestHandler('tools/list', listTools)
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { envelope } }) => {
      const given = { args: params.arguments ?? {}, meta: params._meta, request }
      const reply = await inTurn(callTool, params.name, given)
      if (isForRequest(reply, envelope)) refuse(reply)
      return toolResult(reply)
    })
    server.setRequestHandler('resources/list', () => ({
      resources: resources().map(({ uri, name: id, title: heading, mimeType }) => ({
        ...{ uri, name: id, title: heading, mimeType },
      })),
    }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
    server.setRequestHandler('resources/read', ({ params }) => inTurn(readResource, params.uri, request))
    if (hasPrompt) {
      server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts] }))
      server.setRequestHandler('prompts/get', ({ params }) => writePrompt(params.name, params.arguments))
    }
    return server
  }
}

/** What a caller needs besides the input. */
function conditionsOf({ access, priced }: Operation): string[] {
  if (access === 'key') return ['Needs an API key.']
  if (priced === undefined) return []
  const { price, meter } = priced
  const amount = meter ? `at most ${price}` : price
  return access === 'price' ? [`Costs ${amount} USDC a call, paid by x402.`] : []
}
