import { expect, test } from 'vitest'
import { sitemap } from '../../../src/edge/discovery/documents/crawlers.ts'

test('the sitemap names each page of its own host that is served, with what XML reserves escaped', () => {
  const served: Readonly<Record<string, string>> = {
    '/': 'https://gate.example/',
    '/pricing': 'https://pay.example/pricing',
    '/docs': 'https://gate.example/docs?a=1&b=<2>',
  }
  expect(sitemap({ baseUrl: 'https://gate.example', find: (path) => served[path] })).toBe(`\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://gate.example/</loc>
  </url>
  <url>
    <loc>https://gate.example/docs?a=1&amp;b=&lt;2&gt;</loc>
  </url>
</urlset>
`)
})
