import { documentsOf, homeAnswer } from '../../findings/document.ts'
import { type Hosting, hostingOf, serverOf } from '../../findings/hosting.ts'
import type { Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import { type HeaderLine, headerForms } from './hosting/header-forms.ts'

/** The response headers that the home page lacks, each with a value that fits every site. */
export function headerBlock(site: Site): Draft | undefined {
  const home = homeAnswer(site.capture)
  const hosting = hostingOf(site)
  if (home === undefined || home.status !== 200 || hosting === 'github-pages') return undefined
  const protecting = [
    ...(home.finalUrl.startsWith('https:') ? [hsts] : []),
    ['Content-Security-Policy', "frame-ancestors 'self'"] as const,
    ['X-Content-Type-Options', 'nosniff'] as const,
    ['Referrer-Policy', 'strict-origin-when-cross-origin'] as const,
  ].filter(([name]) => home.headers[name.toLowerCase()] === undefined)
  const hasGuide = documentsOf(site.capture, 'llms').some(({ state }) => state === 'present')
  const advertises = (home.headers.link ?? []).some((value) => value.includes('llms.txt'))
  const leading = hasGuide && !advertises ? [['Link', '</llms.txt>; rel="describedby"'] as const] : []
  const lines = [...protecting, ...leading]
  if (lines.length === 0) return undefined
  const text = `${headerForms(lines, hosting, serverOf(home)).join('\n\n')}\n`
  const many = lines.length === 1 ? 'one more header line' : `${lines.length} more header lines`
  return {
    block: {
      kind: 'headers',
      where: [
        ...whereTo(hosting, text),
        ...(lines.includes(hsts)
          ? ['After the first of them, browsers open the site by https alone for a year.']
          : []),
      ].join(' '),
      text,
      missing: [],
    },
    title: `Have the web server send ${many}.`,
    why: [
      ...(protecting.length > 0
        ? ['Lines that the web server sends with each page protect your visitors.']
        : []),
      ...(leading.length > 0 ? ['A line that begins with Link tells assistants of your llms.txt.'] : []),
    ].join(' '),
    pasted: { headers: Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value])) },
    aims: [
      'security-safety/hsts',
      'security-safety/csp',
      'security-safety/headers',
      'agent-files/llms-advertised',
    ],
  }
}

const hsts: HeaderLine = ['Strict-Transport-Security', 'max-age=31536000']

function whereTo(hosting: Exclude<Hosting, 'github-pages'>, text: string): string[] {
  switch (hosting) {
    case 'vercel':
      return [
        'Save this as vercel.json at the top of the project. If the file exists, add the part in its list “headers” to the list there, and leave the rest as it is.',
        'Vercel then sends these lines with every page.',
      ]
    case 'static':
      return [
        'Save this as a file named _headers beside the home page, in the folder that is published. If the file exists, add them to it.',
        'The service that hosts the site then sends these lines with every page.',
      ]
    case 'other':
      return [
        'Have these lines sent with every page. They go into the settings of the web server or of the service that hosts the site.',
        ...(text.includes('# ') ? ['Below stands the same in the form that the usual servers take.'] : []),
      ]
  }
}
