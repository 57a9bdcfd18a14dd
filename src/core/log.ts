import pino, { type Logger } from 'pino'

/** The one logger, passed as an argument. It redacts fields that could move money or name a person. */
export type Log = Logger

const secretFields = [
  'signature',
  'authorization',
  'privateKey',
  'apiKey',
  'email',
  'secret',
  'token',
  'headers["payment-signature"]',
  'headers["x-payment"]',
  'headers["x-payment-signature"]',
  'headers["x-mcp-api-key"]',
  'headers.authorization',
]

/** Writes JSON lines to `destination`: by default to standard error, because people read standard output. */
export function createLog(level: string, destination: pino.DestinationStream = standardError()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[cut]' },
    },
    destination,
  )
}

/**
 * Leaves out of an error what the log must not hold. viem's full messages contain the whole request: the RPC
 * address with its access key, and the payer's signature, which a reader of the log could use to spend an
 * unused payment. Its short messages contain neither.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const short =
    'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : undefined
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: short ?? error.message,
    ...('details' in error && typeof error.details === 'string' ? { details: error.details } : {}),
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
    stack: frames?.slice(0, 6).join('\n'),
  }
}

/**
 * Lines that cannot be written (a full disk, a closed terminal) wait in memory, up to a megabyte. A failed
 * write never ends the process.
 */
function standardError() {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: 1_000_000 })
  destination.on('error', () => {
    // At exit pino would retry a failed write forever, and the process would not end.
    destination.flushSync = () => {}
  })
  return destination
}
