import { hostingOf } from '../../../findings/hosting.ts'
import type { Site } from '../../../site/site.ts'

/** GitHub Pages leaves out such folders, so a file would be published as told and never be found. */
export function dotFolderNote(site: Pick<Site, 'capture'>): string {
  return hostingOf(site) === 'github-pages'
    ? ' This site is served by GitHub Pages, which leaves out folders whose names begin with a dot. Put an empty file named .nojekyll beside the home page as well. If Jekyll builds your site, write the line include: [".well-known"] into its _config.yml instead.'
    : ''
}
