import { z } from 'zod'
import {
  count,
  httpUrl,
  list,
  milliseconds,
  oneOf,
  port,
  privateKey,
  privateTargets,
  wholeNumber,
} from './env-values.ts'

/** Settings of the products (upstreams, texts, scans and webhooks), and settings for development only. */

export const upstreamSettings = {
  UPSTREAM_WALLET_KEY: privateKey
    .optional()
    .describe(
      'private key of the wallet that pays upstreams that ask for x402 payments, within the limits of the catalog; when unset, none is paid',
    ),
}

export const textSettings = {
  TEXT_ENGINE: oneOf(['local'])
    .optional()
    .describe('`local` writes texts without a model; production requires it when there is no model'),
  OPENAI_API_KEY: z.string().optional().describe('key of an OpenAI-compatible text model'),
  OPENAI_BASE_URL: httpUrl.optional().describe('address of that model; OpenAI when unset'),
  OPENAI_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'must be printable ASCII without spaces: it goes into a reply header')
    .default('gpt-5-mini')
    .describe('name of that model'),
  OPENAI_TIMEOUT_MS: milliseconds(45_000).describe('timeout of one request to the model'),
  OPENAI_MAX_RETRIES: wholeNumber(0, 5)
    .default(2)
    .describe('maximum of retries after a failed or unreadable reply'),
  OPENAI_MAX_OUTPUT_TOKENS: wholeNumber(256, 100_000)
    .default(16_000)
    .describe('maximum of tokens in one reply, thinking included'),
}

export const mailSettings = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' })
    .optional()
    .describe('mail server that sends the reports; when unset, they are written to `mail` in `DATA_DIR`'),
  MAIL: oneOf(['files'])
    .optional()
    .describe('`files` lets production write reports to files instead of sending them'),
  MAIL_FROM: z
    .email({ error: 'must be an e-mail address' })
    .optional()
    .describe('sender of the reports; when unset, `tollgate@` the host of `BASE_URL`'),
}

export const scanSettings = {
  SCANS_AT_ONCE: count(100, 8).describe('maximum of websites that this replica scans at the same time'),
}

export const retentionSettings = {
  SCAN_RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(365)
    .describe('age at which scans are deleted, with all that was made of them; `0` keeps them forever'),
  EMAIL_RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(30)
    .describe(
      'time after the end of a scan at which its e-mail address and its letter in `mail` are deleted; `0` keeps them as long as the scan',
    ),
  DELIVERY_RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(30)
    .describe('age at which events and their deliveries to subscribers are deleted; `0` keeps them forever'),
}

export const webhookSettings = {
  WEBHOOK_SECRET_KEY: list(
    z
      .string()
      .regex(/^[\x21-\x2b\x2d-\x7e]{32,}$/, 'must be at least 32 printable ASCII characters without spaces'),
  )
    .optional()
    .describe(
      'words that encrypt the secrets of webhook subscriptions in the store, separated by commas: the first encrypts, and each decrypts; when unset, the operator token does',
    ),
  WEBHOOKS_PER_KEY: count(10_000, 100).describe('maximum of webhook subscriptions of one API key'),
  WEBHOOKS_PER_CLIENT: wholeNumber(0, 10_000)
    .default(5)
    .describe('maximum of webhook subscriptions of one client address without a key'),
}

export const developmentSettings = {
  DEV_CHAIN_PORT: port.default(8545).describe('port of the local chain'),
  CACHE_DIR: z
    .string()
    .optional()
    .describe(
      'folder of the local chain’s compiled contracts, which several gateways may share; `DATA_DIR` when unset',
    ),
  ALLOW_PRIVATE_TARGETS: privateTargets
    .optional()
    .describe(
      'addresses of private networks that may be scanned and may receive webhooks, as `127.0.0.1:9000` or `shop.example=127.0.0.1:9000`, separated by commas; production refuses it',
    ),
}
