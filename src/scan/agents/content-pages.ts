import { notApplicable, type Outcome } from '../check.ts'
import { isPathOfKind, type PageKind } from '../page-kinds.ts'
import type { Page, Site } from '../site.ts'
import { needsPages } from './needs.ts'

/**
 * The pages that are there to be read. A contact form or the small print is short or dull for good reasons;
 * measured like the others, they would blame a site for having them.
 */
export function needsContent(run: (pages: readonly Page[], site: Site) => Outcome): (site: Site) => Outcome {
  return needsPages((pages, site) => {
    const content = pages.filter((page) => !otherKinds.some((kind) => isPathOfKind(page.url, kind)))
    return content.length === 0
      ? notApplicable('Only contact, booking and legal pages were read.')
      : run(content, site)
  })
}

const otherKinds: readonly PageKind[] = ['contact', 'booking', 'privacy', 'terms', 'imprint']
