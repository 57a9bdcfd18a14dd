import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Clock, unixNow } from '../../core/clock.ts'

/** Headers to add to a request for this address. */
export type SignRequest = (url: URL) => Record<string, string>

/**
 * Web Bot Auth: our requests prove that they are ours. Websites let known bots in by such a signature; a
 * User-Agent alone is what everybody can write. Each signature is for one host and for a minute, so that a
 * website that got one cannot pass for us elsewhere.
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
  /** Our own origin, https: the key is looked up in its directory. */
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
 * Our key directory as it is answered to whoever asked for this authority: one public key, and a signature
 * over the answer, so that nobody else can serve our key as theirs.
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
      // Exactly this: a charset behind it makes checkers frown.
      'content-type': 'application/http-message-signatures-directory+json',
      'content-digest': digest,
      'signature-input': `binding0=${parameters}`,
      signature: `binding0=:${signText(base, privateKey)}:`,
    },
  }
}

/**
 * The name of a key that follows from the key alone: https://www.rfc-editor.org/rfc/rfc7638
 *
 * @throws Error when the key is not Ed25519
 */
export function keyThumbprint(publicKey: KeyObject): string {
  // The members that the standard requires, in the order of their names, without white space.
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: publicPart(publicKey) })
  return createHash('sha256').update(members).digest('base64url')
}

function publicPart(publicKey: KeyObject): string {
  const { crv, x } = publicKey.export({ format: 'jwk' })
  if (crv !== 'Ed25519' || x === undefined) throw new Error('requests are signed with an Ed25519 key')
  return x
}

function signText(text: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64')
}

const requestSeconds = 60
const directorySeconds = 300
