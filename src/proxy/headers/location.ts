import type { Upstream } from '../../core/catalog/upstreams.ts'

/**
 * Resolves a URL from an upstream's reply against the upstream's targets.
 *
 * @param location as in the reply
 * @param base the target that replied, and the path of the request after the path of the target
 * @returns the URL with its path behind the path of a target; undefined when it leads elsewhere
 */
export function resolveWithin(
  location: string,
  base: { readonly target: string; readonly path: string },
  targets: readonly string[],
): URL | undefined {
  const requested = `${new URL(base.target).origin}${basePathOf(base.target)}${base.path}`
  const url = URL.parse(location, requested)
  if (!url) return undefined
  for (const target of [base.target, ...targets]) {
    const basePath = basePathOf(target)
    if (url.origin !== new URL(target).origin || !url.pathname.startsWith(`${basePath}/`)) continue
    url.pathname = url.pathname.slice(basePath.length)
    return url
  }
  return undefined
}

/**
 * Rewrites a location for the caller, who may not be able to reach the upstream's own address: a URL of a
 * target leads to the upstream's prefix at the gateway. Other URLs and relative ones stay as they are.
 */
export function toPublicLocation(
  location: string,
  target: string,
  { targets, prefix = '' }: Pick<Upstream, 'targets' | 'prefix'>,
): string {
  const isRelative = !location.startsWith('/') && !URL.canParse(location)
  const url = isRelative ? undefined : resolveWithin(location, { target, path: '/' }, targets)
  return url ? `${prefix}${url.pathname}${url.search}${url.hash}` : location
}

/** The path of a target, without the slash at its end. */
export function basePathOf(target: string): string {
  return new URL(target).pathname.replace(/\/+$/, '')
}
