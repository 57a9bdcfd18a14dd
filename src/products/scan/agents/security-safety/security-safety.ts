import { onlyForHtml } from '../../findings/document.ts'
import { needsPages } from '../../findings/needs.ts'
import type { Agent } from '../agent.ts'
import { judgeInjection } from './injection.ts'
import { judgeLeakedKeys } from './leaked-keys.ts'
import { judgeMixed } from './mixed-content.ts'
import { judgeCookies, judgeCsp, judgeHeaders, judgeHsts, judgeHttpsRedirect } from './security-headers.ts'
import { judgeSecurityTxt } from './security-txt.ts'

/**
 * What attackers can turn against readers of the site: hidden text for assistants, leaked keys, and
 * connections that can be altered. Assistants avoid a site that misled one of them.
 */
export const securitySafety: Agent = {
  id: 'security-safety',
  name: 'Security and safety',
  checks: [
    {
      id: 'injection',
      title: 'No hidden instructions for assistants',
      weight: 4,
      run: onlyForHtml(needsPages(judgeInjection)),
    },
    {
      id: 'leaked-keys',
      title: 'No secrets in the pages',
      weight: 4,
      run: onlyForHtml(needsPages(judgeLeakedKeys)),
    },
    { id: 'https-redirect', title: 'HTTP leads to HTTPS for good', weight: 3, run: judgeHttpsRedirect },
    { id: 'hsts', title: 'Browsers are told to stay on HTTPS', weight: 3, run: judgeHsts },
    {
      id: 'mixed',
      title: 'No parts are loaded over HTTP',
      weight: 3,
      run: onlyForHtml(needsPages(judgeMixed)),
    },
    { id: 'csp', title: 'A policy limits scripts or framing', weight: 2, run: judgeCsp },
    { id: 'cookies', title: 'Cookies are Secure and SameSite', weight: 2, run: judgeCookies },
    { id: 'headers', title: 'Types and referrers are protected', weight: 1, run: judgeHeaders },
    { id: 'security-txt', title: 'security.txt names a contact', weight: 1, run: judgeSecurityTxt },
  ],
}
