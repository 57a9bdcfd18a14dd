/**
 * A row as the JSON that `jsonb_populate_record` reads: keys are column names, and amounts are decimal text, since JSON
 * has no bigint. Kysely's CamelCasePlugin names columns in statements, but it does not see inside a parameter.
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
