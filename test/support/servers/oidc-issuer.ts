import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { z } from 'zod'

/** An OpenID Connect issuer with a key for each algorithm. */
export interface TestIssuer {
  readonly url: string
  /** The number of requests for each document. */
  readonly asked: { configuration: number; keys: number }
  conduct: IssuerConduct
  /** Signs any claims; the header may be wrong. */
  sign(claims: JWTPayload, algorithm?: Algorithm, header?: Readonly<Record<string, unknown>>): Promise<string>
  /** Replaces all keys and stops publishing the old ones. */
  rotate(): Promise<void>
  close(): Promise<void>
}

export type IssuerConduct =
  | 'well'
  | 'hangs'
  | 'hangs up'
  | 'answers 500'
  | 'answers no JSON'
  | 'answers too much'
  | 'redirects'
  | 'redirects to its keys'
  | 'names another issuer'
  | 'names no keys'
  | 'publishes no set'

/** A critical header parameter that only this issuer knows. */
export const extension = 'x-strict'

export const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

type Algorithm = (typeof algorithms)[number]

export async function startIssuer(): Promise<TestIssuer> {
  const asked = { configuration: 0, keys: 0 }
  const conduct: Pick<TestIssuer, 'conduct'> = { conduct: 'well' }
  let generation = 0
  let pairs = await makePairs()
  let url = ''

  const server = createServer((request, response) => {
    const path = request.url ?? ''
    switch (path.replace('/elsewhere', '')) {
      case '/.well-known/openid-configuration':
        asked.configuration += 1
        if (!misbehaves(response, path)) say(response, configuration())
        return
      case '/keys':
        asked.keys += 1
        if (conduct.conduct === 'redirects to its keys' && path === '/keys') redirect(response, path)
        else say(response, conduct.conduct === 'publishes no set' ? { keys: 'none' } : publicKeys())
        return
      default:
        response.writeHead(404).end()
    }
  })

  /** @returns whether the request needs no further reply. */
  function misbehaves(response: ServerResponse, path: string): boolean {
    switch (conduct.conduct) {
      case 'hangs':
        return true
      case 'hangs up':
        response.destroy()
        return true
      case 'answers 500':
        response.writeHead(500).end(JSON.stringify(configuration()))
        return true
      case 'answers no JSON':
        response.writeHead(200, { 'content-type': 'application/json' }).end('<h1>Sign in</h1>')
        return true
      case 'answers too much':
        say(response, { ...configuration(), padding: 'x'.repeat(1_000_000) })
        return true
      case 'redirects':
        if (path.startsWith('/elsewhere')) return false
        redirect(response, path)
        return true
      default:
        return false
    }
  }

  function configuration(): object {
    return {
      issuer: conduct.conduct === 'names another issuer' ? `${url}/` : url,
      ...(conduct.conduct === 'names no keys' ? {} : { jwks_uri: `${url}/keys` }),
    }
  }

  function publicKeys(): object {
    return { keys: Object.values(pairs).map(({ jwk }) => jwk) }
  }

  async function makePairs() {
    generation += 1
    return {
      RS256: await makePair('RS256', generation),
      PS256: await makePair('PS256', generation),
      ES256: await makePair('ES256', generation),
      EdDSA: await makePair('EdDSA', generation),
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  url = `http://127.0.0.1:${port}`
  return Object.assign(conduct, {
    url,
    asked,
    async sign(claims: JWTPayload, algorithm: Algorithm = 'RS256', header = {}) {
      const { kid, privateKey } = pairs[algorithm]
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT', ...header })
        .sign(privateKey, { crit: { [extension]: true } })
    },
    async rotate() {
      pairs = await makePairs()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

async function makePair(alg: Algorithm, generation: number) {
  const kid = `${alg} ${generation}`
  const { privateKey, publicKey }: { privateKey: CryptoKey; publicKey: CryptoKey } =
    await generateKeyPair(alg)
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

function say(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function redirect(response: ServerResponse, path: string): void {
  response.writeHead(302, { location: `/elsewhere${path}` }).end()
}
