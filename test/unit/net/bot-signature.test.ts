import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { type ResponseDescriptor, type SignatureMessage, verifySignature } from 'http-message-sig'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { createBotSigner, directoryReply, keyThumbprint } from '../../../src/platform/net/bot-signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const now = 1_790_000_000
const clock = { now: () => now * 1_000 + 999 }
const signRequest = createBotSigner({ privateKey, agentUrl: 'https://tollgate.example', clock })

/** An independent check: the verifier that the authors of Web Bot Auth publish. */
function judge(message: SignatureMessage, components: ('request' | 'directory') & string) {
  return verifySignature(message, {
    policy: {
      algorithms: ['ed25519'],
      requiredComponents:
        components === 'request'
          ? ['@authority', { name: 'signature-agent', parameters: { key: 'sig1' } }]
          : [{ name: '@authority', parameters: { req: true } }, 'content-digest'],
      requiredParameters: ['created', 'expires', 'keyid', 'tag'],
      maxAge: 60,
      now,
    },
    resolveVerifier: () => ({
      algorithm: 'ed25519',
      verify: (bytes, signature) => verify(null, bytes, publicKey, signature),
    }),
  })
}

function requestOf(url: string, headers: Record<string, string>): SignatureMessage {
  return new Request(url, { headers })
}

test('a signed request is valid for its host, for a minute, with the id of our key', async () => {
  const url = 'https://shop.example/a?b=c'

  const { parameters, label } = await judge(requestOf(url, signRequest(new URL(url))), 'request')

  expect(label).toBe('sig1')
  expect(parameters).toEqual({
    created: now,
    expires: now + 60,
    keyid: keyThumbprint(publicKey),
    tag: 'web-bot-auth',
  })
})

test('the signature names our key directory as a structured dictionary', () => {
  expect(signRequest(new URL('https://shop.example/'))['signature-agent']).toBe(
    'sig1="https://tollgate.example"',
  )
})

test('a port other than the default one is signed', async () => {
  const url = 'http://shop.example:8080/'

  await expect(judge(requestOf(url, signRequest(new URL(url))), 'request')).resolves.toBeDefined()
})

test('a signature is not valid for another host', async () => {
  const headers = signRequest(new URL('https://shop.example/'))

  await expect(judge(requestOf('https://other.example/', headers), 'request')).rejects.toThrow()
})

test('a signature that names another agent is not valid', async () => {
  const headers = signRequest(new URL('https://shop.example/'))
  const forged = { ...headers, 'signature-agent': 'sig1="https://other.example"' }

  await expect(judge(requestOf('https://shop.example/', forged), 'request')).rejects.toThrow()
})

test('the key directory holds the public key alone, and is signed for the authority that was asked', async () => {
  const { body, headers } = directoryReply({ privateKey, clock }, 'Tollgate.example')
  const response: ResponseDescriptor = {
    kind: 'response',
    status: 200,
    fields: Object.entries(headers).map(([name, value]) => ({ name, value })),
    request: {
      kind: 'request',
      method: 'GET',
      targetUri: 'https://tollgate.example/.well-known/http-message-signatures-directory',
      fields: [],
    },
  }

  const { parameters } = await judge(response, 'directory')

  expect(parameters).toMatchObject({ tag: 'http-message-signatures-directory', expires: now + 300 })
  expect(headers['content-type']).toBe('application/http-message-signatures-directory+json')
  const { x } = publicKey.export({ format: 'jwk' })
  expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
    keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: keyThumbprint(publicKey), use: 'sig' }],
  })
})

test('the digest of the directory is that of its body', async () => {
  const { body, headers } = directoryReply({ privateKey, clock }, 'tollgate.example')

  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(body))).toString('base64')
  expect(headers['content-digest']).toBe(`sha-256=:${digest}:`)
})

test('a key directory signed for one authority is not valid for another', async () => {
  const { headers } = directoryReply({ privateKey, clock }, 'tollgate.example')
  const elsewhere: ResponseDescriptor = {
    kind: 'response',
    status: 200,
    fields: Object.entries(headers).map(([name, value]) => ({ name, value })),
    request: { kind: 'request', method: 'GET', targetUri: 'https://other.example/', fields: [] },
  }

  await expect(judge(elsewhere, 'directory')).rejects.toThrow()
})

test('the id of a key is its RFC 7638 thumbprint', async () => {
  expect(keyThumbprint(publicKey)).toBe(await calculateJwkThumbprint(publicKey.export({ format: 'jwk' })))
})

test('the thumbprint is that of the example in RFC 8037', () => {
  const example = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    format: 'jwk',
  })

  expect(keyThumbprint(example)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

test('a key other than Ed25519 is refused before it signs', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  expect(() => createBotSigner({ privateKey, agentUrl: 'https://tollgate.example', clock })).toThrow(
    'Ed25519',
  )
})
