import { z } from 'zod'
import type { CamelKeys } from './camel-keys.ts'
import { usdc } from './prices.ts'

/**
 * The servers that stand behind the gateway, as the catalogue names them. What leads to one is an operation with a
 * route; what is said here holds for all of them. Nothing secret stands here: `${UPSTREAM_…}` names a setting.
 */

/** The name of an upstream. */
export const upstreamId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'names of upstreams are lower-case letters, digits and hyphens')

const headerName = z
  .string()
  .regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'must be the name of a header in lower case' })

const target = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, like https://api.example.com' })
  .refine(
    (text) => {
      const url = URL.parse(text)
      return (
        url === null || (url.search === '' && url.hash === '' && url.username === '' && url.password === '')
      )
    },
    { error: 'must be an address without credentials, query and fragment; credentials belong under inject' },
  )

const seconds = (most: number, fallback: number) => z.number().min(0.05).max(most).default(fallback)

export const upstream = z
  .strictObject({
    prefix: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)+$/, { error: 'must be a path like /llm, without a slash at its end' })
      .optional()
      .describe('Calls whose path begins with it lead here; it is taken off before the call is sent on.'),
    host: z
      .string()
      .regex(/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'must be a host name in lower case' })
      .optional()
      .describe('Calls to this host name lead here, with their whole path. In the place of prefix.'),
    targets: z
      .array(target)
      .min(1)
      .max(16)
      .describe(
        'Where calls are sent: one address, or several that share the work. A path in it goes in front.',
      ),
    balance: z
      .enum(['round-robin', 'least-busy'])
      .default('round-robin')
      .describe('Which of several targets is next.'),
    private: z
      .boolean()
      .default(false)
      .describe(
        'Allows targets in private networks, such as this machine. Without it such an address is never connected to.',
      ),
    request_headers: z
      .array(headerName.or(z.literal('*')))
      .default([])
      .describe(
        'Headers of callers that are sent on besides the usual ones; "*" for all. Credentials and payments never are.',
      ),
    response_headers: z
      .array(headerName.or(z.literal('*')))
      .default([])
      .describe(
        'Headers of replies that are given on besides the usual ones; "*" for all. Cookies and payments never are.',
      ),
    inject: z
      .record(
        headerName,
        z
          .string()
          .max(2_000)
          .regex(/^[\x20-\x7e]*$/, { error: 'must be printable ASCII' })
          // Otherwise the text itself would be sent, and the upstream would refuse every call.
          .refine((text) => !/\$\{(?!UPSTREAM_[A-Z0-9_]+\})/.test(text), {
            error: `only settings whose name begins with UPSTREAM_ can be named, like \${UPSTREAM_KEY}`,
          }),
      )
      .default({})
      .describe(
        `Headers that each call gets, such as authorization: "Bearer \${UPSTREAM_KEY}". \${UPSTREAM_…} is replaced by the setting of that name.`,
      ),
    connect_seconds: seconds(60, 5).describe('How long a connection may take to be made.'),
    first_byte_seconds: seconds(3_600, 30).describe('How long the head of a reply may take.'),
    idle_seconds: seconds(3_600, 60).describe(
      'How long nothing may come, or be taken, in the middle of a body.',
    ),
    retries: z
      .int()
      .min(0)
      .max(5)
      .default(1)
      .describe(
        'How often a call is tried again, on another target where there is one: only GET, HEAD, PUT and DELETE without a body, and what has certainly not been sent.',
      ),
    health: z
      .strictObject({
        failures: z
          .int()
          .min(1)
          .max(100)
          .default(3)
          .describe('After so many failures in a row a target is left alone.'),
        eject_seconds: seconds(3_600, 10).describe('For how long.'),
        path: z
          .string()
          .regex(/^\/[\x21-\x7e]*$/)
          .optional()
          .describe(
            'Asked of each target now and then; one that does not answer with 2xx is left alone. Not asked when left out.',
          ),
        every_seconds: seconds(3_600, 10).describe('How often path is asked.'),
      })
      .prefault({})
      .describe('When a target is left alone. When all of them are, calls are sent all the same.'),
    tls: z
      .strictObject({
        ca_file: z.string().min(1).optional().describe('Certificates (PEM) to trust besides the usual ones.'),
        cert_file: z.string().min(1).optional().describe('The certificate (PEM) to show.'),
        key_file: z.string().min(1).optional().describe('Its private key (PEM).'),
        server_name: z
          .string()
          .min(1)
          .optional()
          .describe('The name the certificate must bear, when it is not the target’s.'),
      })
      .refine(({ cert_file, key_file }) => (cert_file === undefined) === (key_file === undefined), {
        error: 'cert_file and key_file go together',
      })
      .optional()
      .describe('How TLS is checked; files are named from the catalogue’s folder.'),
    max_request_bytes: z
      .int()
      .min(0)
      .max(1e12)
      .default(10_000_000)
      .describe('The largest request body that is sent on.'),
    max_response_bytes: z
      .int()
      .min(1)
      .max(1e15)
      .default(100_000_000)
      .describe('The largest reply body that is given on.'),
    redirects: z
      .enum(['pass', 'follow'])
      .default('pass')
      .describe(
        'Whether redirects are given to the caller or followed, up to five times and on the same host only.',
      ),
    spend: z
      .strictObject({
        per_call: usdc.describe('The most that one call may cost us, in USDC.'),
        per_day: usdc.describe('The most that all calls of a day (UTC) may cost us, in USDC.'),
      })
      .optional()
      .describe(
        'Lets the gateway pay an upstream that asks for x402 payments, from the wallet of UPSTREAM_WALLET_KEY.',
      ),
  })
  .refine(({ prefix, host }) => (prefix === undefined) !== (host === undefined), {
    error: 'needs prefix or host, and not both',
    path: ['prefix'],
  })
  .meta({ title: 'Upstream' })

