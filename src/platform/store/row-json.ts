/**
 * Writes a row as the JSON that `jsonb_populate_record` reads: column names as keys, amounts as decimal text,
 * because JSON has no bigint. Kysely's CamelCasePlugin renames columns in statements, but not inside a
 * parameter.
 */
export function rowJson(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      columnName(name),
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  )
}

function columnName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
