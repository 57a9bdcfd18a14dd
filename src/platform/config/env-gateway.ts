import { z } from 'zod'
import { defaultCatalogFile, defaultDataDir, defaultPort, loopback } from './defaults.ts'
import { httpUrl, oneOf, port, trustedProxies, wholeNumber } from './env-values.ts'

/** Settings of the process itself: where it listens, where it stores, and whom it trusts. */

export const processSettings = {
  NODE_ENV: oneOf(['development', 'test', 'production'])
    .default('development')
    .describe('`production` refuses to start when a setting is missing, and never starts a local chain'),
  HOST: z
    .string()
    .default(loopback)
    .describe('address to listen on; `0.0.0.0` behind a proxy or in a container'),
  PORT: port.default(defaultPort).describe('port to listen on'),
  BASE_URL: httpUrl.optional().describe('public address of the service; `http://HOST:PORT` when unset'),
  PAYMENTS_BASE_URL: httpUrl
    .optional()
    .describe(
      'public address of the paid endpoints; `BASE_URL` when unset. Directories of paid services need a host of its own (see [src/edge/discovery](../../edge/discovery/README.md))',
    ),
  TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      'proxies whose X-Forwarded-For header counts: their number, or their addresses and networks, separated by commas; none when unset',
    ),
  TRUST_FORWARDED_HOST: oneOf(['true', 'false'])
    .default('false')
    .transform((word) => word === 'true')
    .describe(
      '`true`: the X-Forwarded-Host header of a trusted proxy names the host that a call is for; without it the Host header does',
    ),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000)
    .optional()
    .describe(
      'how long a stopping gateway goes on serving after `/ready` has turned 503; when unset, 5000 in production and 0 otherwise',
    ),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('lowest level that is logged'),
  INSTANCE_NAME: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'must be at most 100 printable ASCII characters without spaces')
    .optional()
    .describe('name of this gateway in its log lines; host name and process id when unset'),
}

export const storeSettings = {
  DATA_DIR: z
    .string()
    .default(defaultDataDir)
    .describe('folder of the embedded store, the local chain and the operator’s token'),
  CATALOG_FILE: z
    .string()
    .default(defaultCatalogFile)
    .describe('catalog: the file that says what is offered, to whom and at what price'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres or postgresql address' })
    .optional()
    .describe('PostgreSQL database for the books; the embedded store when unset'),
  STORE: oneOf(['embedded'])
    .optional()
    .describe('`embedded` lets production use the embedded store, with one process only'),
}

export const accessSettings = {
  OPERATOR_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, 'must be at least 32 printable ASCII characters without spaces')
    .optional()
    .describe(
      'token of the operator’s tools; when unset, generated at the first start and stored in `DATA_DIR`',
    ),
  OPERATOR_PORT: port
    .optional()
    .describe(
      'port of a listener of its own for `/operator/…` and `/metrics`, which then answer 404 on `PORT`; when unset, they answer on `PORT`',
    ),
  OPERATOR_HOST: z
    .string()
    .default(loopback)
    .describe(
      'address on which `OPERATOR_PORT` listens, whatever `HOST` is; `0.0.0.0` in a container that another one scrapes',
    ),
  OIDC_ISSUER: httpUrl
    .optional()
    .describe('OpenID Connect issuer whose access tokens are accepted besides our own; none when unset'),
  OIDC_AUDIENCE: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be printable ASCII without spaces')
    .optional()
    .describe('audience that such a token must name'),
  OIDC_TIER_CLAIM: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'must be printable ASCII without spaces')
    .default('tier')
    .describe('claim of such a token that names the tier of its holder'),
}

export const quotaSettings = {
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis or rediss address' })
    .optional()
    .describe(
      'Redis in which all replicas count quotas and rates together; when unset, quotas are counted in the store and rates by each replica alone',
    ),
}
