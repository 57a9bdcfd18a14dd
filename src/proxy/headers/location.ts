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
    if (url.origin !== new URL(target).origin || !`${url.pathname}/`.startsWith(`${basePath}/`)) continue
    // A target's own path without its slash becomes `/`.
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

/**
 * Rewrites the locations in a Link header: each target and each `anchor`, which is a location too. The rest stays as it
 * is. Nothing else of https://www.rfc-editor.org/rfc/rfc8288#section-3 matters here, so this does not read what a link
 * means. A quoted text is passed over whole, since it may hold angle brackets; one without its end reaches to the end.
 */
export function toPublicLinks(links: string, toPublic: (location: string) => string): string {
  return links.replace(
    linkParts,
    (part, target?: string, anchor?: string, quoted?: string, plain?: string) => {
      if (target !== undefined) return `<${toPublic(target.trim())}>`
      if (anchor === undefined) return part
      const location = quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1')
      return `${anchor}"${toPublic(location).replace(/["\\]/g, encodeURIComponent)}"`
    },
  )
}

/** `<target>`, or `anchor="location"`, or a quoted text. No two parts can match the same character twice. */
const linkParts =
  /<([^<>"]*)>|(\banchor\s{0,9}=\s{0,9})(?:"((?:[^"\\]|\\.)*)"?|([^\s;,<"]+))|"(?:[^"\\]|\\.)*"?/gi

/** Rewrites each whole address of a list that commas or blanks part. A single address may hold commas. */
export function toPublicAddresses(list: string, toPublic: (location: string) => string): string {
  return list
    .trim()
    .replace(/(?<!\S)((?:https?:)?\/\/\S*?)([,;]?)(?!\S)/gi, (_all, location: string, mark: string) => {
      return `${toPublic(location)}${mark}`
    })
}

/**
 * Rewrites the location in a Refresh header (`5; url=https://…`), as browsers read it:
 * https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
 */
export function toPublicRefresh(refresh: string, toPublic: (location: string) => string): string {
  const found = /^(\s*[\d.]*[\s;,]*(?:url\s*=\s*)?)(["']?)(.*)$/i.exec(refresh)
  if (!found) return refresh
  const [, before = '', quote = '', rest = ''] = found
  const close = quote === '' ? -1 : rest.indexOf(quote)
  const end = close === -1 ? rest.length : close
  const location = rest.slice(0, end).trim()
  return location === '' ? refresh : `${before}${quote}${toPublic(location)}${rest.slice(end)}`
}

/** The path of a target, without the slash at its end. */
export function basePathOf(target: string): string {
  return new URL(target).pathname.replace(/\/+$/, '')
}
