import { z } from 'zod'
import { defaultCatalogFile, defaultDataDir } from './default-paths.ts'
import { httpUrl, port, trustedProxies } from './env-values.ts'

/** Settings of the process itself: where it listens, where it stores, and whom it trusts. */

export const processSettings = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('`production` refuses to start when a setting is missing, and never starts a local chain'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address to listen on; `0.0.0.0` behind a proxy or in a container'),
  PORT: port.default(8402).describe('port to listen on'),
  BASE_URL: httpUrl.optional().describe('public address of the service; `http://HOST:PORT` when unset'),
  PAYMENTS_BASE_URL: httpUrl
    .optional()
    .describe('public address of the paid endpoints; `BASE_URL` when unset'),
  TRUST_PROXY: trustedProxies
    .optional()
    .describe(
      'proxies whose X-Forwarded-For header counts: their number, or their addresses and networks, separated by commas; none when unset',
    ),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
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
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL database for the books; the embedded store when unset'),
  STORE: z
    .enum(['embedded'])
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
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      'Redis in which all replicas count quotas and rates together; when unset, quotas are counted in the store and rates by each replica alone',
    ),
}
