/**
 * A scan that cannot succeed, however often it is tried: the site does not exist, refuses us, or has
 * nothing to read. Its code and message are told to the caller; any other error is tried again and never shown.
 */
export class ScanFailure extends Error {
  override readonly name = 'ScanFailure'
  /** A word in capitals, as in SITE_UNREACHABLE. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
