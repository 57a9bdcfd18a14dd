import pino, { type Logger } from 'pino'
import { Outages, reasonOf } from './outages.ts'
import { escapeHidden } from './text/visible.ts'

/**
 * The one logger, passed as an argument. It redacts fields that could move money or name a person. What it
 * writes about errors depends on the outages that are reported to it.
 */
export type Log = Logger & { readonly outages: Outages }

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

/**
 * Writes JSON lines to `destination`: by default to standard error, because people read standard output. Lines
 * about an error of an outage are written at level debug (see `outages.ts`).
 * @param instance names this gateway in each line, for a place where the lines of several gateways meet.
 */
export function createLog(
  level: string,
  destination: pino.DestinationStream = standardError(),
  instance?: string,
): Log {
  const { warn = 40, fatal = 60 } = pino.levels.values
  const logger = pino(
    {
      level,
      base: instance === undefined ? null : { instance },
      hooks: {
        // Lines quote what callers and upstreams wrote, and people read them in a terminal. JSON escapes only the
        // first 32 control characters.
        streamWrite: escapeHidden,
        logMethod(args, method, lineLevel) {
          const isOfOutage =
            lineLevel >= warn && lineLevel < fatal && outages.of(errorIn(args[0])) !== undefined
          if (!isOfOutage) method.apply(this, args)
          else if (this.isLevelEnabled('debug')) this.debug(...args)
        },
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[cut]' },
    },
    destination,
  )
  const outages = new Outages(logger)
  return Object.assign(logger, { outages })
}

/** The error that a line is about. */
function errorIn(fields: unknown): unknown {
  return typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : undefined
}

/**
 * Leaves out of an error what the log must not hold. viem's full messages contain the whole request: the RPC
 * address with its access key, and the payer's signature, which a reader of the log could use to spend an
 * unused payment. Its short messages contain neither.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: reasonOf(error),
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
