import { z } from 'zod'
import { jsonOf } from '../../findings/document.ts'
import type { Reading } from '../../findings/judge-document.ts'
import { counted } from '../../findings/share.ts'
import { absolute, shown } from '../../site/addresses.ts'
import type { SiteReply } from '../../site/capture.ts'
import { mediaTypeOf } from '../../site/files/headers.ts'

/**
 * Reads the documents that tell agents what a site can do. Only the fields that a client needs decide. Of
 * long lists the first hundred items are read, because a hostile document may have a million.
 */
export function readMcpDocument(answer: SiteReply): Reading {
  const json = jsonOf(answer)
  const url = answer.url
  const fix = `Name the server and the address of its endpoint in ${url}, as "name" and "remotes": [{"type", "url"}].`
  if (!json) return notJson(answer, fix)
  const entries = aiCatalog.safeParse(json.value)
  if (entries.success) {
    const entry = entries.data.entries.find(({ type, mediaType }) =>
      [type, mediaType].some((value) => value?.startsWith('application/mcp-server-card')),
    )
    if (!entry) return { state: 'other', value: 'a catalogue without an MCP entry' }
    const inside = entry.data === undefined ? undefined : serverOf(entry.data, url)
    const at = entry.url === undefined ? inside?.at : absolute(entry.url, url)
    if (at !== undefined) return { state: 'good', value: shown(`${entry.displayName} at ${at}`) }
    return { state: 'broken', value: shown(entry.displayName), fault: 'its MCP entry has no address', fix }
  }
  const { name, at } = serverOf(json.value, url)
  if (name !== undefined && at !== undefined) return { state: 'good', value: shown(`${name} at ${at}`) }
  const missing = [...(name === undefined ? ['name'] : []), ...(at === undefined ? ['remote address'] : [])]
  const fault = `it has no ${missing.join(' and no ')}`
  return { state: 'broken', value: startOf(answer), fault, fix }
}

/**
 * Accepts the first hundred items of a list.
 * @param schema of one item
 */
export function few<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (Array.isArray(value) ? value.slice(0, 100) : value), z.array(schema))
}

export const word = z.string().trim().min(1)

const aiCatalog = z.object({
  entries: few(
    z.object({
      displayName: word,
      type: z.string().optional(),
      mediaType: z.string().optional(),
      url: z.string().optional(),
      data: z.unknown().optional(),
    }),
  ),
})

const address = z.object({
  url: word.optional().catch(undefined),
  endpoint: word.optional().catch(undefined),
})
const server = address.extend({
  name: word.optional().catch(undefined),
  serverInfo: z.object({ name: word }).optional().catch(undefined),
  remotes: few(address).optional().catch(undefined),
  transport: address.optional().catch(undefined),
  transports: few(address).optional().catch(undefined),
  endpoints: few(address).optional().catch(undefined),
})
const servers = z
  .object({
    mcpServers: z.record(z.string(), z.unknown()).optional(),
    servers: z.record(z.string(), z.unknown()).optional(),
  })
  .transform((config) => Object.entries(config.mcpServers ?? config.servers ?? {}).slice(0, 100))

/**
 * Reads a server card, an older card with `serverInfo` and `transport`, or a client's list of servers by
 * name.
 */
function serverOf(value: unknown, base: string): { name: string | undefined; at: string | undefined } {
  const list = servers.safeParse(value)
  for (const [name, one] of list.success ? list.data : []) {
    const at = addressIn(one, base)
    if (at !== undefined && name.trim() !== '') return { name, at }
  }
  const card = server.safeParse(value)
  return { name: card.data?.name ?? card.data?.serverInfo?.name, at: addressIn(value, base) }
}

