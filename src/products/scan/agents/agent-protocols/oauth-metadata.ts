import { z } from 'zod'
import { jsonOf } from '../../findings/document.ts'
import type { Reading } from '../../findings/judge-document.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import type { SiteReply } from '../../site/capture.ts'
import { notJson, startOf } from './agent-documents.ts'

export function isOauthPlace(path: string): boolean {
  return metadata.some(({ name }) => path.startsWith(name) || path.endsWith(name))
}

/**
 * Reads OAuth and OpenID metadata (RFC 8414, RFC 9728, OIDC Discovery). A client must refuse metadata for
 * another address than the one where it was found, so the two must be equal.
 */
export function readOauthMetadata(answer: SiteReply): Reading {
  const kind = metadata.find(({ name }) => pathOf(answer.url).includes(name)) ?? metadata[0]
  const { name, member } = kind
  const expected = [...new Set([answer.url, answer.finalUrl].map((url) => ownerOf(url, name)))]
  const fix = `Let ${answer.url} say "${member}": "${expected[0] ?? ''}", exactly as clients know it.`
  const json = jsonOf(answer)
  if (!json) return notJson(answer, fix)
  const declared = z.object({ [member]: z.string() }).safeParse(json.value).data?.[member]
  if (declared === undefined)
    return { state: 'broken', value: startOf(answer), fault: `it has no ${member}`, fix }
  const value = `${member}: ${shown(declared)}`
  // The well-known part is inserted after removing a trailing slash, so both spellings lead to this
  // document.
  if (expected.includes(declared.replace(/\/$/, ''))) return { state: 'good', value }
  return {
    state: 'broken',
    value,
    fault: `its ${member} is another address, and clients must refuse it`,
    fix,
  }
}

const metadata = [
  { name: '/.well-known/oauth-authorization-server', member: 'issuer' },
  { name: '/.well-known/openid-configuration', member: 'issuer' },
  { name: '/.well-known/oauth-protected-resource', member: 'resource' },
] as const

/** The address that metadata at this URL speaks for: the URL without its well-known part. */
function ownerOf(url: string, name: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(name, '')}`.replace(/\/$/, '')
}
