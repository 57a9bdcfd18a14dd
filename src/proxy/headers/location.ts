import type { Upstream } from '../../core/catalog/upstreams.ts'

/** Addresses that an upstream gives of itself. Its callers know it by ours, and may not be able to reach its own. */

/**
 * @param location as the reply says it
 * @param answer the target that replied, and the path that it was asked for, behind that of the target
 * @returns the place with its path as it stands behind that of a target; undefined when it is none of the upstream’s.
 */
export function resolveWithin(
  location: string,
  answer: { readonly target: string; readonly path: string },
  targets: readonly string[],
): URL | undefined {
  const place = URL.parse(
    location,
    `${new URL(answer.target).origin}${basePathOf(answer.target)}${answer.path}`,
  )
  if (!place) return undefined
  for (const own of [answer.target, ...targets]) {
    const base = basePathOf(own)
    if (place.origin !== new URL(own).origin || !place.pathname.startsWith(`${base}/`)) continue
    place.pathname = place.pathname.slice(base.length)
    return place
  }
  return undefined
}

/**
 * What a reply says of a place, as the caller may ask for it: an address of one of the targets leads to the prefix,
 * everything else, and what is relative to the request, is left as it stands.
 */
export function toPublicLocation(
  location: string,
  target: string,
  { targets, prefix = '' }: Pick<Upstream, 'targets' | 'prefix'>,
): string {
  const isRelative = !location.startsWith('/') && !URL.canParse(location)
  const place = isRelative ? undefined : resolveWithin(location, { target, path: '/' }, targets)
  return place ? `${prefix}${place.pathname}${place.search}${place.hash}` : location
}

/** Of the target's address, without a slash at its end. */
export function basePathOf(target: string): string {
  return new URL(target).pathname.replace(/\/+$/, '')
}
