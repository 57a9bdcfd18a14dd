import type { OAuthDocuments } from '../handlers/keys/oauth.ts'

/**
 * What programs read to find out where an access token comes from: the authorization server's metadata
 * (RFC 8414), the same in the words of OpenID Connect Discovery, and the protected resource's (RFC 9728).
 * Each names only what is served here, or a program would run into a 404.
 * @param scopes ids of all operations that a token can be asked for.
 * @param oidcIssuer whose access tokens are taken besides our own.
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
    token_endpoint: `${baseUrl}/oauth/token`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    // Required, and empty where nobody is sent through a browser.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    ...supported(scopes()),
  })
  return {
    authorizationServer: server,
    openIdConfiguration: () => ({
      ...server(),
      // Required there. No ID tokens are given out; the keys behind jwks_uri are of this kind.
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

/** A list without members is left out (RFC 8414 section 3.2, RFC 9728 section 3.2). */
function supported(scopes: readonly string[]): { scopes_supported?: string[] } {
  return scopes.length === 0 ? {} : { scopes_supported: [...scopes] }
}
