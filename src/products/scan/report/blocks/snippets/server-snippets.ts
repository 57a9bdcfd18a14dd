import { homeAnswer } from '../../../findings/document.ts'
import { hostingOf } from '../../../findings/hosting.ts'
import type { Block } from '../../../findings/results.ts'
import { headerOf } from '../../../site/files/headers.ts'
import type { Site } from '../../../site/site.ts'
import type { Snippet, SnippetParts } from './snippet.ts'

/** Lines for the settings of a web server. */
export const serverSnippets: readonly (readonly [id: string, make: Snippet])[] = [
  [
    'crawl-access/soft-404',
    settings({ apache: ['ErrorDocument 404 /404.html'], nginx: ['error_page 404 /404.html;'] }),
  ],
  [
    'security-safety/https-redirect',
    settings({
      apache: [
        'RewriteEngine On',
        'RewriteCond %{HTTPS} off',
        'RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=301,L]',
      ],
      nginx: ['server { listen 80; return 301 https://$host$request_uri; }'],
      github: enforceHttps,
    }),
  ],
  [
    'render-performance/compression',
    settings({
      apache: ['AddOutputFilterByType DEFLATE text/html text/css application/javascript application/json'],
      nginx: ['gzip on;', 'gzip_types text/css application/javascript application/json;'],
    }),
  ],
  ['freshness-index/conditional', validators],
]

/** For a page that has no validator. Where it has one, the lines would set what is set, and the cause lies elsewhere. */
function validators(parts: SnippetParts): Block | undefined {
  return parts.change.evidence.some(({ value }) => value.startsWith('status '))
    ? undefined
    : settings({ apache: ['FileETag MTime Size'], nginx: ['etag on;'] })(parts)
}

interface Lines {
  readonly apache: readonly string[]
  readonly nginx: readonly string[]
  /** What to do on GitHub Pages, where a setting of it does the same. */
  readonly github?: () => Block
}

function settings(lines: Lines): Snippet {
  return ({ site }) => {
    switch (hostingOf(site)) {
      case 'github-pages':
        return lines.github?.()
      // These compress, redirect and answer 404 by themselves; where they do not, the code of the site has to change.
      case 'vercel':
      case 'static':
        return undefined
      case 'other':
        return serverLines(site, lines)
    }
  }
}

/** The one setting that GitHub Pages has. */
function enforceHttps(): Block {
  return {
    kind: 'text',
    where: 'Send this to whoever looks after your website:',
    text: 'In the repository of the website, open Settings, then Pages, and tick “Enforce HTTPS”.\n',
    missing: [],
  }
}

/** The lines for the server that answers, where it says its name, and else for the two usual ones. */
function serverLines(site: Site, { apache, nginx }: Lines): Block {
  const home = homeAnswer(site.capture)
  const server = home === undefined ? '' : headerOf(home, 'server')
  const parts = [
    { name: 'Apache, in the file .htaccess', pattern: /apache|litespeed/i, lines: apache },
    { name: 'nginx, in the settings of the server', pattern: /nginx|openresty/i, lines: nginx },
  ]
  const own = parts.filter(({ pattern }) => pattern.test(server))
  const text = (own.length === 0 ? parts : own).map(({ name, lines: some }) =>
    [`# ${name}`, ...some].join('\n'),
  )
  return {
    kind: 'text',
    where:
      'Send this to whoever runs your server, such as the host of your website. It goes into the settings of the web server.',
    text: `${text.join('\n\n')}\n`,
    missing: [],
  }
}
