import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import type { Agent } from '../../../../src/products/scan/agents/agent.ts'
import { contentAnswerability } from '../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { coreSnapshot } from '../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** What stands on a page in another place than usual is seen, and what came with a template is not taken for content. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const ld = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`
const words = (count: number) => 'word '.repeat(count)
const check = (agent: Agent, id: string, entries: Entries) => runCheck(agent, id, site(entries))

describe('profiles in sameAs of the node about the page', () => {
  const profile = ld({
    '@type': 'ProfilePage',
    mainEntity: { '@type': 'Person', name: 'Adam Example', email: 'adam@site.test' },
    sameAs: ['https://www.linkedin.com/in/adam', 'https://github.com/adam'],
  })

  test('are seen, and should be moved to the person', () =>
    expect(check(structuredData, 'same-as', home(profile))).toMatchObject({
      result: 'warn',
      fix: expect.stringContaining('Move sameAs from the ProfilePage node into the Person node'),
    }))

  test('are those that the page links', () => {
    const html = `${profile}<a href="https://www.linkedin.com/in/adam">x</a><a href="https://github.com/adam">x</a>`
    expect(check(entityTrust, 'profiles', home(html)).result).toBe('pass')
  })
})

test('contact facts go into the node that the site has', () =>
  expect(
    check(
      entityTrust,
      'nap',
      home(
        `<title>Adam Ltd</title>${ld({ '@type': 'Person', name: 'Adam' })}<a href="mailto:adam@site.test">Mail</a>`,
      ),
    ),
  ).toMatchObject({ fix: expect.stringContaining('Add email to the Person node') }))

describe('fields without a form element', () => {
  const fields =
    '<div class="box"><div><input id="formName"></div><div><textarea id="formMsg"></textarea></div><button onclick="x()">Enviar</button></div>'

  test('are a form that a script sends', () =>
    expect(check(workflowAutomation, 'lead-capture', home(fields)).result).toBe('pass'))

  test('are none without a button beside them', () =>
    expect(
      check(
        workflowAutomation,
        'lead-capture',
        home(`<title>Lind Ltd</title>${fields.replace(/<button.*<\/button>/, '')}`),
      ).result,
    ).toBe('fail'))

  test('are none when they only try out a tool', () => {
    const tool =
      '<title>Lind Ltd</title><div><textarea id="source"></textarea><textarea id="result"></textarea><button>Run</button></div>'
    expect(check(workflowAutomation, 'lead-capture', home(tool)).result).toBe('fail')
  })
})

test('a number that is looked up is no enquiry', () => {
  const form =
    '<title>Lind Ltd</title><form id="checkForm"><input type="tel" id="phoneInput"><button>ตรวจสอบ</button></form>'
  expect(check(workflowAutomation, 'lead-capture', home(form)).result).toBe('fail')
  expect(check(accessibilityActionability, 'autocomplete', home(form)).result).toBe('na')
})

describe('hotlines of up to five digits', () => {
  const lines = '<main><a href="tel:1441">1441 AOC</a><a href="tel:191">191</a></main>'

  test('are no numbers of the site', () => {
    expect(quotesOf(check(entityTrust, 'nap', home(lines)))).not.toContain('1441')
    expect(check(coreSnapshot, 'contact-path', home(lines)).result).toBe('fail')
  })

  test('one alone in the footer is its own', () =>
    expect(
      check(coreSnapshot, 'contact-path', home('<footer><a href="tel:1800">1800</a></footer>')).result,
    ).toBe('pass'))
})

test.each([
  'https://gitter.im/kaitai/Lobby',
  'https://discord.gg/abc',
  'https://matrix.to/#/#room:x',
  'https://x.zulipchat.com/',
])('a room where the makers answer is a contact path: %s', (url) =>
  expect(check(coreSnapshot, 'contact-path', home(`<a href="${url}">Chat</a>`)).result).toBe('pass'),
)

describe('the page about who stands behind a site', () => {
  test('may be a part that a script shows', () =>
    expect(
      check(
        entityTrust,
        'about',
        home(`<section class="page" id="page-sobre"><p>${words(160)}</p></section>`),
      ).result,
    ).toBe('pass'))

  test('may stand on the site above that of an app', () => {
    const entries = {
      'https://app.maker.example/': '<footer><a href="https://maker.example/">Maker</a></footer>',
    }
    expect(check(entityTrust, 'about', entries).result).toBe('unmeasured')
  })

  test('is none while it tells of its template', () => {
    const entries = {
      ...home('<a href="/about">About</a>'),
      [`${at}/about`]: `<main><h1>About Phenomic base theme</h1><p>You are currently viewing Phenomic base theme. ${words(200)}</p></main>`,
    }
    expect(check(entityTrust, 'about', entries)).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('came with its template'),
    })
  })
})

test('a name is not spelled as the folder of the site', () => {
  const html =
    '<title>procomp.example.ua</title><meta property="og:site_name" content="procomp-example-ua"><h1>procomp.example.ua</h1>'
  expect(companyName(site(home(html)))).toBe('procomp.example.ua')
})

describe('an offer of help', () => {
  test.each([
    'Need Admission Assistance?',
    'Need more help?',
    'Нужна помощь?',
    'お困りですか？',
    '도움이 필요하신가요?',
    'Brauchen Sie Hilfe?',
  ])('asks nothing: %s', (text) => {
    const html = `<title>Lind Ltd</title><main>${`<h2>${text}</h2><p>${words(30)}</p>`.repeat(5)}</main>`
    expect(JSON.stringify(check(workflowAutomation, 'faq', home(html)))).toContain('No question of visitors')
  })

  test('a question about help is one', () => {
    const html = `<main>${['a', 'b', 'c', 'd'].map((one) => `<h2>Do I need help with ${one}?</h2><p>${words(30)}</p>`).join('')}</main>`
    expect(check(workflowAutomation, 'faq', home(html)).result).toBe('pass')
  })
})

describe('the first paragraph', () => {
  const defining =
    '<p>Example is a swimming club for children and adults who want to learn to swim in the town of Voorschoten on Saturdays.</p>'

  test('is not a notice', () => {
    const html = `<h1>Example</h1><h3>Mededelingen:</h3><p>Kledingzwemmen en kijkdag op zaterdag.</p><h3>Welkom</h3>${defining}`
    expect(check(contentAnswerability, 'answer-first', home(html)).result).toBe('pass')
  })

  test('does not send readers elsewhere', () => {
    const html = `<h1>Example</h1><p>The new times are out, please click here to see all of them now.</p>${defining}`
    expect(check(contentAnswerability, 'answer-first', home(html)).result).toBe('pass')
  })

  test('ends at two line breaks', () => {
    const html = `<h1>Example</h1>${defining.replace('</p>', `<br>\n<br>${words(150)}</p>`)}`
    expect(check(contentAnswerability, 'answer-first', home(html)).result).toBe('pass')
  })

  test('is the notice where there is nothing else', () => {
    const outcome = check(
      contentAnswerability,
      'answer-first',
      home('<h1>Example</h1><h3>News</h3><p>We open again.</p>'),
    )
    expect(quotesOf(outcome)).toContain('We open again.')
  })
})

describe('a page without text', () => {
  const entries = {
    ...home(`<main><h1>Example</h1><p>${words(200)}</p></main>`),
    [`${at}/articles/gtx`]: `<nav>${words(50)}</nav><main></main>`,
  }

  test('is no article that lacks sources', () =>
    expect(check(entityTrust, 'citations', entries).result).toBe('na'))

  test('has no content that menus bury', () =>
    expect(check(contentAnswerability, 'boilerplate', entries).result).toBe('pass'))
})
