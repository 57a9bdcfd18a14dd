/**
 * Whether Node and undici decode this transfer coding. They leave any other coding in the body without an
 * error.
 * @param coding the value of `Transfer-Encoding`; undefined without the header.
 */
export function isReadableCoding(coding: string | undefined): boolean {
  return coding === undefined || coding.trim().toLowerCase() === 'chunked'
}
