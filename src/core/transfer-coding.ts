/**
 * Whether a message's body comes as it is or in chunks, as Node and undici read it: any other coding they leave on it
 * and say nothing. @param coding what `Transfer-Encoding` says; undefined where it is missing.
 */
export function isReadableCoding(coding: string | undefined): boolean {
  return coding === undefined || coding.trim().toLowerCase() === 'chunked'
}
