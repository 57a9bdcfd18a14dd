import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** The official MCP client, as agents use it: in the current protocol, choosing by itself, or in an older one. */
export const modes = ['modern', 'auto', 'legacy'] as const

type Mode = (typeof modes)[number]

const negotiation = {
  modern: { mode: { pin: '2026-07-28' } },
  auto: { mode: 'auto' },
  legacy: { mode: 'legacy' },
} as const

/** @param headers the caller's, such as an API key. */
export async function connect(
  url: string,
  {
    mode = 'modern',
    headers = {},
  }: { readonly mode?: Mode; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: negotiation[mode] })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } }),
  )
  return client
}
