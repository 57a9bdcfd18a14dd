import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'

/**
 * The gateway's refusals name HTTP headers and `_meta`, which the user of a desktop client cannot send. Here they name the
 * settings of `tollgate mcp` instead.
 * @param hasWallet whether the program pays for tools.
 */
export function inOwnWords(result: CallToolResult, hasWallet: boolean): CallToolResult {
  const refusal = refusalSchema.safeParse(result.structuredContent)
  if (!result.isError || !refusal.success) return result
  const { code, message } = refusal.data
  const said = sentenceFor(code, message, hasWallet)
  if (said === undefined) return result
  const body = { ...refusal.data, message: said }
  return { ...result, structuredContent: body, content: [{ type: 'text', text: JSON.stringify(body) }] }
}

const refusalSchema = z.looseObject({ code: z.string(), message: z.string() })

const setKey = 'Set MCP_API_KEY in the environment of tollgate mcp (env in the configuration of the client).'

function sentenceFor(code: string, message: string, hasWallet: boolean): string | undefined {
  if (code === 'API_KEY_REQUIRED') return `This tool needs an API key. ${setKey}`
  if (code.startsWith('API_KEY_'))
    return `${message} The key is MCP_API_KEY in the environment of tollgate mcp.`
  if (code !== 'PAYMENT_REQUIRED' || hasWallet) return undefined
  return 'This tool is paid per call, and tollgate mcp has no wallet. Start it with --key-file and the file of a private key, or set MCP_API_KEY to a key whose tier covers the tool.'
}
