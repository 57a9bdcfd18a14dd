import type { OAuthDocuments } from '../handlers/keys/oauth.ts'

/**
 * Writes the documents by which programs find out how to get an access token: the metadata of the
 * authorization server (RFC 8414), the same for OpenID Connect Discovery, and that of the protected resource
 * (RFC 9728). Each names only endpoints that are served here.
 * @param scopes returns the ids of all operations for which a token can be requested.
 * @param oidcIssuer the issuer whose access tokens are accepted besides our own.
 */
export function oauthDocuments({
  baseUrl,
  scopes,
  oidcIssuer,
}: {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly scopes: () => readonly string[]
  readonly oidcIssuer: string | undefined
}): OAuthDocuments {
  const server = () => ({
    issuer: baseUrl,
    // OpenID Connect and the clients of MCP require one. Ours refuses what it is asked for.
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    // Required by RFC 8414, and no list may be empty (section 3.2). With `none` nothing is issued through a browser,
    // so a client that wants a code knows before it opens one.
    response_types_supported: ['none'],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    ...supported(scopes()),
  })
  return {
    authorizationServer: server,
    openIdConfiguration: () => ({
      ...server(),
      // Required by OpenID Connect. No ID tokens are issued; the keys at jwks_uri are of this kind.
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    protectedResource: () => ({
      resource: baseUrl,
      authorization_servers: oidcIssuer === undefined ? [baseUrl] : [baseUrl, oidcIssuer],
      bearer_methods_supported: ['header'],
      ...supported(scopes()),
    }),
  }
}

/** An empty list is left out (RFC 8414 section 3.2, RFC 9728 section 3.2). */
function supported(scopes: readonly string[]): { scopes_supported?: string[] } {
  return scopes.length === 0 ? {} : { scopes_supported: [...scopes] }
}
