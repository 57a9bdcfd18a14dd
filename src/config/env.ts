import { z } from 'zod'

/**
 * Every setting the environment can make, in one table: name, type, default and meaning. The README's
 * configuration table is tested against it, so an operator never reads of a setting that is not there.
 * Empty values count as unset, as compose files write them.
 */

const port = z.coerce.number().int().min(1).max(65_535)
const httpUrl = z.url({ protocol: /^https?$/ })
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 40 hex digits')
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be a 0x private key of 64 hex digits')
const milliseconds = (fallback: number) => z.coerce.number().int().min(1).max(600_000).default(fallback)

export const environmentSchema = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('`production` refuses to start with anything missing, and never starts a local chain'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address to listen on; `0.0.0.0` behind a proxy or in a container'),
  PORT: port.default(8402).describe('port to listen on'),
  BASE_URL: httpUrl.optional().describe('public address of the service; `http://HOST:PORT` when unset'),
  PAYMENTS_BASE_URL: httpUrl
    .optional()
    .describe('public address of the paid endpoints; `BASE_URL` when unset'),
  DATA_DIR: z
    .string()
    .default('.tollgate')
    .describe('folder of the embedded store, the local chain and its compiled contracts'),
  CATALOG_FILE: z.string().default('pricing/catalog.yaml').describe('what is offered, and for how much'),
  STORE: z
    .enum(['embedded'])
    .optional()
    .describe('`embedded` lets production run on the embedded store, one process only'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('PostgreSQL to keep the books in; the embedded store when unset'),
  NETWORK: z
    .enum(['base', 'base-sepolia'])
    .default('base-sepolia')
    .describe('network that payments are made on'),
  RPC_URL: httpUrl
    .optional()
    .describe('JSON-RPC endpoint of that network; when unset, a local chain is started'),
  RPC_TIMEOUT_MS: milliseconds(10_000).describe('longest wait for one answer of the RPC endpoint'),
  DEV_CHAIN_PORT: port.default(8545).describe('port of the local chain'),
  PAY_TO: address
    .optional()
    .describe('address that receives the payments; a test account on the local chain when unset'),
  SETTLER_KEY: privateKey
    .optional()
    .describe('private key of the account that sends settlements and pays their gas'),
  SETTLEMENT_TIMEOUT_MS: milliseconds(30_000).describe(
    'longest wait for a settlement to be mined before its outcome counts as unknown',
  ),
  FACILITATOR_URL: httpUrl
    .optional()
    .describe('x402 facilitator that verifies and settles instead of the built-in one'),
  FACILITATOR_TIMEOUT_MS: milliseconds(30_000).describe('longest wait for one answer of that facilitator'),
  TEXT_ENGINE: z
    .enum(['local'])
    .optional()
    .describe('`local` writes texts without a model; said aloud in production'),
  OPENAI_API_KEY: z.string().optional().describe('key of an OpenAI-compatible text model'),
  OPENAI_BASE_URL: httpUrl.optional().describe('address of that model; OpenAI when unset'),
  OPENAI_MODEL: z
    .string()
    .regex(/^[\x21-\x7e]{1,100}$/, 'must be printable ASCII without spaces: it goes into a reply header')
    .default('gpt-5-mini')
    .describe('name of that model'),
  OPENAI_TIMEOUT_MS: milliseconds(45_000).describe('longest wait for one answer of the model'),
  OPENAI_MAX_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(5)
    .default(2)
    .describe('how often a failed or unreadable answer is asked for again'),
  OPENAI_MAX_OUTPUT_TOKENS: z.coerce
    .number()
    .int()
    .min(256)
    .max(100_000)
    .default(4_000)
    .describe('most tokens of one answer'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('least severity that is logged'),
})

export type Environment = z.infer<typeof environmentSchema>
