import type { Evidence } from '../../findings/check.ts'
import { metaOf } from '../../site/html/elements.ts'
import type { Site } from '../../site/site.ts'
import { kindOfSite } from './site-kind.ts'

/**
 * Where one writes to the makers: their mailing list, or the issues or discussions of the repository that the home page
 * links. Libraries and manuals have no contact page, so there the repository itself counts.
 */
export function findProjectContact(site: Site): Evidence | undefined {
  const links = site.pages.flatMap((page) => page.links.map(({ url }) => ({ page: page.url, url })))
  const list = links.find(({ url }) => mailingList.test(url))
  if (list) return { url: list.page, value: `link to ${list.url}` }
  const home = new Set(site.home?.links.flatMap(({ url }) => repositoryOf(url) ?? []))
  // A guide names the repositories of other projects, too, and the home page links the own one.
  const own = links.filter(({ url }) => home.has(repositoryOf(url) ?? ''))
  // A search lists what was closed for one release.
  const open = own.filter(({ url }) => !/[?&].*(?:closed|milestone)|\/milestones?\//.test(url))
  const tracker = open.find(({ url }) =>
    /\/(?:issues|discussions)(?:\/new(?:\/choose)?)?\/?(?:$|\?)/.test(url),
  )
  const isProject = kindOfSite(site) === 'library' || isManual(site)
  const found = tracker ?? (isProject ? open[0] : undefined)
  return found && { url: found.page, value: `link to ${found.url}` }
}

/** Where a project talks with those who use it. */
const mailingList =
  /^https?:\/\/(?:groups\.google\.com\/(?:g\/|group\/|forum\/|d\/forum\/)|(?:www\.)?groups\.io\/g\/|(?:www\.)?freelists\.org\/list\/|[\w.-]{3,80}\/mailman\/listinfo\/|lists\.[\w.-]{3,80}\/)[\w.-]/i

/** Made by a program for manuals, by one that is no business. */
function isManual(site: Site): boolean {
  const generator = site.home === undefined ? '' : metaOf(site.home, 'generator')
  return (
    kindOfSite(site) !== 'business' &&
    /^(?:mkdocs|sphinx|docusaurus|vitepress|vuepress|mdbook|antora|jekyll-docs|doxygen)/i.test(generator)
  )
}

/** `github.com/encode/httpx` of `https://github.com/encode/httpx/issues/new`. */
function repositoryOf(address: string): string | undefined {
  const url = URL.parse(address)
  if (
    url === null ||
    !/^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)$/.test(url.hostname)
  )
    return undefined
  const [owner, name] = url.pathname.split('/').filter((part) => part !== '')
  if (owner === undefined || name === undefined || /^(?:sponsors|orgs|users|topics|apps)$/.test(owner))
    return undefined
  return `${url.hostname}/${owner}/${name}`.toLowerCase()
}
