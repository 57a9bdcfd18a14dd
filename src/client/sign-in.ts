import type { LocalAccount } from 'viem'
import { z } from 'zod'
import { PayError } from './pay-error.ts'
import type { CallResult } from './send.ts'

/**
 * Signs in to fetch the reply of a payment that was made before: others may know the payment by now, so the server
 * asks for a signature of the wallet. It is for one payment, moves no money and is good for some minutes.
 */

/**
 * @param url that was called.
 * @param accountFor the wallet of the payer, on a network by its CAIP-2 name; undefined not to sign in.
 * @returns the value of the header SIGN-IN-WITH-X; undefined when the reply asks for none, or no wallet signs.
 * @throws PayError when the text to sign is for another server: its owner could sign in there with it.
 */
export async function signIn(
  { status, body }: Pick<CallResult, 'status' | 'body'>,
  url: string,
  accountFor: (network: string) => LocalAccount | undefined,
): Promise<string | undefined> {
  const challenge = status === 409 ? readChallenge(body) : undefined
  if (!challenge) return undefined
  const { host, hostname } = new URL(url)
  const isLocal = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)
  if (new URL(challenge.uri).host !== challenge.domain || (challenge.domain !== host && !isLocal)) {
    throw new PayError(`The server at ${host} asks to sign in to ${challenge.domain}. Nothing was signed.`)
  }
  const account = accountFor(challenge.chainId)
  if (!account) return undefined
  // The library loads slowly, and few calls need it.
  const { createSIWxPayload, encodeSIWxHeader } = await import('@x402/extensions/sign-in-with-x')
  return encodeSIWxHeader(await createSIWxPayload(challenge, account, challenge.uri))
}

const refusal = z.object({
  details: z.object({
    sign_in: z.object({
      domain: z.string(),
      uri: z.url({ protocol: /^https?$/ }),
      version: z.literal('1'),
      chainId: z.string().startsWith('eip155:'),
      type: z.literal('eip191'),
      nonce: z.string(),
      issuedAt: z.iso.datetime(),
    }),
  }),
})

function readChallenge(body: string) {
  try {
    return refusal.safeParse(JSON.parse(body)).data?.details.sign_in
  } catch {
    // Not JSON, so it asks for nothing.
    return undefined
  }
}
