import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { agentFiles } from '../../../../src/products/scan/agents/agent-files/agent-files.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { renderPerformance } from '../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readReferences } from '../../../../src/products/scan/crawl/pages/page-references.ts'
import { inWords } from '../../../../src/products/scan/findings/in-words.ts'
import { readPage } from '../../../../src/products/scan/site/page.ts'
import { type Entries, reply, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** A fix names what is there and what helps. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const sitemap = (...paths: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${path}</loc></url>`).join('')}</urlset>`

describe('llms.txt is compared with pages for visitors only', () => {
  const entries = (...paths: string[]): Entries => ({
    ...home('<p>x</p>'),
    [`${at}/sitemap.xml`]: sitemap(...paths.map((path) => `${at}${path}`)),
    [`${at}/llms.txt`]: {
      purpose: 'llms',
      body: `# Site\n\n- [A](${at}/a)\n`,
      headers: { 'content-type': 'text/plain' },
    },
  })

  test('files and error pages are none', () =>
    expect(
      runCheck(
        agentFiles,
        'llms-coverage',
        site(entries('/a', '/404.html', '/openapi.json', '/llms.txt', '/.well-known/agent.json')),
      ).result,
    ).toBe('na'))

  test('pages with an extension are some', () =>
    expect(runCheck(agentFiles, 'llms-coverage', site(entries('/a.html', '/b.html', '/c.php'))).result).toBe(
      'warn',
    ))
})

describe('the Markdown copy of a page', () => {
  test('is never llms.txt', () => {
    const html =
      '<link rel="alternate" type="text/markdown" href="/llms.txt"><link rel="alternate" type="text/markdown" href="/answers.md">'
    expect(readReferences(readPage(reply(`${at}/`, html))).markdown).toBe(`${at}/answers.md`)
  })

  test('is not asked for at llms.txt', () => {
    const entries: Entries = {
      ...home('<p>x</p>'),
      [`${at}/llms.txt`]: {
        purpose: 'markdown-twin',
        body: '# x',
        headers: { 'content-type': 'text/plain' },
      },
    }
    expect(runCheck(agentFiles, 'md-twin', site(entries)).result).toBe('unmeasured')
  })
})

test('a file of short answers that a page names as its alternate is not compared as its copy', () => {
  const text = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')
  const entries: Entries = {
    ...home(`<link rel="alternate" type="text/markdown" href="/answers.md"><main><p>${text}</p></main>`),
    [`${at}/answers.md`]: {
      purpose: 'markdown-twin',
      body: '# Answers\n\nword1 and other text of answers',
      headers: { 'content-type': 'text/markdown' },
    },
  }
  expect(runCheck(agentFiles, 'md-parity', site(entries)).result).toBe('unmeasured')
})

test('a Link header is named without the marks of a tag, and none is written wrongly', () =>
  expect(inWords('Send with https://site.example/ the header Link: </llms.txt>; rel="describedby".')).toBe(
    'Send with https://site.example/ a Link header that names /llms.txt with rel="describedby".',
  ))

describe('addresses of the sitemap on another host', () => {
  const entries = (...addresses: string[]): Entries => ({
    ...home('<p>x</p>'),
    [`${at}/sitemap.xml`]: sitemap(...addresses),
    [`${at}/a`]: { purpose: 'sitemap-url', body: '<p>x</p>' },
  })

  test('get the right host when all name the same wrong one', () =>
    expect(
      runCheck(coreSnapshot, 'sitemap', site(entries('https://old.test/a', 'https://old.test/b'))),
    ).toMatchObject({ fix: expect.stringContaining(`with ${at}, for example ${at}/a.`) }))

  test('are taken out when they are the exception', () =>
    expect(
      runCheck(crawlAccess, 'sitemap-quality', site(entries(`${at}/a`, `${at}/b`, 'https://old.test/b'))),
    ).toMatchObject({ fix: expect.stringContaining('Take https://old.test/b out of') }))
})

test('a robots.txt without a group for all is told to begin one', () =>
  expect(
    runCheck(crawlAccess, 'training-stance', site({ ...home('<p>x</p>'), [`${at}/robots.txt`]: '\n' })),
  ).toMatchObject({ fix: expect.stringContaining('Begin a group') }))

test('a field without a name is called by its label', () =>
  expect(
    runCheck(
      accessibilityActionability,
      'autocomplete',
      site(home('<form><label>Your Name<input type="text"></label><input type="email" name="e"></form>')),
    ),
  ).toMatchObject({ fix: expect.stringContaining('the field "Your Name"') }))

test('an image that a script fills is not asked for its size', () =>
  expect(runCheck(renderPerformance, 'img-dims', site(home('<img src="">'))).result).toBe('na'))

test('a heading that stands there twice says so', () =>
  expect(quotesOf(runCheck(coreSnapshot, 'one-h1', site(home('<h1>School</h1><h1>School</h1>'))))).toBe(
    'h1: "School", 2 times',
  ))

test('a description of an API is named as what tells how to connect', () => {
  const entries: Entries = {
    ...home('<p>x</p>'),
    [`${at}/openapi.json`]: {
      purpose: 'well-known',
      body: JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'x', version: '1' },
        paths: { '/a': { get: { responses: {} } } },
      }),
      headers: { 'content-type': 'application/json' },
    },
  }
  expect(runCheck(workflowAutomation, 'integrations', site(entries))).toMatchObject({
    result: 'pass',
    evidence: [{ url: `${at}/openapi.json` }],
  })
})
