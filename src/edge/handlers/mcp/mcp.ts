import { z } from 'zod'
import { type EndpointRow, type EndpointRows, noInput } from '../../../core/endpoint.ts'

/**
 * The addresses of the two MCP servers (specification 4.13). They are declared in code and not in the catalog: a
 * request to them is no operation. It holds tool calls, and each of those is an operation of the catalog.
 */
function server(path: string, description: string) {
  return {
    ...noInput,
    method: 'POST',
    path,
    operation: { access: 'open', description, deadlineSeconds: 60 },
    response: z.looseObject({ jsonrpc: z.literal('2.0') }),
  } satisfies EndpointRow
}

export const mcpRows = {
  callTools: server('/.well-known/mcp', 'The MCP server of the service.'),
  callPaidTools: server('/mcp', 'The MCP server of the operations that are paid per call.'),
} satisfies EndpointRows
