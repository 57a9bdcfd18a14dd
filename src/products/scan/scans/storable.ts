/** A value as JSON that PostgreSQL stores, whatever text of a scanned page it holds. */
export function toJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storable(part) : part))
}

/** Removes what PostgreSQL cannot store: NUL and lone surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
