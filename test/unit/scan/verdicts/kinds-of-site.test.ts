import { describe, expect, test } from 'vitest'
import type { Agent } from '../../../../src/products/scan/agents/agent.ts'
import { agentProtocols } from '../../../../src/products/scan/agents/agent-protocols/agent-protocols.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { businessBlock } from '../../../../src/products/scan/report/blocks/business-block.ts'
import { readFacts } from '../../../../src/products/scan/report/blocks/facts/facts.ts'
import { industryOf, readIndustry } from '../../../../src/products/scan/signals/industry/industry.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'

/** One link, one word or one address does not decide what kind of site it is. */

const at = 'https://site.example'
const home = (html: string): Entries => ({ [`${at}/`]: html })
const result = (agent: Agent, check: string, entries: Entries) => runCheck(agent, check, site(entries)).result
const note = '<main><h1>Compose</h1><p>How to start containers in the background with one command.</p></main>'

describe('a page below /p/', () => {
  const addressed = (html: string): Entries => ({ ...home('<p>x</p>'), [`${at}/p/94m3izf/`]: html })

  test('is no product by its address alone', () =>
    expect(result(structuredData, 'page-type', addressed(note))).toBe('na'))

  test('is no product when its preview calls it an article', () => {
    const html = `<meta property="og:type" content="article">${note}<p>It costs 20 € a month.</p>`
    expect(result(structuredData, 'page-type', addressed(html))).toBe('na')
  })

  test('is one where it has a price', () =>
    expect(result(structuredData, 'page-type', addressed(`${note}<p>19,90 €</p>`))).toBe('fail'))

  test('is one where it can be put into a cart', () =>
    expect(result(structuredData, 'page-type', addressed(`${note}<button>Sepete ekle</button>`))).toBe(
      'fail',
    ))
})

describe('an API', () => {
  test.each([
    ['the topic of a notebook', '<a href="/docs/category/api">API</a>'],
    ['a tag', '<a href="/tags/api/">API</a>'],
    ['a file on the host of an API', '<a href="https://api.site.example/download/police.vcf">Contacts</a>'],
    ['an app on such a host', '<a href="https://api.site.example/app.apk">Get the app</a>'],
  ])('is not offered by %s', (_, html) => {
    expect(site(home(html)).profile.api).toBe(false)
    expect(result(agentProtocols, 'api-catalog', home(html))).toBe('na')
  })

  test('is offered by a host of its own', () =>
    expect(site(home('<a href="https://api.site.example/v1/">Try it</a>')).profile.api).toBe(true))
})

describe('a site that shows no offer', () => {
  test.each([
    ['notes', `<title>Notes</title>${note}`],
    ['lectures of students', '<title>Tanta Law School</title><h1>المحاضرات</h1><p>شرح مبسط للقانون</p>'],
    [
      'a reference of formats',
      '<title>File Format Gallery</title><h1>Format Gallery</h1><p>A language for binary formats.</p>',
    ],
    [
      'a page about oneself',
      '<title>Adam Example | About Me</title><h1>Adam Example</h1><a href="mailto:adam@site.test">Mail</a>',
    ],
  ])('is not asked for prices or reviews: %s', (_, html) => {
    expect(result(workflowAutomation, 'pricing', home(html))).toBe('na')
    expect(result(entityTrust, 'proof', home(html))).toBe('na')
  })

  test.each([
    ['a trade in its title', '<title>Smith Plumbing in Leeds</title><h1>Smith Plumbing</h1>'],
    ['a heading', '<h2>Our services</h2><p>x</p>'],
    ['a link in another language', '<a href="/s">サービス内容</a>'],
    ['a button to order', '<button>Заказать</button>'],
  ])('shows one by %s', (_, html) => expect(result(workflowAutomation, 'pricing', home(html))).toBe('fail'))

  test('gets no worse by a telephone number or a form', () => {
    const html = `${note}<a href="tel:+4930901820">Call</a><form><input name="email" type="email"><textarea></textarea><button>Send</button></form>`
    expect(result(workflowAutomation, 'pricing', home(html))).toBe('na')
    expect(result(entityTrust, 'proof', home(html))).toBe('na')
  })
})

describe('a cart', () => {
  test.each([
    'Adicionar ao Carrinho 🛒',
    'Add to cart',
    'В корзину',
    'カートに入れる',
    '加入购物车',
    'أضف إلى السلة',
    'ใส่ตะกร้า',
  ])('that a script fills is seen by its button: %s', (label) =>
    expect(result(workflowAutomation, 'commerce', home(`<button>${label}</button>`))).toBe('pass'),
  )
})

test('an amount in a picture of the product is no price of it', () => {
  const html =
    '<main><h1>Tracker</h1><p>A running total: Protecting $8,642.94 in warranties</p><section id="pricing"><h2>Pay once</h2><p>No subscription.</p></section></main>'
  expect(result(workflowAutomation, 'pricing', home(html))).not.toBe('pass')
})

