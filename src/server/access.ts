import type { Catalog } from '../core/catalog/catalog.ts'
import type { Log } from '../core/log.ts'
import { createOidc } from '../doors/keys/oidc.ts'
import { createSigningKeys } from '../doors/keys/signing-keys.ts'
import { createTokens } from '../doors/keys/tokens.ts'
import { createKeyVerifier, type KeyVerifier } from '../doors/keys/verify.ts'
import { oauthDocuments } from '../edge/discovery/authorization-server.ts'
import type { OAuthParts } from '../edge/handlers/keys/oauth.ts'
import { ownEndpoints } from '../edge/handlers/table.ts'
import { createCredentials } from '../gateway/credentials.ts'
import type { Credentials } from '../gateway/principal.ts'
import type { Config } from '../platform/config/config.ts'
import type { Books } from '../platform/store/books.ts'

/** The verifiers of keys and access tokens, built from the settings. */
export interface Access {
  readonly credentials: Credentials
  readonly keys: KeyVerifier
  /** For the endpoints that issue access tokens. */
  readonly oauth: OAuthParts
}

export function createAccess({
  config,
  books,
  chainId,
  catalog,
  log,
}: {
  readonly config: Pick<Config, 'baseUrl' | 'oidc'>
  readonly books: Books
  readonly chainId: number
  readonly catalog: () => Catalog
  readonly log: Log
}): Access {
  const { baseUrl, oidc } = config
  const { clock } = books
  const keys = createKeyVerifier({ ...books, chainId, log })
  const signingKeys = createSigningKeys({ ...books, log })
  const tokens = createTokens({ signingKeys, issuer: baseUrl, audience: baseUrl, findKey: keys.find, clock })
  const scopesOf = (tier: string) => Object.keys(catalog().tiers[tier]?.operations ?? {})
  const allScopes = () => [...new Set(Object.keys(catalog().tiers).flatMap(scopesOf))]
  return {
    credentials: createCredentials({
      keys,
      tokens,
      oidc: oidc && { ...createOidc({ ...oidc, clock, log }), issuer: oidc.issuer },
      // Upstreams' operations are known to the catalog alone. A scope that is missed here is ignored, and a token
      // without any known scope is not restricted.
      isOperation: (scope) =>
        ownEndpoints.operationIds.includes(scope) || Object.hasOwn(catalog().operations, scope),
    }),
    keys,
    oauth: {
      tokens,
      signingKeys,
      verifyKey: keys.verify,
      scopesOf,
      catalog,
      documents: oauthDocuments({ baseUrl, scopes: allScopes, oidcIssuer: oidc?.issuer }),
    },
  }
}
