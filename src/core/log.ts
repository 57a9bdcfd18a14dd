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

/** Writes JSON lines to `destination` (standard error when left out), so that standard output stays free for people. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[cut]' },
    },
    destination,
  )
}
