import { z } from 'zod'
import type { CamelKeys } from './camel-keys.ts'
import { presetNames } from './presets.ts'
import { isMapping, usdc } from './prices.ts'

/**
 * How the file writes the servers behind the gateway, and how that is read. Calls reach one through
 * operations with a route; the settings here hold for all of them. The file holds no secrets: `${UPSTREAM_…}`
 * names a setting.
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

const seconds = (max: number, fallback: number) => z.number().min(0.05).max(max).default(fallback)

export const upstream = z
  .strictObject({
    preset: z
      .enum(presetNames, { error: 'must be mcp, openai or anthropic' })
      .optional()
      .describe(
        'The kind of server: sets the headers, times, route and counted unit that it needs where the file leaves them out, and the form of the gateway’s errors.',
      ),
    prefix: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)+$/, { error: 'must be a path like /llm, without a slash at its end' })
      .optional()
      .describe('Calls whose path begins with it go here; it is removed before the call is forwarded.'),
    host: z
      .string()
      .regex(/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'must be a host name in lower case' })
      .optional()
      .describe('Calls to this host name go here, with their whole path. Used instead of prefix.'),
    targets: z
      .array(target)
      .min(1)
      .max(16)
      .describe(
        'Where calls are sent: one address, or several that share the calls. Its path is put in front of the call’s.',
      ),
    balance: z
      .enum(['round-robin', 'least-busy'])
      .default('round-robin')
      .describe('How the next of several targets is chosen.'),
    private: z
      .boolean()
      .default(false)
      .describe(
        'Allows targets in private networks, such as this machine. Without it the gateway never connects to such an address.',
      ),
    request_headers: z
      .array(headerName.or(z.literal('*')))
      .default([])
      .describe(
        'Request headers to forward besides the usual ones; "x-my-*" for all that begin so, "*" for all. Credentials and payments are never forwarded.',
      ),
    response_headers: z
      .array(headerName.or(z.literal('*')))
      .default([])
      .describe(
        'Reply headers to forward besides the usual ones; "x-my-*" for all that begin so, "*" for all. Cookies and payments are never forwarded.',
      ),
    inject: z
      .record(
        headerName,
        z
          .string()
          .max(2_000)
          .regex(/^[\x20-\x7e]*$/, { error: 'must be printable ASCII' })
          // Without this check the placeholder itself would be sent, and the upstream would refuse every
          // call.
          .refine((text) => !/\$\{(?!UPSTREAM_[A-Z0-9_]+\})/.test(text), {
            error: `only settings whose name begins with UPSTREAM_ can be named, like \${UPSTREAM_KEY}`,
          }),
      )
      .default({})
      .describe(
        `Headers to add to each call, such as authorization: "Bearer \${UPSTREAM_KEY}". \${UPSTREAM_…} is replaced by the setting of that name.`,
      ),
    connect_seconds: seconds(60, 5).describe('How long connecting may take.'),
    first_byte_seconds: seconds(3_600, 30).describe('How long the headers of a reply may take.'),
    idle_seconds: seconds(3_600, 60).describe('How long a body may pause, in either direction.'),
    retries: z
      .int()
      .min(0)
      .max(5)
      .default(1)
      .describe(
        'How often a call is retried, on another target where there is one: only GET, HEAD, PUT and DELETE without a body, and calls that were certainly not sent.',
      ),
    health: z
      .strictObject({
        failures: z
          .int()
          .min(1)
          .max(100)
          .default(3)
          .describe('After this number of failures in a row a target is ejected.'),
        eject_seconds: seconds(3_600, 10).describe('How long an ejected target gets no calls.'),
        path: z
          .string()
          .regex(/^\/[\x21-\x7e]*$/)
          .optional()
          .describe(
            'A path to check on each target; a target that does not reply with 2xx is ejected. Without it no checks are made.',
          ),
        every_seconds: seconds(3_600, 10).describe('How often path is checked.'),
      })
      .prefault({})
      .describe('When a target is ejected. When all targets are ejected, calls are sent to them anyway.'),
    tls: z
      .strictObject({
        ca_file: z.string().min(1).optional().describe('Certificates (PEM) to trust besides the system’s.'),
        cert_file: z.string().min(1).optional().describe('Our client certificate (PEM).'),
        key_file: z.string().min(1).optional().describe('Its private key (PEM).'),
        server_name: z
          .string()
          .min(1)
          .optional()
          .describe('The name that the target’s certificate must have, when it is not the target’s own.'),
      })
      .refine(({ cert_file, key_file }) => (cert_file === undefined) === (key_file === undefined), {
        error: 'cert_file and key_file go together',
      })
      .optional()
      .describe('How certificates are checked; file names are relative to the catalog’s folder.'),
    max_request_bytes: z
      .int()
      .min(0)
      .max(1e12)
      .default(10_000_000)
      .describe('The largest request body that is forwarded.'),
    max_response_bytes: z
      .int()
      .min(1)
      .max(1e15)
      .default(100_000_000)
      .describe('The largest reply body that is forwarded.'),
    redirects: z
      .enum(['pass', 'follow'])
      .default('pass')
      .describe(
        'Whether redirects are forwarded to the caller or followed, up to five times and on the same host only.',
      ),
    spend: z
      .strictObject({
        per_call: usdc.describe('The maximum that one call may cost us, in USDC.'),
        per_day: usdc.describe('The maximum that all calls of a day (UTC) may cost us, in USDC.'),
      })
      .optional()
      .describe(
        'Lets the gateway pay an upstream that asks for x402 payments, from the wallet of UPSTREAM_WALLET_KEY.',
      ),
  })
  .refine(({ prefix, host }) => (prefix === undefined) !== (host === undefined), {
    error: 'needs prefix or host, and not both',
    path: ['prefix'],
    when: isMapping,
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

/** Reads an upstream as the program uses it. */
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

/** The calls that an operation serves: methods, and a path after the upstream's prefix. */
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
