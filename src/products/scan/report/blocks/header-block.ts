import { documentsOf, homeAnswer } from '../../findings/document.ts'
import { headerOf } from '../../site/files/headers.ts'
import type { Site } from '../../site/site.ts'
import type { Draft } from './block.ts'

/** The response headers that the home page lacks, each with a value that fits every site. */
export function headerBlock(site: Site): Draft | undefined {
  const home = homeAnswer(site.capture)
  if (home === undefined || home.status !== 200) return undefined
  const lines = [
    ...(home.finalUrl.startsWith('https:') ? [['Strict-Transport-Security', 'max-age=31536000']] : []),
    ['Content-Security-Policy', "frame-ancestors 'self'"],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ].filter(([name = '']) => home.headers[name.toLowerCase()] === undefined)
  const hasGuide = documentsOf(site.capture, 'llms').some(({ state }) => state === 'present')
  const advertises = (home.headers.link ?? []).some((value) => value.includes('llms.txt'))
  if (hasGuide && !advertises) lines.push(['Link', '</llms.txt>; rel="describedby"'])
  if (lines.length === 0) return undefined
  const text = `${[
    lines.map(([name, value]) => `${name}: ${value}`).join('\n'),
    ...formsOf(lines, headerOf(home, 'server')),
  ].join('\n\n')}\n`
  return {
    block: {
      kind: 'headers',
      where: [
        'Have these lines sent with every page. They go into the settings of the web server or of the service that hosts the site.',
        ...(text.includes('# ') ? ['Below stands the same in the form that the usual servers take.'] : []),
        ...(/github/i.test(headerOf(home, 'server'))
          ? [
              'This site is served by GitHub Pages, which has no such settings: a service in front of it can send them.',
            ]
          : []),
        ...(text.includes('Strict-Transport-Security')
          ? ['After the first of them, browsers open the site by https alone for a year.']
          : []),
      ].join(' '),
      text,
      missing: [],
    },
    title: `Have the web server send ${lines.length === 1 ? 'one more header line' : `${lines.length} more header lines`}.`,
    why: 'Such lines protect your visitors.',
    pasted: {
      headers: Object.fromEntries(lines.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    },
    aims: [
      'security-safety/hsts',
      'security-safety/csp',
      'security-safety/headers',
      'agent-files/llms-advertised',
    ],
  }
}

/** The same lines as servers take them: in that of the server which answers, where it says its name, else in all. */
function formsOf(lines: readonly (readonly string[])[], server: string): string[] {
  if (/github/i.test(server)) return []
  const quoted = (value: string) => value.replaceAll('"', '\\"')
  const forms = [
    {
      name: 'Apache, in the file .htaccess',
      pattern: /apache|litespeed/i,
      write: (name: string, value: string) => `Header always set ${name} "${quoted(value)}"`,
    },
    {
      name: 'nginx, in the settings of the server',
      pattern: /nginx|openresty/i,
      write: (name: string, value: string) => `add_header ${name} "${quoted(value)}" always;`,
    },
    {
      name: 'hosts that read a file _headers, such as Netlify and Cloudflare Pages',
      pattern: /netlify|cloudflare/i,
      write: (name: string, value: string) => `  ${name}: ${value}`,
    },
  ]
  const own = forms.filter(({ pattern }) => pattern.test(server))
  return (own.length === 0 ? forms : own).map(({ name, pattern, write }) =>
    [
      `# ${name}`,
      ...(pattern.test('netlify') ? ['/*'] : []),
      ...lines.map(([header = '', value = '']) => write(header, value)),
    ].join('\n'),
  )
}
