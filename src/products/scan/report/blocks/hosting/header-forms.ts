import type { Hosting } from '../../../findings/hosting.ts'

export type HeaderLine = readonly [name: string, value: string]

/** Header lines in the form of the server that answers, where it says its name, else in all usual forms. */
export function headerForms(
  lines: readonly HeaderLine[],
  hosting: Exclude<Hosting, 'github-pages'>,
  server: string,
): string[] {
  const plain = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  if (hosting === 'vercel') return [vercelForm(lines)]
  if (hosting === 'static') return [['/*', ...lines.map(([name, value]) => `  ${name}: ${value}`)].join('\n')]
  const own = forms.filter(({ pattern }) => pattern.test(server))
  return [
    plain,
    ...(own.length === 0 ? forms : own).map(({ name, pattern, write }) =>
      [
        `# ${name}`,
        ...(pattern.test('netlify') ? ['/*'] : []),
        ...lines.map(([header, value]) => write(header, value)),
      ].join('\n'),
    ),
  ]
}

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

/** https://vercel.com/docs/project-configuration#headers */
function vercelForm(lines: readonly HeaderLine[]): string {
  const headers = lines.map(([key, value]) => ({ key, value }))
  return JSON.stringify({ headers: [{ source: '/(.*)', headers }] }, undefined, 2)
}
