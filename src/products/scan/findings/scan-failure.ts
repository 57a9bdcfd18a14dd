/**
 * A scan that can never succeed: the site does not exist, refuses our requests, or has nothing to read. The
 * caller gets its code and message. Any other error is retried and its message stays internal.
 */
export class ScanFailure extends Error {
  override readonly name = 'ScanFailure'
  /** In capitals, as SITE_UNREACHABLE. */
  readonly code: string
  /** The host has no address, or accepts no connection: nothing of the site was fetched. */
  readonly isUnreached: boolean

  constructor(
    code: string,
    message: string,
    { isUnreached = false, ...options }: ErrorOptions & { isUnreached?: boolean } = {},
  ) {
    super(message, options)
    this.code = code
    this.isUnreached = isUnreached
  }
}
