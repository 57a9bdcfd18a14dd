import { depthOf, isLentDomain, isSameSite } from './addresses.ts'
import type { Site } from './site.ts'

/**
 * Where the site begins. A project page or the page of a member lies in a folder of a host that belongs to another site,
 * so nothing may be counted from the root of the host, and no advice may lead there.
 */
type Placed = Pick<Site, 'home' | 'origin'>

/** The address of the home page, as it was found. */
export function homeAddress({ home, origin }: Placed): string {
  return home?.url ?? `${origin}/`
}

/** `https://host.example/project/`, or the root of the host. A language in front is no folder of its own. */
export function siteFolder(home: string): string {
  const { origin } = new URL(home)
  const folder = new URL('.', home).href
  return depthOf(folder) === 0 || isLanguage(folder) ? `${origin}/` : folder
}

/**
 * The folder that is all of the site, where a service lends its host: what lies beside `https://lind.github.io/dental/` is
 * another site of the same owner, often the one of a web designer. Undefined where all of the host is the site.
 * @param asked where the scan began: at the root of a host that then redirects, the site is more than the folder.
 * @param found the address of the home page
 */
export function ownFolder(asked: string, found: string): string | undefined {
  const folder = siteFolder(found)
  const isAskedFor = depthOf(asked) > 0 || !isSameSite(asked, found)
  return isLentDomain(found) && isAskedFor && depthOf(folder) > 0 ? folder : undefined
}

/** Whether an address on the host of a folder lies beside it. */
export function isBeside(url: string, folder: string): boolean {
  const { hostname, pathname } = new URL(url)
  const own = new URL(folder)
  return hostname === own.hostname && !`${pathname}/`.toLowerCase().startsWith(own.pathname.toLowerCase())
}

/** `https://lind.github.io/dental/crowns.html` for `/crowns.html`, which an author wrote for a site at the root of its host. */
export function insideFolder(url: string, folder: string): string {
  const { pathname, search } = new URL(url)
  return new URL(`.${pathname}${search}`, folder).href
}

function isLanguage(folder: string): boolean {
  return depthOf(`${folder}page`) === 1
}

/** As `depthOf`, counted from the folder of the home page. */
export function depthBelowHome(url: string, site: Placed): number {
  const folder = siteFolder(homeAddress(site))
  return depthOf(url.startsWith(folder) ? `${site.origin}/${url.slice(folder.length)}` : url)
}

/** What to know before a file is published at the root of a host, where the site has only a folder of it. */
export function rootNote(site: Placed): string {
  const { host } = new URL(site.origin)
  return siteFolder(homeAddress(site)) === `${site.origin}/`
    ? ''
    : ` If the root of ${host} is not yours, this needs a domain of your own.`
}
