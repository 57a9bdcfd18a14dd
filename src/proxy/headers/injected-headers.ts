import type { Upstream } from '../../core/catalog/upstreams.ts'

/** The headers each call of an upstream gets, with the secrets that the catalogue only names. They are never logged. */

/**
 * @param secrets settings by their names, such as UPSTREAM_KEY.
 * @throws Error naming a setting that is missing or cannot stand in a header, and never its value.
 */
export function resolveInjectedHeaders(
  { inject }: Pick<Upstream, 'inject'>,
  secrets: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const filled = Object.entries(inject).map(([name, value]) => [
    name,
    value.replace(/\$\{(UPSTREAM_[A-Z0-9_]+)\}/g, (_match, setting: string) => secretOf(setting, secrets)),
  ])
  return Object.fromEntries(filled)
}

function secretOf(setting: string, secrets: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(secrets, setting) ? secrets[setting] : undefined
  if (value === undefined) throw new Error(`${setting} is not set, and a header of an upstream needs it`)
  if (!/^[\t\x20-\x7e]*$/.test(value)) throw new Error(`${setting} holds a character that no header may have`)
  return value
}