export type WrittenUpstream = z.infer<typeof upstream>
type Health = CamelKeys<WrittenUpstream['health']>
type Tls = CamelKeys<NonNullable<WrittenUpstream['tls']>>
type UpstreamSpend = CamelKeys<NonNullable<WrittenUpstream['spend']>>
export type Upstream = Omit<CamelKeys<WrittenUpstream>, 'health' | 'tls' | 'spend'> & {
  health: Health
  tls?: Tls | undefined
  spend?: UpstreamSpend | undefined
}

/** Maps the keys of an upstream from the file's snake case. */
export function readUpstream({
  request_headers: requestHeaders,
  response_headers: responseHeaders,
  connect_seconds: connectSeconds,
  first_byte_seconds: firstByteSeconds,
  idle_seconds: idleSeconds,
  max_request_bytes: maxRequestBytes,
  max_response_bytes: maxResponseBytes,
  health,
  tls,
  spend,
  ...others
}: WrittenUpstream): Upstream {
  return {
    ...others,
    requestHeaders,
    responseHeaders,
    connectSeconds,
    firstByteSeconds,
    idleSeconds,
    maxRequestBytes,
    maxResponseBytes,
    health: readHealth(health),
    tls: tls && readTls(tls),
    spend: spend && { perCall: spend.per_call, perDay: spend.per_day },
  }
}

function readHealth({
  eject_seconds: ejectSeconds,
  every_seconds: everySeconds,
  ...others
}: WrittenUpstream['health']): Health {
  return { ...others, ejectSeconds, everySeconds }
}

function readTls({
  ca_file: caFile,
  cert_file: certFile,
  key_file: keyFile,
  server_name: serverName,
}: NonNullable<WrittenUpstream['tls']>): Tls {
  return { caFile, certFile, keyFile, serverName }
}

/** Where an operation leads: methods, and a path behind the upstream's prefix. */
export interface Route {
  readonly methods: readonly string[]
  /** Parameters in braces; a last segment of `*` stands for one or more segments. */
  readonly path: string
}

const method = 'GET|HEAD|POST|PUT|PATCH|DELETE'

/** `POST /v1/chat/completions`, `GET,PUT /files/{name}`, `GET /docs/*`. */
export const route = z
  .string()
  .regex(
    new RegExp(
      `^(${method})(,(${method}))* /(([A-Za-z0-9._~!$&'()+,=:@-]+|\\{[A-Za-z]\\w*\\})(/([A-Za-z0-9._~!$&'()+,=:@-]+|\\{[A-Za-z]\\w*\\}))*(/\\*?)?|\\*)?$`,
    ),
    {
      error:
        'must be methods in capitals and a path, like POST /v1/chat/completions or GET,PUT /files/{name}',
    },
  )
  .refine((text) => !/\/\.\.?(\/|$)/.test(text), { error: 'must not hold . or .. as a segment' })
  .refine((text) => !/\/:\w+(\/|$)/.test(text), { error: 'a parameter is written {name}, not :name' })
  .transform((text): Route => {
    const [methods = '', path = ''] = text.split(' ')
    return { methods: [...new Set(methods.split(','))], path }
  })
