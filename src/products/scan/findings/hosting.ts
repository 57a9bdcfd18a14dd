import type { SiteReply } from '../site/capture.ts'
import { headerOf } from '../site/files/headers.ts'
import type { Site } from '../site/site.ts'
import { homeAnswer } from './document.ts'

/** A service that takes settings in a form of its own, or none at all. `static` ones read a file `_headers`. */
export type Hosting = 'github-pages' | 'vercel' | 'static' | 'other'

/** Which service serves the site. A site behind another one, such as Cloudflare, is set up there. */
export function hostingOf({ capture }: Pick<Site, 'capture'>): Hosting {
  const home = homeAnswer(capture)
  if (home === undefined) return 'other'
  const server = serverOf(home)
  if (runsNoPrograms(home)) return 'github-pages'
  if (server === 'netlify' || server === 'cloudflare pages') return 'static'
  const isVercel = /^vercel$/i.test(server) || (server === '' && headerOf(home, 'x-vercel-id') !== '')
  return isVercel ? 'vercel' : 'other'
}

/**
 * Whether the host runs no programs and can hand no address on to another one: it answers what is sent to a `.php` with 405.
 * Netlify, Cloudflare and Vercel have functions and rewrites, which no page shows.
 */
export function runsNoPrograms(home: SiteReply): boolean {
  return /^github\.com$/i.test(serverOf(home))
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
