import { homeAnswer } from '../../../findings/document.ts'
import { headerOf } from '../../../site/files/headers.ts'
import type { Site } from '../../../site/site.ts'

/** A service that takes settings in a form of its own, or none at all. */
export type Hosting = 'github-pages' | 'vercel' | 'other'

/** Which service serves the site. A site behind another one, such as Cloudflare, is set up there. */
export function hostingOf({ capture }: Pick<Site, 'capture'>): Hosting {
  const home = homeAnswer(capture)
  if (home === undefined) return 'other'
  const server = headerOf(home, 'server')
  if (/^github\.com$/i.test(server)) return 'github-pages'
  const isVercel = /^vercel$/i.test(server) || (server === '' && headerOf(home, 'x-vercel-id') !== '')
  return isVercel ? 'vercel' : 'other'
}

/** GitHub Pages leaves out such folders, so a file would be published as told and never be found. */
export function dotFolderNote(site: Pick<Site, 'capture'>): string {
  return hostingOf(site) === 'github-pages'
    ? ' This site is served by GitHub Pages, which leaves out folders whose names begin with a dot. Put an empty file named .nojekyll beside the home page as well. If Jekyll builds your site, write the line include: [".well-known"] into its _config.yml instead.'
    : ''
}
