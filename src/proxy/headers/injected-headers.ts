import type { Upstream } from '../../core/catalog/upstreams.ts'
import { nearestName } from '../../platform/config/near-names.ts'

/**
 * Fills in the headers that the catalog injects into each call of an upstream. The catalog only names the
 * settings with the secrets, as in `Bearer ${UPSTREAM_KEY}`. The result must never be logged.
 *
 * @param secrets settings by name, such as UPSTREAM_KEY
 * @throws Error that names a setting that is missing or not allowed in a header, and never its value
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
  if (value === undefined) {
    const near = nearestName(setting, Object.keys(secrets))
    const hint = near === undefined ? '' : `. ${near} is set; did you mean ${setting}?`
    throw new Error(`${setting} is not set, but an injected header of an upstream needs it${hint}`)
  }
  if (!/^[\t\x20-\x7e]*$/.test(value))
    throw new Error(`${setting} contains a character that is not allowed in a header`)
  return value
}