function addressIn(value: unknown, base: string): string | undefined {
  const { data } = server.safeParse(value)
  if (!data) return undefined
  const places = [
    ...(data.remotes ?? []),
    data.transport,
    ...(data.transports ?? []),
    ...(data.endpoints ?? []),
    data,
  ]
  for (const place of places) {
    const target = place?.url ?? place?.endpoint
    const at = target === undefined ? undefined : absolute(target, base)
    if (at !== undefined) return at
  }
  return undefined
}

/** Reads an agent card of A2A 1.0, or of 0.3, which older clients still use. */
export function readAgentCard(answer: SiteReply): Reading {
  const json = jsonOf(answer)
  const fix = `Complete ${answer.url} to an A2A 1.0 agent card, with supportedInterfaces of url, protocolBinding and protocolVersion.`
  if (!json) return notJson(answer, fix)
  const current = cardOf10.safeParse(json.value)
  if (current.success) return describeCard('1.0', current.data)
  const older = cardOf03.safeParse(json.value)
  if (older.success) return describeCard('0.3', older.data)
  const isOlder = z.object({ protocolVersion: z.string() }).safeParse(json.value).success
  return {
    state: 'broken',
    value: startOf(answer),
    fault: faultOf(isOlder ? older.error : current.error),
    fix,
  }
}

function describeCard(version: string, card: { name: string; skills: readonly unknown[] }): Reading {
  return {
    state: 'good',
    value: shown(`A2A ${version}, ${counted(card.skills.length, 'skill')}: ${card.name}`),
  }
}

const card = z.object({
  name: word,
  description: word,
  version: word,
  capabilities: z.looseObject({}),
  defaultInputModes: few(z.string()),
  defaultOutputModes: few(z.string()),
  skills: few(z.object({ id: word, name: word, description: word, tags: few(z.string()) })),
})
const cardOf10 = card.extend({
  supportedInterfaces: few(z.object({ url: word, protocolBinding: word, protocolVersion: word })).refine(
    (list) => list.length > 0,
  ),
})
const cardOf03 = card.extend({ protocolVersion: z.string().startsWith('0.3'), url: word })

/** Reads a linkset (RFC 9264) as RFC 9727 requires it. */
export function readApiCatalog(answer: SiteReply): Reading {
  const json = jsonOf(answer)
  const fix = `Let ${answer.url} hold {"linkset": [{"anchor": …, "service-desc": [{"href": …}]}]} for each API.`
  if (!json) return notJson(answer, fix)
  const parsed = linkset.safeParse(json.value)
  if (!parsed.success) return { state: 'broken', value: startOf(answer), fault: faultOf(parsed.error), fix }
  const type = mediaTypeOf(answer)
  const value = `${counted(parsed.data.linkset.length, 'API')}, ${shown(type, 60) || 'no type'}`
  if (type === 'application/linkset+json') return { state: 'good', value }
  return {
    state: 'usable',
    value,
    fault: `it is sent as ${shown(type, 60) || 'no type'}`,
    fix: `Send ${answer.url} as application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727".`,
  }
}

const targets = few(z.object({ href: word })).refine((list) => list.length > 0)
const linkset = z.object({
  linkset: few(
    z
      .object({ anchor: word.optional() })
      .catchall(z.unknown())
      .refine((context) =>
        Object.entries(context).some(
          ([relation, value]) => relation !== 'anchor' && targets.safeParse(value).success,
        ),
      ),
  ).refine((list) => list.length > 0),
})

export function notJson(answer: SiteReply, fix: string): Reading {
  return { state: 'broken', value: startOf(answer), fault: 'it is not valid JSON', fix }
}

/** The start of the body, to help find the fault. */
export function startOf(answer: SiteReply): string {
  return shown(answer.body.slice(0, 400), 100) || 'empty'
}

/** Names the fields at fault. The names come from our schema and not from the site. */
export function faultOf(error: z.ZodError): string {
  const fields = [
    ...new Set(error.issues.map(({ path }) => path.map(String).join('.') || 'the outer object')),
  ]
  return `these are missing or wrong: ${fields.slice(0, 4).join(', ')}`
}
