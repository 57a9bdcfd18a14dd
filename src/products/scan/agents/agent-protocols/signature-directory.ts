import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { z } from 'zod'
import { keyThumbprint } from '../../../../platform/net/bot-signature.ts'
import type { Outcome } from '../../findings/check.ts'
import { jsonOf } from '../../findings/document.ts'
import { judgeDocument, type Reading } from '../../findings/judge-document.ts'
import { counted } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import type { SiteReply } from '../../site/capture.ts'
import { headerOf } from '../../site/files/headers.ts'
import type { Site } from '../../site/site.ts'
import { faultOf, few, notJson, startOf } from './agent-documents.ts'

/**
 * The keys with which the site's own bots sign their requests (Web Bot Auth). Only sites that run bots have such a
 * directory, so none is expected. Other sites take a bot for a stranger if its key cannot be found or verified here.
 *
 * https://datatracker.ietf.org/doc/draft-ietf-webbotauth-httpsig-protocol/
 */
export function judgeSignatureDirectory({ capture }: Site): Outcome {
  return judgeDocument(
    { capture },
    {
      name: 'A directory of signature keys',
      isPlace: (path) => path === '/.well-known/http-message-signatures-directory',
      read: readDirectory,
      isExpected: false,
      loss: 'Other sites read it to recognize the bots of this site.',
      fix: 'Only a site that runs bots needs this directory.',
    },
  )
}

const mediaType = 'application/http-message-signatures-directory+json'

function readDirectory(answer: SiteReply): Reading {
  const { url } = answer
  const fix = `Let ${url} hold {"keys": [{"kty": "OKP", "crv": "Ed25519", "x", "kid"}]} with the public keys of your bots.`
  const json = jsonOf(answer)
  if (!json) return notJson(answer, fix)
  const parsed = directory.safeParse(json.value)
  if (!parsed.success) return { state: 'broken', value: startOf(answer), fault: faultOf(parsed.error), fix }
  const keys = parsed.data.keys.flatMap((key) => readKey(key) ?? [])
  const value = counted(keys.length, 'Ed25519 key')
  const broken = (fault: string, how = fix): Reading => ({ state: 'broken', value, fault, fix: how })
  if (keys.length === 0) return broken('none of its keys is an Ed25519 key')
  if (keys.some(({ x }) => x === exampleKey))
    return broken(
      'it has the example key of RFC 9421, whose private half is public',
      `Make a key of your own, and replace the example in ${url}.`,
    )
  const renamed = keys.find(({ kid, thumbprint }) => kid !== undefined && kid !== thumbprint)
  if (renamed)
    return broken(
      'the kid of a key is not its thumbprint, by which signatures name it',
      `Set "kid" in ${url} to the key’s SHA-256 thumbprint (RFC 7638), or leave it out.`,
    )
  const usable = (fault: string, how: string): Reading => ({ state: 'usable', value, fault, fix: how })
  const type = headerOf(answer, 'content-type')
  if (type.toLowerCase() !== mediaType)
    return usable(
      `it is sent as ${shown(type, 80) || 'no type'}`,
      `Send ${url} with exactly "Content-Type: ${mediaType}".`,
    )
  if (headerOf(answer, 'signature') === '')
    return usable(
      'its reply is not signed, so another site could present these keys as its own',
      `Sign the reply at ${url} with each key in it, with the tag "http-message-signatures-directory".`,
    )
  return { state: 'good', value }
}

const directory = z.object({ keys: few(z.looseObject({ kty: z.string() })) })

interface Key {
  readonly x: string
  readonly kid: string | undefined
  readonly thumbprint: string
}

/** Undefined for a key of another kind. */
function readKey(jwk: JsonWebKey): Key | undefined {
  const parsed = ed25519.safeParse(jwk)
  if (!parsed.success) return undefined
  try {
    const { kty, crv, x, kid } = parsed.data
    return { x, kid, thumbprint: keyThumbprint(createPublicKey({ key: { kty, crv, x }, format: 'jwk' })) }
  } catch {
    // The site wrote something that is no point on the curve: it is no key.
    return undefined
  }
}

const ed25519 = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[\w-]{43}$/),
  kid: z.string().optional(),
})

/** `test-key-ed25519` in RFC 9421, appendix B.1.4. */
const exampleKey = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
