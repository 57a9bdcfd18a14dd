import { absolute, isFeedAddress, isGuideAddress, isSameSite } from '../../site/addresses.ts'
import { metaOf } from '../../site/html/elements.ts'
import { nodesOf, picturesIn } from '../../site/html/json-ld.ts'
import { isLogoPicture } from '../../site/html/pictures/alternatives.ts'
import { shownPicturesOf } from '../../site/html/pictures/shown-pictures.ts'
import { addressesOf, baseOf, maxElements, stylesheetsOf } from '../../site/html/references.ts'
import type { Page } from '../../site/site.ts'

/** Addresses in the home page's markup other than its links; a scan fetches some of them. */
export interface PageReferences {
  readonly canonical: string | undefined
  readonly feed: string | undefined
  readonly markdown: string | undefined
  readonly serviceDescs: readonly string[]
  /** Catalogues of agents and tools. */
  readonly aiCatalogs: readonly string[]
  /** Scripts on the page's own origin, in document order. */
  readonly scripts: readonly string[]
  /** Stylesheets on the page's own origin, in document order. */
  readonly styles: readonly string[]
  /** Pictures of the site: what the preview and the JSON-LD of businesses and persons name, and the logo that it shows. */
  readonly pictures: readonly string[]
  /** Pictures of its own host that visitors see on the page, in document order. */
  readonly shownPictures: readonly string[]
  /**
   * Static files of the site with a hash in their name. They never change, so caches may keep them forever.
   */
  readonly hashedAssets: readonly string[]
}

export function readReferences(page: Page): PageReferences {
  const { $, url: pageUrl } = page
  const url = baseOf($, pageUrl)
  const links = $('link[href][rel]')
    .toArray()
    .slice(0, maxElements)
    .map((link) => ({
      rels: ($(link).attr('rel') ?? '').toLowerCase().split(/\s+/),
      type: ($(link).attr('type') ?? '').toLowerCase(),
      url: absolute($(link).attr('href') ?? '', url),
    }))
  const scripts = addressesOf($, 'script[src]', 'src', url)
  const styles = stylesheetsOf($, pageUrl)
  const assets = [
    ...styles,
    ...scripts,
    ...addressesOf($, 'link[rel~=modulepreload][href]', 'href', url),
    ...addressesOf($, 'img[src]', 'src', url),
  ]
  return {
    canonical: links.find(({ rels }) => rels.includes('canonical'))?.url,
    feed:
      links.find(({ rels, type }) => rels.includes('alternate') && feedTypes.has(type))?.url ??
      addressesOf($, 'a[href]', 'href', url).find(
        (address) => isSameSite(address, pageUrl) && isFeedAddress(address),
      ),
    markdown: links.find(
      ({ rels, type, url: target }) =>
        rels.includes('alternate') &&
        type === 'text/markdown' &&
        target !== undefined &&
        !isGuideAddress(target),
    )?.url,
    serviceDescs: links.flatMap((link) => (link.rels.includes('service-desc') && link.url ? [link.url] : [])),
    aiCatalogs: links.flatMap((link) => (link.rels.includes('ai-catalog') && link.url ? [link.url] : [])),
    scripts: scripts
      .filter((script) => new URL(script).origin === new URL(pageUrl).origin)
      .toSorted((one, other) => Number(isLibrary(one)) - Number(isLibrary(other))),
    styles: styles.filter((style) => new URL(style).origin === new URL(pageUrl).origin),
    pictures: picturesOf(page).filter((picture) => isSameSite(picture, pageUrl)),
    shownPictures: [...new Set(shownPicturesOf(page).map((picture) => picture.url))].slice(
      0,
      maxShownPictures,
    ),
    hashedAssets: [...new Set(assets)].filter(
      (asset) => isSameSite(asset, pageUrl) && isBuilt(asset) && isHashed(asset),
    ),
  }
}

/** Of one page. A scan asks for fewer of all pages together. */
const maxShownPictures = 40

function picturesOf(page: Page): string[] {
  const marked = nodesOf(page, 'Organization', 'Person')
    .filter(({ isTop }) => isTop)
    .flatMap(({ properties: { logo, image } }) => [logo, image].flatMap(picturesIn))
  const logo = page.$('img[src]').toArray().slice(0, maxElements).find(isLogoPicture)
  const named = [metaOf(page, 'og:image'), ...marked, logo?.attribs.src ?? ''].filter(
    (address) => address !== '' && !address.startsWith('data:'),
  )
  return [...new Set(named.flatMap((address) => absolute(address, page.url) ?? []))]
}

const feedTypes = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json'])

/** Files of a build. What people upload may have any name. */
function isBuilt(url: string): boolean {
  const { pathname } = new URL(url)
  if (/\/(?:uploads?|media|wp-content)\//i.test(pathname)) return false
  return (
    /\.(?:m?js|css|woff2?)$/i.test(pathname) ||
    /\/(?:assets|static|_next|_nuxt|build|dist|_astro)\//i.test(pathname)
  )
}

/**
 * True for `app.3f9a2b1c.js` and `index-BxQ3f9aZ.css`, false for `jquery-3.6.0.min.js`. Build tools write the hash last;
 * in `ld-export-f1ad00d0-600x750.webp` it is the number of a picture. Their own folders hold nothing but hashed files.
 */
function isHashed(url: string): boolean {
  const { pathname } = new URL(url)
  const name = pathname.split('/').at(-1) ?? ''
  const stem = name.replace(/(?:\.(?:min|chunk|bundle|module|legacy))*\.\w{2,5}$/i, '')
  const parts = stem.split(/[.\-_~]/)
  return (/\/(?:_next|_nuxt|_astro)\//.test(pathname) ? parts : parts.slice(-1)).some(isHash)
}

function isHash(part: string): boolean {
  if (part.length < 8 || part.length > 64 || !/\d/.test(part)) return false
  // `Leistung1`, `TeamPhoto2024` and `1boardLogoSmall` are words with a number.
  if (/^\d{0,4}[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*\d{0,4}$/.test(part)) return false
  return /^[0-9a-f]+$/.test(part)
    ? /[a-f]/.test(part)
    : /^[0-9A-Za-z]+$/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)
}

/** By its address. Those of the site's own code come first, because they write its menus and send its forms. */
function isLibrary(script: string): boolean {
  return /\/(?:vendors?|libs?|plugins?|bower_components|node_modules)\/|[.-]min\.js|jquery|bootstrap|modernizr|polyfill|swiper|owl\.carousel|isotope|slick/i.test(
    new URL(script).pathname,
  )
}
