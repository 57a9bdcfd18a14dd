/**
 * A value as JSON that PostgreSQL stores, whatever texts and names of fields it holds: a scanned page, or what
 * a caller has sent.
 */
export function toJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return storable(part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).map(([name, field]) => [storable(name), field]))
  })
}

/** Removes what PostgreSQL cannot store: NUL and lone surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