test('a site that promises not to track is not told to', () =>
  expect(
    result(
      workflowAutomation,
      'crm-tags',
      home('<h2>Our products</h2><p>Zero ads, trackers or accounts.</p>'),
    ),
  ).toBe('na'))

test('a page deep within notes called "docs" tells nobody how to connect', () =>
  expect(
    result(workflowAutomation, 'integrations', home('<a href="/docs/ai/Server%20List">MCP List</a>')),
  ).toBe('na'))

describe('the industry', () => {
  test.each([
    ["Mike's Recipes", 'unclear'],
    ['File Format Gallery', 'unclear'],
    ['Menu', 'unclear'],
  ])('is not decided by one everyday word: %s', (title, how) =>
    expect(readIndustry(site(home(`<title>${title}</title><h1>${title}</h1>`))).how).toBe(how),
  )

  test('is not read from a part of a word, or from the articles that a blog links in its main headings', () => {
    expect(readIndustry(site(home('<title>Lind – Diseño y publicidad</title>'))).how).toBe('unclear')
    const posts = ['2016中国大学生程序设计竞赛', 'emacs', 'Python'].map(
      (title) => `<h1><a href="/${title}">${title}</a></h1>`,
    )
    expect(readIndustry(site(home(`<title>I am Lind</title>${posts.join('')}`))).how).toBe('unclear')
  })

  test('an everyday word does not outweigh that of a trade', () =>
    expect(industryOf(site(home('<title>Photo gallery of our dental practice</title>')))).toBe('healthcare'))

  test.each([
    ['Zwemvereniging EVZV Voorschoten', 'other'],
    ['Impressão 3D sob medida', 'manufacturing'],
    ['Dra. Ana Lima — Cirurgias Oftalmológicas', 'healthcare'],
    ['Augenärztin in Ulm', 'healthcare'],
    ['LİND BİLİŞİM', 'technology'],
    ['Lind Password Manager', 'technology'],
    ['Lind | Taxation Services and Business Planning', 'finance'],
    ['Lind Diş Kliniği', 'healthcare'],
    ['山东靖达智能装备有限公司', 'manufacturing'],
  ])('%s is %s', (title, slug) => {
    const read = readIndustry(site(home(`<title>${title}</title>`)))
    expect(read).toEqual({ slug, how: 'words' })
  })
})

describe('a site of one person', () => {
  const entries = home(
    `<title>Mia Lind</title><main><h1>Mia Lind</h1><p>My name is Mia Lind, and I study bees. ${'word '.repeat(60)}</p></main>`,
  )

  test('needs its profiles at a Person, in each check and in the block to paste', () => {
    const one = site(entries)
    for (const check of ['organization', 'same-as'])
      expect(runCheck(structuredData, check, one)).toMatchObject({
        fix: expect.stringContaining('a Person node'),
      })
    if (one.home === undefined) throw new Error('There is no home page.')
    const text = businessBlock(one, one.home, readFacts(one, one.home))?.block.text
    expect(text).not.toContain('Organization')
  })

  test.each([
    ['ORCID', '<a href="https://orcid.org/0000-0002-1825-0097">ORCID</a>'],
    ['ResearchGate', '<a href="https://www.researchgate.net/profile/Mia-Lind">RG</a>'],
    ['Google Scholar', '<a href="https://scholar.google.com/citations?user=abc&hl=en">Scholar</a>'],
    ['a server of Mastodon', '<a rel="me" href="https://fosstodon.org/@mia">Mastodon</a>'],
    ['rel="me" in the head', '<link rel="me" href="https://mia.codes/">'],
  ])('has a profile at %s', (_, html) =>
    expect(result(entityTrust, 'profiles', home(`${Object.values(entries)[0]}${html}`))).toBe('fail'),
  )

  test('has it in sameAs as well', () => {
    const node = {
      '@context': 'https://schema.org',
      '@type': 'Person',
      name: 'Mia Lind',
      sameAs: [
        'https://scholar.google.com/citations?hl=de&user=ABC',
        'https://orcid.org/0000-0002-1825-0097/',
      ],
    }
    const html = `<script type="application/ld+json">${JSON.stringify(node)}</script><p>My name is Mia Lind.</p><a href="https://scholar.google.com/citations?user=ABC&hl=en">Scholar</a>`
    expect(result(entityTrust, 'profiles', home(html))).toBe('pass')
  })

  test.each([
    [
      'the profiles of coauthors',
      '<a href="https://orcid.org/0000-0002-1825-0097">A</a><a href="https://orcid.org/0000-0001-5109-3700">B</a>',
    ],
    ['its own pages', '<a rel="me" href="/about">About me</a>'],
  ])('has none in %s', (_, html) =>
    expect(result(entityTrust, 'profiles', home(`${Object.values(entries)[0]}${html}`))).toBe('na'),
  )
})
