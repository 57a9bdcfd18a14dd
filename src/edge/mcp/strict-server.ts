import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type SpecTypeName,
  specTypeSchemas,
} from '@modelcontextprotocol/server'

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * The SDK's server, which also tells a caller whose fault it is when the parameters of a request do not fit. The SDK
 * answers most of them as an internal error (-32603), with the issues of its schema as the text.
 */
export class StrictServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler)
    const type = requestTypes.get(method)
    if (type === undefined) return wrapped
    return async (request, context) => {
      const { issues = [] } = specTypeSchemas[type]['~standard'].validate(request)
      if (issues.length === 0) return await wrapped(request, context)
      const faults = issues.slice(0, 5).map(({ path = [], message }) => `${path.join('.')}: ${message}`)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Invalid params of ${method}: ${faults.join('; ')}`,
      )
    }
  }
}

const requestTypes: ReadonlyMap<string, SpecTypeName> = new Map([
  ['initialize', 'InitializeRequest'],
  ['prompts/get', 'GetPromptRequest'],
  ['prompts/list', 'ListPromptsRequest'],
  ['resources/list', 'ListResourcesRequest'],
  ['resources/read', 'ReadResourceRequest'],
  ['resources/templates/list', 'ListResourceTemplatesRequest'],
  ['tools/call', 'CallToolRequest'],
  ['tools/list', 'ListToolsRequest'],
])
