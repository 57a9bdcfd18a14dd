import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { jwtVerify } from 'jose'
import { isHex, type LocalAccount, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'

/**
 * A fake of Coinbase's API: its facilitator, which forwards to `facilitatorUrl`, and its server wallets. It
 * accepts a request only with the tokens of https://docs.cdp.coinbase.com/api-reference/v2/authentication.
 */
export interface TestCdp {
  /** Settings of a gateway with the right keys. */
  readonly settings: {
    readonly CDP_API_URL: string
    readonly CDP_API_KEY_ID: string
    readonly CDP_API_KEY_SECRET: string
    readonly CDP_WALLET_SECRET: string
  }
  /** Method and path of each accepted request, in order. */
  readonly served: string[]
  /** The reasons of the refused requests. */
  readonly turnedAway: string[]
  /** By name. */
  readonly accounts: Map<string, LocalAccount>
  wallets:
    | 'well'
    | 'answer 500'
    | 'answer no JSON'
    | 'hang'
    | 'sign another transaction'
    | 'sign with another key'
  close(): Promise<void>
}

/** The formats of API keys. */
export type KeyKind = 'Ed25519' | 'EC in PKCS #8' | 'EC in SEC 1'

interface Answer {
  readonly status: number
  readonly body: string
}

const base = '/platform/v2'
const keyId = 'a1b2c3d4-0000-4000-8000-000000000000'
const bearerClaims = z.object({ nbf: z.number(), exp: z.number(), uris: z.array(z.string()) })
const bearerHeader = z.object({ kid: z.literal(keyId), nonce: z.string().regex(/^[0-9a-f]{32}$/) })
const walletClaims = z.object({
  iat: z.number(),
  nbf: z.number(),
  jti: z.string().min(16),
  uris: z.array(z.string()),
  reqHash: z.string(),
})
const namedSchema = z.strictObject({ name: z.string() })
const unsignedSchema = z.strictObject({ transaction: z.string() })

export async function startCdp(facilitatorUrl: string, kind: KeyKind = 'Ed25519'): Promise<TestCdp> {
  const apiKey = makeApiKey(kind)
  const wallet = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const served: string[] = []
  const turnedAway: string[] = []
  const used = new Set<string>()
  const accounts = new Map<string, LocalAccount>()
  const conduct: Pick<TestCdp, 'wallets'> = { wallets: 'well' }
  let host = ''

  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = await text(request)
    let answer: Answer | 'none'
    try {
      await checkBearer(request.headers, `${method} ${host}${url}`)
      if (method === 'POST' && url.startsWith(`${base}/evm/`)) {
        await checkWallet(request.headers, `${method} ${host}${url}`, JSON.parse(body))
      }
      served.push(`${method} ${url}`)
      answer = await answerTo(method, url, body)
    } catch (error) {
      turnedAway.push(`${method} ${url}: ${error}`)
      answer = refuse(401, 'unauthorized')
    }
    if (answer === 'none') return
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })

  async function checkBearer(headers: IncomingHttpHeaders, uri: string): Promise<void> {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? []
    const { payload, protectedHeader } = await jwtVerify(token, apiKey.publicKey, {
      algorithms: [apiKey.algorithm],
      issuer: 'cdp',
      subject: keyId,
      typ: 'JWT',
    })
    const { nbf, exp, uris } = bearerClaims.parse(payload)
    if (exp - nbf > 120) throw new Error('valid for more than two minutes')
    if (!isDeepStrictEqual(uris, [uri])) throw new Error(`a token for ${uris}`)
    useOnce(bearerHeader.parse(protectedHeader).nonce)
  }

  async function checkWallet(headers: IncomingHttpHeaders, uri: string, body: object): Promise<void> {
    const token = z.string().parse(headers['x-wallet-auth'])
    const { payload } = await jwtVerify(token, wallet.publicKey, { algorithms: ['ES256'], typ: 'JWT' })
    const { jti, uris, reqHash } = walletClaims.parse(payload)
    if (!isDeepStrictEqual(uris, [uri])) throw new Error(`a wallet token for ${uris}`)
    const sorted = JSON.stringify(body, Object.keys(body).sort())
    if (reqHash !== createHash('sha256').update(sorted).digest('hex')) {
      throw new Error('a wallet token for another request body')
    }
    useOnce(jti)
  }

  function useOnce(token: string): void {
    if (used.has(token)) throw new Error('a token used twice')
    used.add(token)
  }

  async function answerTo(method: string, url: string, body: string): Promise<Answer | 'none'> {
    if (url.startsWith(`${base}/x402/`)) return await forward(method, url.slice(`${base}/x402`.length), body)
    if (conduct.wallets === 'hang') return 'none'
    if (conduct.wallets === 'answer 500') return refuse(500, 'internal_server_error')
    if (conduct.wallets === 'answer no JSON') return { status: 418, body: '<h1>Tea?</h1>' }
    if (method === 'GET') return show(url.slice(`${base}/evm/accounts/by-name/`.length))
    if (url === `${base}/evm/accounts`) return make(namedSchema.parse(JSON.parse(body)).name)
    return await sign(url, unsignedSchema.parse(JSON.parse(body)).transaction)
  }

  async function forward(method: string, path: string, body: string): Promise<Answer> {
    const answer = await fetch(facilitatorUrl + path, { method, body: method === 'GET' ? null : body })
    return { status: answer.status, body: await answer.text() }
  }

  function show(name: string): Answer {
    const account = accounts.get(name)
    return account ? say(200, { address: account.address, name }) : refuse(404, 'not_found')
  }

  function make(name: string): Answer {
    const account = privateKeyToAccount(generatePrivateKey())
    accounts.set(name, account)
    return say(201, { address: account.address, name })
  }

  async function sign(url: string, unsigned: string): Promise<Answer> {
    const account = [...accounts.values()].find(
      ({ address }) => url === `${base}/evm/accounts/${address}/sign/transaction`,
    )
    if (!account || !isHex(unsigned)) return refuse(404, 'not_found')
    const transaction = parseTransaction(unsigned)
    if (transaction.type !== 'eip1559') return refuse(400, 'invalid_request')
    const signer =
      conduct.wallets === 'sign with another key' ? privateKeyToAccount(generatePrivateKey()) : account
    const change = conduct.wallets === 'sign another transaction' ? { value: 1n } : {}
    return say(200, { signedTransaction: await signer.signTransaction({ ...transaction, ...change }) })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  host = `127.0.0.1:${port}`
  return Object.assign(conduct, {
    settings: {
      CDP_API_URL: `http://${host}`,
      CDP_API_KEY_ID: keyId,
      CDP_API_KEY_SECRET: apiKey.secret,
      CDP_WALLET_SECRET: wallet.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    },
    served,
    turnedAway,
    accounts,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/** Makes the secret for a gateway's settings, and the key that checks it. */
export function makeApiKey(kind: KeyKind): { secret: string; publicKey: KeyObject; algorithm: string } {
  if (kind === 'Ed25519') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
    const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString(
      'base64',
    )
    return { secret, publicKey, algorithm: 'EdDSA' }
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const type = kind === 'EC in SEC 1' ? 'sec1' : 'pkcs8'
  return { secret: privateKey.export({ type, format: 'pem' }).toString(), publicKey, algorithm: 'ES256' }
}

function say(status: number, body: object): Answer {
  return { status, body: JSON.stringify(body) }
}

function refuse(status: number, errorType: string): Answer {
  return say(status, { errorType, errorMessage: `This is ${errorType}.`, correlationId: 'test' })
}
