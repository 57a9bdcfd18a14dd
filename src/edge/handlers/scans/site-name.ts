import { z } from 'zod'
import { siteDomain } from '../../../products/scan/site/addresses.ts'

const notSite = 'must be a domain, like example.com'

/**
 * A site as an operator names it, in the form that scans have: `example.com` of `www.Example.com`. A pattern, such as
 * `*.example.com` or `.example.com`, is refused: it would look as if the subdomains had been chosen.
 */
export const siteName = z.string().transform((text, context) => {
  const name = text.trim().replace(/\.$/, '')
  // The host alone: the URL parser would read a part of anything else as the host.
  const host = /^[^\s/?#@\\:]{1,253}$/u.test(name) ? URL.parse(`http://${name}`)?.hostname : undefined
  if (host && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host)) return siteDomain(host)
  context.addIssue({ code: 'custom', message: notSite })
  return z.NEVER
})
