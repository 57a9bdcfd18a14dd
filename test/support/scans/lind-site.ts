import type { Site } from '../../../src/products/scan/site/site.ts'
import { type Entries, site } from './captured.ts'

/** Pages of a dental practice at lind.example, for tests of what one sentence or one element of a page gives. */

export const at = (path = '/'): string => `https://lind.example${path}`

export const page = (body: string, title = 'Lind Dental', head = ''): string =>
  `<html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>Lind Dental</h1>${body}</main></body></html>`

/** The site with this home page and, by their addresses, with more. */
export const read = (body: string, more: Entries = {}): Site => site({ [at()]: page(body), ...more })

export const words = (count: number): string => 'word '.repeat(count)

/** An answer of GitHub Pages. */
export const onPages = { headers: { server: 'GitHub.com' } }
