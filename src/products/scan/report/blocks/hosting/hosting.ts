import { homeAnswer } from '../../../findings/document.ts'
import type { SiteReply } from '../../../site/capture.ts'
import { headerOf } from '../../../site/files/headers.ts'
import type { Site } from '../../../site/site.ts'

/** A service that takes settings in a form of its own, or none at all. `static` ones read a file `_headers`. */
export type Hosting = 'github-pages' | 'vercel' | 'static' | 'other'

/** Which service serves the site. A site behind another one, such as Cloudflare, is set up there. */
export function hostingOf({ capture }: Pick<Site, 'capture'>): Hosting {
  const home = homeAnswer(capture)
  if (home === undefined) return 'other'
  const server = serverOf(home)
  if (/^github\.com$/i.test(server)) return 'github-pages'
  if (server === 'netlify' || server === 'cloudflare pages') return 'static'
  const isVercel = /^vercel$/i.test(server) || (server === '' && headerOf(home, 'x-vercel-id') !== '')
  return isVercel ? 'vercel' : 'other'
}

/** What serves a page. Below the domain of a service no header has to say it. */
export function serverOf(home: SiteReply): string {
  const { hostname } = new URL(home.finalUrl)
  const service = services.find(([ending]) => hostname.endsWith(ending))
  return service?.[1] ?? headerOf(home, 'server')
}

const services = [
  ['.github.io', 'GitHub.com'],
  ['.vercel.app', 'Vercel'],
  ['.netlify.app', 'netlify'],
  ['.pages.dev', 'cloudflare pages'],
] as const

/** GitHub Pages leaves out such folders, so a file would be published as told and never be found. */
export function dotFolderNote(site: Pick<Site, 'capture'>): string {
  return hostingOf(site) === 'github-pages'
    ? ' This site is served by GitHub Pages, which leaves out folders whose names begin with a dot. Put an empty file named .nojekyll beside the home page as well. If Jekyll builds your site, write the line include: [".well-known"] into its _config.yml instead.'
    : ''
}
