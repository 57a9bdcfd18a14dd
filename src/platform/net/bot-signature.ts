import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Clock, unixNow } from '../../core/clock.ts'

/** Makes the signature headers of a request to this URL. */
export type SignRequest = (url: URL) => Record<string, string>

/**
 * Signs our requests by Web Bot Auth. Websites admit known bots by such a signature, because anyone can send
 * our User-Agent. A signature is valid for one host and one minute, so a website cannot use it to pose as us
 * elsewhere.
 *
 * https://datatracker.ietf.org/doc/draft-ietf-webbotauth-httpsig-protocol/
 *
 * @throws Error when the key is not Ed25519
 */
export function createBotSigner({
  privateKey,
  agentUrl,
  clock,
}: {
  readonly privateKey: KeyObject
  /** Our own https origin: websites find the key in its directory. */
  readonly agentUrl: string
  readonly clock: Clock
}): SignRequest {
  const keyid = keyThumbprint(createPublicKey(privateKey))
  const agent = `"${new URL(agentUrl).origin}"`
  return (url) => {
    const created = unixNow(clock)
    const parameters =
      `("@authority" "signature-agent";key="sig1")` +
      `;created=${created};expires=${created + requestSeconds};keyid="${keyid}";tag="web-bot-auth"`
    const base =
      `"@authority": ${url.host}\n` +
      `"signature-agent";key="sig1": ${agent}\n` +
      `"@signature-params": ${parameters}`
    return {
      'signature-agent': `sig1=${agent}`,
      'signature-input': `sig1=${parameters}`,
      signature: `sig1=:${signText(base, privateKey)}:`,
    }
  }
}

/**
 * Makes our key directory as a reply to a request for this authority: one public key, and a signature over
 * the reply, so that another site cannot serve our key as its own.
 *
 * @throws Error when the key is not Ed25519
 */
export function directoryReply(
  { privateKey, clock }: { readonly privateKey: KeyObject; readonly clock: Clock },
  authority: string,
): { body: Uint8Array; headers: Record<string, string> } {
  const publicKey = createPublicKey(privateKey)
  const keyid = keyThumbprint(publicKey)
  const key = { kty: 'OKP', crv: 'Ed25519', x: publicPart(publicKey), kid: keyid, use: 'sig' }
  const body = new TextEncoder().encode(JSON.stringify({ keys: [key] }))
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const created = unixNow(clock)
  const parameters =
    `("@authority";req "content-digest");created=${created};expires=${created + directorySeconds}` +
    `;keyid="${keyid}";alg="ed25519";tag="http-message-signatures-directory"`
  const base =
    `"@authority";req: ${authority.toLowerCase()}\n` +
    `"content-digest": ${digest}\n` +
    `"@signature-params": ${parameters}`
  return {
    body,
    headers: {
      // Without a charset: checkers compare the whole value.
      'content-type': 'application/http-message-signatures-directory+json',
      // A copy is dropped long before its signature expires.
      'cache-control': `public, max-age=${directorySeconds / 5}`,
      'content-digest': digest,
      'signature-input': `binding0=${parameters}`,
      signature: `binding0=:${signText(base, privateKey)}:`,
    },
  }
}

/**
 * Computes the thumbprint of a key, which is its id: https://www.rfc-editor.org/rfc/rfc7638
 *
 * @throws Error when the key is not Ed25519
 */
export function keyThumbprint(publicKey: KeyObject): string {
  // The members that the standard requires, sorted by name, without white space.
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: publicPart(publicKey) })
  return createHash('sha256').update(members).digest('base64url')
}

function publicPart(publicKey: KeyObject): string {
  const { crv, x } = publicKey.export({ format: 'jwk' })
  if (crv !== 'Ed25519' || x === undefined)
    throw new Error('the key that signs requests must be an Ed25519 key')
  return x
}

function signText(text: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64')
}

const requestSeconds = 60
const directorySeconds = 300
