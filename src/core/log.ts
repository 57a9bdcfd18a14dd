import pino, { type Logger } from 'pino'

/**
 * The one logger. It is given to whoever writes lines, never imported as a singleton, and it cuts out
 * whatever could move money or name a person, should such a field ever reach it by mistake.
 */
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

/** Writes JSON lines to `destination`, standard error when left out, so that standard output stays free for people. */
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
 * What may be written of an error. viem's full messages carry the whole request: the RPC address with
 * its access key, and the payer's signature, with which whoever reads the log could spend a payment
 * that has not been used yet. Its short ones carry neither.
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
 * Lines that cannot be written (a full disk, a closed terminal) wait in memory, up to a megabyte, and go
 * out when they can: no lost line ends a gateway that serves.
 */
function standardError() {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: 1_000_000 })
  destination.on('error', () => {
    // On the way out pino would try again for ever, and the process would stay.
    destination.flushSync = () => {}
  })
  return destination
}
