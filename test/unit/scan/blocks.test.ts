import { describe, expect, test } from 'vitest'
import { agentsOf } from '../../../src/products/scan/agents/agents.ts'
import { readFacts } from '../../../src/products/scan/report/blocks/facts/facts.ts'
import { postalAddressesIn } from '../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { llmsBlock } from '../../../src/products/scan/report/blocks/llms/llms-block.ts'
import { line } from '../../../src/products/scan/report/blocks/llms/llms-lists.ts'
import { pastedSite } from '../../../src/products/scan/report/blocks/pasted-site.ts'
import { provenBlocks } from '../../../src/products/scan/report/blocks/proven-blocks.ts'
import { openingHoursIn } from '../../../src/products/scan/signals/contact/opening-hours.ts'
import { readSignals } from '../../../src/products/scan/signals/signals.ts'
import { readRobots } from '../../../src/products/scan/site/files/robots.ts'
import { readSitemap } from '../../../src/products/scan/site/files/sitemap.ts'
import { nodesOf } from '../../../src/products/scan/site/html/json-ld.ts'
import { readPage } from '../../../src/products/scan/site/page.ts'
import type { Site } from '../../../src/products/scan/site/site.ts'
import { type Entries, reply, site } from '../../support/scans/captured.ts'

const agents = agentsOf('full').map(({ agent }) => agent)
const at = (path: string) => `https://smile.example${path}`
const ld = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`

function practice(
  change: { readonly head?: string; readonly footer?: string; readonly more?: Entries } = {},
): Site {
  const footer =
    change.footer ??
    '14 Harbour Street, Northhaven NH4 2QT. Phone <a href="tel:+441632960142">01632 960142</a>, <a href="mailto:desk@smile.example">desk@smile.example</a>. Open Monday to Friday, 8:30 to 18:00.'
  return site({
    [at('/')]: `<html lang="en"><head><title>Family dentist in Northhaven | Smile Dental</title>
      <meta name="description" content="Smile Dental is a dental practice in Northhaven with same-day visits and published fees.">
      <meta property="og:site_name" content="Smile Dental">${change.head ?? ''}</head><body>
      <header><img src="/logo.svg" alt="Smile Dental"><a href="/prices">Fees</a></header>
      <main><h1>A family dentist</h1><p>Smile Dental mends teeth.</p><img src="/front.jpg" alt="The house"></main>
      <footer>${footer} <a href="https://www.facebook.com/smiledental">Facebook</a>
      <a href="https://www.instagram.com/smiledental">Instagram</a></footer></body></html>`,
    [at('/prices')]:
      `<html lang="en"><head><title>Fees</title><meta name="description" content="All fees."></head><body><main><h1>Fees</h1><table>
      <tr><td>Check-up *</td><td>£62.00</td></tr><tr><td>Filling</td><td>£95 to £160</td></tr><tr><td>Whitening</td><td>$300</td></tr></table></main></body></html>`,
    [at('/robots.txt')]: 'User-agent: *\nAllow: /',
    [at('/llms.txt')]: { status: 404 },
    ...change.more,
  })
}

function blocksOf(one: Site) {
  return provenBlocks(one, readSignals(one), agents)
}

function blockOf(one: Site, settled: string) {
  const found = blocksOf(one).find(({ settles }) => settles.includes(settled))
  if (found === undefined) throw new Error(`no block settles ${settled}`)
  return found
}

function businessOf(text: string) {
  const page = readPage(reply(at('/'), text))
  expect(page.jsonLd.errors).toEqual([])
  return nodesOf(page, 'Organization')[0]
}

describe('the block that describes the business', () => {
  test('it holds what the site says of itself, in the words of the site', () => {
    const { block } = blockOf(practice(), 'structured-data/organization')
    expect(businessOf(block.text)).toMatchObject({
      types: ['Dentist'],
      properties: {
        name: 'Smile Dental',
        url: at('/'),
        logo: at('/logo.svg'),
        telephone: '+44 1632 960142',
        email: 'desk@smile.example',
        address: { streetAddress: '14 Harbour Street', addressLocality: 'Northhaven', postalCode: 'NH4 2QT' },
        openingHours: ['Mo-Fr 08:30-18:00'],
        sameAs: ['https://www.facebook.com/smiledental', 'https://www.instagram.com/smiledental'],
      },
    })
    expect(block.missing).toEqual([])
  })

  test('it repeats exact prices only, and no dollars of an unknown country', () => {
    const { block } = blockOf(practice(), 'structured-data/organization')
    expect(businessOf(block.text)?.properties.makesOffer).toEqual([
      { '@type': 'Offer', name: 'Check-up', price: '62.00', priceCurrency: 'GBP' },
    ])
  })

  test('a fact that the site does not state is left out and named', () => {
    const { block } = blockOf(
      practice({ footer: '14 Harbour Street. Phone 01632 960142.' }),
      'core-snapshot/jsonld-any',
    )
    const properties = businessOf(block.text)?.properties ?? {}
    expect(Object.keys(properties)).not.toContain('email')
    expect(Object.keys(properties)).not.toContain('openingHours')
    expect(properties.address).toEqual({ '@type': 'PostalAddress', streetAddress: '14 Harbour Street' })
    expect(block.missing).toEqual([
      'your telephone number with the code of your country before it, such as +1 or +49 (telephone)',
      'your e-mail address (email)',
      'the town and postal code (addressLocality, postalCode)',
      'the country, as two letters such as DE (addressCountry)',
      'your opening hours, such as Mo-Fr 08:00-12:00, Mo-We 14:00-18:00 (openingHours)',
    ])
  })

  test('what a page says of one dentist is not said of the practice', () => {
    const ann = ld({
      '@type': 'Dentist',
      name: 'Ann Smile, hygienist',
      description: 'Ann has cleaned teeth for 25 years.',
      url: at('/ann.html'),
    })
    const one = practice({
      head: '<link rel="x" href="/">',
      more: { [at('/ann.html')]: `<html lang="en"><head><title>Ann</title>${ann}</head><h1>Ann</h1>` },
    })
    const { block } = blockOf(one, 'core-snapshot/jsonld-any')
    expect(businessOf(block.text)?.properties).toMatchObject({
      name: 'Smile Dental',
      description: expect.stringContaining('a dental practice'),
      url: at('/'),
    })
    expect(block.where).toMatch(/^Paste it into the head of /)
  })

  test('the filler text of a template is no description', () => {
    const one = site({
      [at('/')]:
        `<html lang="en"><title>Smile Dental</title><h1>Smile Dental</h1><main><p>${'Lorem ipsum dolor sit amet, consectetur adipisicing elit. '.repeat(3)}</p></main>`,
    })
    const { block } = blockOf(one, 'core-snapshot/jsonld-any')
    expect(Object.keys(businessOf(block.text)?.properties ?? {})).not.toContain('description')
    for (const { block: other } of blocksOf(one)) expect(other.text).not.toMatch(/lorem/i)
  })

  test.each([
    [
      '강남치과, 임플란트, 교정, 충치치료, 야간진료',
      '우리 치과는 2009년부터 강남역 근처에서 가족의 치아를 돌보고 있습니다. 예약은 전화로 받습니다.',
    ],
    [
      'dentist London, implants, braces, whitening, emergency',
      'We have looked after the teeth of families near the harbour since 2009.',
    ],
  ])('a list of search words is no description: %s', (keywords, paragraph) => {
    const one = site({
      [at('/')]:
        `<title>Smile Dental</title><meta name="description" content="${keywords}"><h1>Smile Dental</h1><main><p>${paragraph}</p></main>`,
    })
    const { block } = blockOf(one, 'core-snapshot/jsonld-any')
    expect(businessOf(block.text)?.properties.description).toBe(paragraph)
    for (const { block: other } of blocksOf(one)) expect(other.text).not.toContain(keywords)
  })

  test('a short list of what is sold is a description', () => {
    const said = 'Bread, cakes and coffee, made by hand on the harbour of Northhaven since 1923'
    const one = site({
      [at('/')]: `<title>Lind Bakery</title><meta name="description" content="${said}"><h1>Lind Bakery</h1>`,
    })
    expect(blockOf(one, 'core-snapshot/jsonld-any').block.text).toContain(said)
  })

  test('what the site’s own markup says stays', () => {
    const own =
      '{"@context":"https://schema.org","@type":"Dentist","@id":"#x","name":"Smile Dental Ltd","openingHours":"Sa 10:00-11:00","founder":{"@type":"Person","name":"Ann"}}'
    const { block } = blockOf(
      practice({ head: `<script type="application/ld+json">${own}</script>` }),
      'structured-data/organization',
    )
    expect(businessOf(block.text)?.properties).toMatchObject({
      '@id': '#x',
      name: 'Smile Dental Ltd',
      openingHours: 'Sa 10:00-11:00',
      founder: { '@type': 'Person', name: 'Ann' },
    })
    expect(block.where).toContain('Put this in the place of that one description.')
  })

  test('what stands beside the site’s own node stays, and so do its profiles', () => {
    const own =
      '{"@context":"https://schema.org","@graph":[{"@type":"Dentist","name":"Smile Dental","telephone":"+44 1632 960142","email":"desk@smile.example","sameAs":["https://maps.example/smile"]},{"@type":"WebSite","@id":"#site","name":"Smile Dental"}]}'
    const { block } = blockOf(
      practice({ head: `<script type="application/ld+json">${own}</script>` }),
      'structured-data/organization',
    )
    expect(businessOf(block.text)?.properties).toMatchObject({
      telephone: '+44 1632 960142',
      email: 'desk@smile.example',
      sameAs: expect.arrayContaining(['https://maps.example/smile']),
    })
    expect(block.text).not.toContain('WebSite')
    expect(block.where).toContain('Keep all others that stand beside it')
  })

  test.each([
    ['Smile Dental Care', '<footer>Phone 01632 960142</footer>', 'Dentist'],
    ['Hill Physiotherapy', '<footer>Open Monday to Friday, 9:00 to 17:00.</footer>', 'Physiotherapy'],
    ['Smile Dental Care Software', '<footer>Phone 01632 960142</footer>', 'Organization'],
    ['Smile Dental Care', '', 'Organization'],
  ])('%s with "%s" is a %s', (name, footer, type) => {
    const one = site({
      [at('/')]:
        `<html lang="en"><head><title>${name}</title><meta property="og:site_name" content="${name}"></head><main><h1>${name}</h1><p>We look after your family. Book an appointment with us, and we will see you the same day.</p></main>${footer}</html>`,
    })
    const { block } = blockOf(one, 'core-snapshot/jsonld-any')
    expect(businessOf(block.text)?.types).toEqual([type])
    if (type === 'Dentist')
      expect(block.missing).toEqual(
        expect.arrayContaining([
          'your street address, or that of your main place if you have several (address)',
          expect.stringMatching(/^your opening hours/),
        ]),
      )
  })

  test('a general type of the site’s own markup gives way to the trade, a special one stays', () => {
    const typeOf = (type: string) =>
      businessOf(
        blockOf(
          practice({ head: ld({ '@type': type, name: 'Smile Dental' }) }),
          'structured-data/organization',
        ).block.text,
      )?.types
    expect(typeOf('Organization')).toEqual(['Dentist'])
    expect(typeOf('MedicalClinic')).toEqual(['MedicalClinic'])
  })

  test('two telephone numbers that contradict each other are left out and named', () => {
    const { block } = blockOf(
      practice({
        more: { [at('/contact')]: '<title>Contact</title><h1>Contact</h1><p>Phone 01632 960777</p>' },
      }),
      'core-snapshot/jsonld-any',
    )
    expect(Object.keys(businessOf(block.text)?.properties ?? {})).not.toContain('telephone')
    expect(block.missing.join()).not.toContain('telephone')
    expect(block.conflicts).toEqual([
      `The telephone number: we read “01632 960777” on ${at('/contact')} and “+441632960142” on ${at('/')}. Write the right one, whole, into the message, behind the colon, or that of your main place if you have several. Is something else wrong on a page? Then correct it there.`,
    ])
  })

  test('a closing tag in a text of the site does not end the block', () => {
    const head =
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Smile Dental","description":"<\\/script><b>x"}</script>'
    const { block } = blockOf(practice({ head }), 'structured-data/organization')
    expect(block.text.match(/<\/script>/g)).toHaveLength(1)
    expect(businessOf(block.text)?.properties.description).toBe('</script><b>x')
  })

  test('a site without a name gets no such block', () => {
    const nameless = site({ [at('/')]: '<html><body><main><p>words</p></main></body></html>' })
    expect(blocksOf(nameless).flatMap(({ settles }) => settles)).not.toContain('structured-data/organization')
  })
})

describe('robots.txt', () => {
  const closed = `# ours
User-agent: *
Disallow: /admin
Content-Signal: search=yes

User-agent: GPTBot
User-agent: PerplexityBot
Disallow: /

User-agent: ChatGPT-User
Disallow: /

Sitemap: https://smile.example/sitemap.xml
`
  const { block } = blockOf(practice({ more: { [at('/robots.txt')]: closed } }), 'crawl-access/user-tier')
  const robots = readRobots(reply(at('/robots.txt'), block.text), 'https://smile.example')

  test('search bots and assistants get in', () => {
    for (const bot of ['PerplexityBot', 'ChatGPT-User', 'OAI-SearchBot'])
      expect(robots.isAllowed(bot, at('/prices'))).toBe(true)
  })

  test('every other rule stays, also for those that are let in', () => {
    expect(robots.isAllowed('GPTBot', at('/'))).toBe(false)
    for (const bot of ['ChatGPT-User', 'PerplexityBot', 'SomeBot'])
      expect(robots.isAllowed(bot, at('/admin/x'))).toBe(false)
    expect(robots.sitemaps).toEqual([at('/sitemap.xml')])
    expect(block.text).toContain('# ours\nUser-agent: *\nDisallow: /admin\nContent-Signal: search=yes')
  })

  test('no bot is named in two groups', () => {
    const named = robots.groups.flatMap(({ agents: names }) => names)
    expect(new Set(named).size).toBe(named.length)
  })

  test('a web page in its place is replaced by the least that is valid', () => {
    const page = { body: '<!doctype html><html></html>', headers: { 'content-type': 'text/html' } }
    const broken = blockOf(
      practice({ more: { [at('/robots.txt')]: page, [at('/sitemap.xml')]: { status: 404 } } }),
      'crawl-access/robots-file',
    )
    expect(broken.block.text).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${at('/sitemap.xml')}\n`)
  })
})

describe('llms.txt', () => {
  test('names pages by their titles, and repeats no description: it may be true of another year', () => {
    const mounting = `<title>Mounting</title><meta name="description" content="From $180, at 12 Old Street."><h1>Mounting</h1>`
    const one = practice({ more: { [at('/mounting')]: mounting } })
    const page = one.pages.find(({ url }) => url === at('/mounting'))
    expect(page && line(page, one)).toBe(`- [Mounting](${at('/mounting')})`)
  })

  test('has in place of a name that no page says the words that the answer of the owner replaces', () => {
    const named = practice()
    const { home } = named
    const facts = home && readFacts(named, home)
    const nameless = home && facts && llmsBlock(named, home, { ...facts, name: undefined })
    expect(nameless?.block.text).toMatch(/^# WRITE THE NAME OF YOUR BUSINESS HERE$/m)
  })

  test('its summary is told in words', () => {
    const { block } = blockOf(
      practice({ more: { [at('/llms.txt')]: 'Welcome, robots.' } }),
      'agent-files/llms-structure',
    )
    expect(block.says).toEqual([
      'in the guide for assistants: “Smile Dental is a dental practice in Northhaven with same-day visits and published fees.”',
    ])
  })

  test('a faulty file keeps what it has and gets what it lacks', () => {
    const own = 'Welcome, robots.\n\n## Offers\n\nnone'
    const { block } = blockOf(practice({ more: { [at('/llms.txt')]: own } }), 'agent-files/llms-structure')
    expect(block.text).toBe(`# Smile Dental

> Smile Dental is a dental practice in Northhaven with same-day visits and published fees.

Welcome, robots.

## Offers

none

## Pages

- [Family dentist in Northhaven | Smile Dental](https://smile.example/)
- [Fees](https://smile.example/prices)
`)
  })

  const german = (llms: Entries[string], more: Entries = {}) => {
    const words =
      'Wir behandeln Familien seit vielen Jahren und nehmen uns Zeit für jede Frage, die Sie zu Ihren Zähnen haben. '
    return site({
      [at('/')]:
        `<html lang="de"><head><title>Praxis Lind</title><meta name="description" content="Praxis Lind behandelt Familien am Hafen."></head>
        <body><nav><a href="/a">Füllungen</a><a href="/b">Kronen</a><a href="/c">Vorsorge</a></nav><main><h1>Praxis Lind</h1><p>${words.repeat(3)}</p></main></body></html>`,
      ...Object.fromEntries(
        ['a', 'b', 'c'].map((name) => [
          at(`/${name}`),
          `<html lang="de"><head><title>Seite ${name}</title><meta name="description" content="Praxis Lind behandelt Familien am Hafen."></head><body><h1>Seite ${name}</h1></body></html>`,
        ]),
      ),
      [at('/llms.txt')]: llms,
      [at('/sitemap.xml')]:
        `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${['', 'a', 'b', 'c'].map((name) => `<url><loc>${at(`/${name}`)}</loc></url>`).join('')}</urlset>`,
      ...more,
    })
  }

  test('a list of bare addresses is written as links and completed, and gets no second list beside it', () => {
    const own = `# Praxis Lind\n\n> Eine Praxis.\n\n## Unsere Seiten\n\n- Startseite: ${at('/')}\n- Füllungen: ${at('/a')}\n\n## Hinweis\n\nGern.`
    const { block, settles } = blockOf(german(own), 'agent-files/llms-structure')
    expect(block.text).toBe(
      `# Praxis Lind\n\n> Eine Praxis.\n\n## Unsere Seiten\n\n- [Startseite](${at('/')})\n- [Füllungen](${at('/a')})\n- [Seite b](${at('/b')})\n- [Seite c](${at('/c')})\n\n## Hinweis\n\nGern.\n`,
    )
    expect(block.where).toMatch(/^Put it in place of what https:\/\/smile\.example\/llms\.txt holds now/)
    expect(settles).toContain('agent-files/llms-coverage')
  })

  test('headings are in the language of the site', () => {
    const { block } = blockOf(
      german('# Praxis Lind\n\nEine Praxis am Hafen, seit vielen Jahren.'),
      'agent-files/llms-structure',
    )
    expect(block.text).toContain(`\n## Seiten\n\n- [Praxis Lind](${at('/')})\n- [Seite a](${at('/a')})\n`)
  })

  test('a page of the menu that was not read is named by the words of the menu', () => {
    const { block } = blockOf(
      german(`# Praxis Lind\n\nEine Praxis am Hafen, seit vielen Jahren.`, {
        [at('/c')]: { skipped: 'budget' },
      }),
      'agent-files/llms-structure',
    )
    expect(block.text).toContain(`- [Seite b](${at('/b')})\n- [Vorsorge](${at('/c')})\n`)
  })

  test('no two lines say the same: pages of one title have their headings, and a page at two addresses is named once', () => {
    const page = (heading: string) =>
      `<title>Praxis Lind</title><h1>${heading}</h1><main><p>${heading} bei uns.</p></main>`
    const { block } = blockOf(
      german('# Praxis Lind\n\nEine Praxis am Hafen, seit vielen Jahren.', {
        [at('/a')]: page('Zahnersatz'),
        [at('/b')]: page('Füllungen'),
        [at('/c')]: page('Füllungen'),
      }),
      'agent-files/llms-structure',
    )
    expect(block.text).toContain(`- [Zahnersatz](${at('/a')})\n- [Füllungen](${at('/b')})\n`)
    expect(block.text).not.toContain(at('/c'))
  })

  test('a page whose headings are texts is named by the words of the menu, and the home page keeps its title', () => {
    const page = (text: string) => `<title>Praxis Lind</title><main><h2>${text}</h2><p>Bei uns.</p></main>`
    const { block } = blockOf(
      german('# Praxis Lind\n\nEine Praxis am Hafen, seit vielen Jahren.', {
        [at('/a')]: page('Zahnersatz hält lange, wenn er gut gepflegt wird.'),
        [at('/b')]: page('Eine Krone deckt den Zahn ab und gibt ihm seine Form zurück'),
        [at('/c')]: { skipped: 'budget' },
      }),
      'agent-files/llms-structure',
    )
    expect(block.text.match(/(?<=- \[)[^\]]+/g)).toEqual(['Praxis Lind', 'Füllungen', 'Kronen', 'Vorsorge'])
  })

  test('no sentence of its summary is cut', () => {
    const long = `Smile Dental mends the teeth of families at the harbour of Northhaven. ${'It does so with care and patience, on every day of the week, and '.repeat(6)}`
    const one = site({
      [at('/')]:
        `<html lang="en"><head><title>Smile Dental</title><meta name="description" content="${long}"></head><body><main><h1>Smile Dental</h1><p>Teeth.</p></main></body></html>`,
      [at('/llms.txt')]: 'Hello there, we are glad that you have come to read this.',
    })
    const { block } = blockOf(one, 'agent-files/llms-structure')
    expect(block.text).toContain(
      '\n> Smile Dental mends the teeth of families at the harbour of Northhaven.\n',
    )
    expect(block.text).not.toContain('…')
  })
})

describe('products, questions and deep pages', () => {
  const shop = (product: string, more: Entries = {}) =>
    site({
      [at('/')]:
        `<html lang="en"><head><title>Smile Shop</title><meta property="og:site_name" content="Smile Shop"></head><body>
        <main><h1>Brushes</h1><p>Brushes.</p><a href="/products">All products</a></main></body></html>`,
      [at('/products')]: '<html><head><title>All</title></head><body><h1>All products</h1></body></html>',
      [at('/products/brush')]:
        `<html><head><title>Brush</title><meta property="og:type" content="product"></head><body><main>${product}</main></body></html>`,
      ...more,
    })
  const nodesIn = (text: string) => {
    const { jsonLd } = readPage(reply(at('/'), text))
    expect(jsonLd.errors).toEqual([])
    return jsonLd.nodes
  }

  test('a product is described with the name and the price that its page shows', () => {
    const { block } = blockOf(
      shop('<h1>The </script> brush</h1><p>Soft.</p><p class="price">£4.50</p><p>Delivery £2.00</p>'),
      'structured-data/page-type',
    )
    const [product, offer] = nodesIn(block.text)
    expect(product).toMatchObject({
      types: ['Product'],
      properties: { name: 'The brush', url: at('/products/brush') },
    })
    expect(offer?.properties).toMatchObject({ price: '4.50', priceCurrency: 'GBP' })
    expect(JSON.stringify(nodesIn(block.text))).not.toMatch(/availability|rating|review/i)
  })

  test.each([
    ['no price', '<h1>Brush</h1><p>Soft.</p>'],
    ['two prices', '<h1>Brush</h1><p>£4.50 or £6.00 with a cap</p>'],
    ['dollars of an unknown country', '<h1>Brush</h1><p class="price">$4.50</p>'],
    ['no name', '<p class="price">£4.50</p>'],
  ])('a page with %s gets no description of a product', (_, product) => {
    expect(blocksOf(shop(product)).flatMap(({ settles }) => settles)).not.toContain(
      'structured-data/page-type',
    )
  })

  test('a faulty description is replaced, and what it says of the product stays', () => {
    const own =
      '{"@context":"https://schema.org","@type":"Product","name":"Brush","sku":"B-1","offers":{"@type":"Offer","price":"4.50"}}'
    const { block, settles } = blockOf(
      shop(`<script type="application/ld+json">${own}</script><h1>Brush</h1><p>£4.50</p>`),
      'structured-data/page-type',
    )
    expect(settles).toContain('structured-data/required-props')
    expect(block.where).toContain('Take out the part of the same kind')
    expect(nodesIn(block.text)[0]?.properties).toMatchObject({ sku: 'B-1', name: 'Brush' })
  })

  test('questions are marked up with the answers that stand on the page, and no others', () => {
    const faq = `<html><head><title>FAQ</title></head><body><main><h1>Frequently asked questions</h1>
      <h2>Do you take new patients?</h2><p>Yes,</p><p>each week.</p><h2>Where can I park?</h2><ul><li>Behind </script> the house</li></ul>
      <h2>Is it safe?</h2><h2>Our team</h2><p>Ann.</p>
      <details><summary>What does it cost?</summary><p>£62.</p><p hidden>We are the best.</p></details></main></body></html>`
    const { block } = blockOf(practice({ more: { [at('/faq')]: faq } }), 'structured-data/page-type')
    expect(block.text.match(/<\/script>/g)).toHaveLength(1)
    const questions = nodesIn(block.text).filter(({ types }) => types.includes('Question'))
    expect(questions.map(({ properties }) => [properties.name, properties.acceptedAnswer])).toEqual([
      ['Do you take new patients?', { '@type': 'Answer', text: 'Yes, each week.' }],
      ['Where can I park?', { '@type': 'Answer', text: 'Behind the house' }],
      ['What does it cost?', { '@type': 'Answer', text: '£62.' }],
    ])
  })

  test('the way to each deep page names pages that exist', () => {
    const { block } = blockOf(
      shop('<h1>Brush</h1>', {
        [at('/folder/without/page')]:
          '<html><head><title>Deep</title></head><body><h1>Deep</h1></body></html>',
      }),
      'structured-data/breadcrumbs',
    )
    const steps = nodesIn(block.text).filter(({ types }) => types.includes('ListItem'))
    expect(steps.map(({ properties }) => `${properties.position} ${properties.name}`)).toEqual([
      '1 Smile Shop',
      '2 All products',
      '3 Brush',
      '1 Smile Shop',
      '2 Deep',
    ])
    expect(block.text).toContain(`<!-- ${at('/folder/without/page')} -->`)
  })

  test('an address cannot end the comment above its part', () => {
    const odd = at('/a/b?x=--%3E<b>')
    const page = '<html><head><title>Odd</title></head><body><h1>Odd</h1></body></html>'
    const { block } = blockOf(
      shop('<h1>Brush</h1>', { [odd]: page, [at('/c/d--e')]: page }),
      'structured-data/breadcrumbs',
    )
    expect(block.text.match(/-->/g)).toHaveLength(3)
    expect(block.text.match(/<!--/g)).toHaveLength(3)
  })
})

describe('the sitemap', () => {
  const missing = { [at('/sitemap.xml')]: { status: 404 } }

  test('it lists the pages that were read and may be found, and no dates', () => {
    const closed =
      '<html><head><meta name="robots" content="noindex"></head><body><h1>Closed</h1></body></html>'
    const { block, settles } = blockOf(
      practice({ more: { ...missing, [at('/closed')]: closed, [at('/a?b=1&c=2')]: '<h1>And</h1>' } }),
      'core-snapshot/sitemap',
    )
    const exchange = reply(at('/sitemap.xml'), { purpose: 'sitemap', body: block.text })
    const { urls, files } = readSitemap([exchange], practice().robots)
    expect(files[0]?.state).toBe('ok')
    expect(urls).toEqual([{ loc: at('/') }, { loc: at('/prices') }, { loc: at('/a?b=1&c=2') }])
    expect(block.where).toContain(`Sitemap: ${at('/sitemap.xml')}`)
    expect(settles).toContain('core-snapshot/sitemap')
  })

  test('a site that has one gets none', () => {
    const own = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${at('/')}</loc></url></urlset>`
    const kinds = blocksOf(practice({ more: { [at('/sitemap.xml')]: own } })).map(({ block }) => block.kind)
    expect(kinds).not.toContain('sitemap.xml')
    expect(blocksOf(practice({ more: missing })).map(({ block }) => block.kind)).toContain('sitemap.xml')
  })
})

test('no block holds a place that waits to be filled in', () => {
  const faq =
    '<html><head><title>FAQ</title></head><body><h1>FAQ</h1><h2>A b?</h2><p>C.</p><h2>D e?</h2><p>F.</p></body></html>'
  const bare = practice({
    footer: '14 Harbour Street.',
    more: { [at('/faq')]: faq, [at('/sitemap.xml')]: { status: 404 }, [at('/a/b')]: '<h1>Deep</h1>' },
  })
  const blocks = blocksOf(bare).map(({ block }) => block)
  expect(blocks.length).toBeGreaterThan(5)
  for (const { text } of blocks)
    expect(text).not.toMatch(
      /\byour\b|\bTODO\b|\bexample\.(?:com|org)|\[(?:insert|enter|name of)|…|XXX|lorem|placeholder/i,
    )
})

test('the lines for the head and the headers are those that the page lacks', () => {
  const head = blockOf(
    practice({ head: '<meta name="viewport" content="width=device-width">' }),
    'crawl-access/canonical',
  ).block.text
  expect(head).toContain('<link rel="canonical" href="https://smile.example/">')
  expect(head).not.toContain('viewport')
  const sent = {
    [at('/')]: { body: '<title>Smile</title><h1>Smile</h1>', headers: { 'referrer-policy': 'no-referrer' } },
  }
  const headers = blockOf(site(sent), 'security-safety/headers').block.text
  expect(headers.split('\n')).toContain('X-Content-Type-Options: nosniff')
  expect(headers).not.toContain('Referrer-Policy')
})

describe('the host of the addresses in a block', () => {
  const sitemap = (host: string) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://${host}/</loc></url></urlset>`
  const hostsIn = (one: Site) =>
    new Set(
      blocksOf(one).flatMap(
        ({ block }) => block.text.match(/(?<=https:\/\/)(?:www\.)?smile\.example/g) ?? [],
      ),
    )

  test('is the one on which sitemap and markup agree, also where the owner typed the other one', () => {
    const one = practice({
      head: ld({ '@type': 'Dentist', name: 'Smile Dental', url: 'https://www.smile.example' }),
      more: { [at('/sitemap.xml')]: sitemap('www.smile.example') },
    })
    expect(blocksOf(one).length).toBeGreaterThan(2)
    expect([...hostsIn(one)]).toEqual(['www.smile.example'])
  })

  test('is the one that was read where the site names both or one place alone names the other', () => {
    const named = practice({
      head: ld({ '@type': 'Dentist', name: 'Smile Dental', url: at('/') }),
      more: { [at('/sitemap.xml')]: sitemap('www.smile.example') },
    })
    expect([...hostsIn(named)]).toEqual(['smile.example'])
    const alone = practice({ more: { [at('/sitemap.xml')]: sitemap('www.smile.example') } })
    expect([...hostsIn(alone)]).toEqual(['smile.example'])
  })
})

describe('header lines', () => {
  const served = (headers: Record<string, string>) =>
    blockOf(
      site({ [at('/')]: { body: '<title>Smile</title><h1>Smile</h1>', headers } }),
      'security-safety/headers',
    )

  test('for Vercel are its file of settings, and nothing for other servers', () => {
    for (const headers of [{ server: 'Vercel' }, { 'x-vercel-id': 'fra1::abcde' }]) {
      const { block } = served(headers)
      expect(JSON.parse(block.text)).toMatchObject({
        headers: [
          {
            source: '/(.*)',
            headers: expect.arrayContaining([{ key: 'X-Content-Type-Options', value: 'nosniff' }]),
          },
        ],
      })
      expect(block.where).toContain('vercel.json')
    }
  })

  test('are no block where GitHub Pages serves the site, which cannot send them', () => {
    expect(() => served({ server: 'GitHub.com' })).toThrow('no block')
    expect(served({ server: 'nginx' }).block).toMatchObject({ kind: 'headers' })
  })

  test.each([
    ['smile.netlify.app', '/*\n  Strict-Transport-Security: max-age=31536000\n', '_headers'],
    ['smile.pages.dev', '/*\n  Strict-Transport-Security: max-age=31536000\n', '_headers'],
    ['smile.vercel.app', '"headers"', 'vercel.json'],
  ])('below %s have the form of that service, without a header that says it', (host, text, file) => {
    const { block } = blockOf(
      site({ [`https://${host}/`]: '<title>Smile</title><h1>Smile</h1>' }),
      'security-safety/headers',
    )
    expect(block.text).toContain(text)
    expect(block.text).not.toMatch(/Apache|nginx/)
    expect(block.where).toContain(file)
  })

  test('are no block below github.io, which cannot send them', () => {
    const home = site({ 'https://smile.github.io/': '<title>Smile</title><h1>Smile</h1>' })
    expect(() => blockOf(home, 'security-safety/headers')).toThrow('no block')
  })

  test('that name llms.txt are not said to protect anybody', () => {
    const sent = {
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy': "frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
    const one = site({
      [at('/')]: { body: '<title>Smile</title><h1>Smile</h1>', headers: sent },
      [at('/llms.txt')]:
        '# Smile\n\n> We mend teeth in the town.\n\n## Pages\n\n- [Home](https://smile.example/)',
    })
    expect(blockOf(one, 'agent-files/llms-advertised').why).toBe(
      'A line that begins with Link tells assistants of your llms.txt.',
    )
  })
})

test('a robots.txt that there is none of is to be published, and another one replaced', () => {
  const { title, block } = blockOf(
    practice({ more: { [at('/robots.txt')]: { status: 404 } } }),
    'crawl-access/robots-file',
  )
  expect(title).toMatch(/^Publish robots\.txt/)
  expect(block.where).toMatch(/^Save it as https:\/\/smile\.example\/robots\.txt/)
  const shut = practice({ more: { [at('/robots.txt')]: 'User-agent: *\nDisallow: /' } })
  expect(blockOf(shut, 'crawl-access/search-tier').title).toMatch(/^Replace robots\.txt/)
})

test('the first picture of the page is its preview, and the same block brings it', () => {
  const page =
    '<html lang="en"><title>Smile Dental</title><main><h1>Smile</h1><img src="/room.jpg" alt="Room"></main>'
  const { text, where, missing } = blockOf(site({ [at('/')]: page }), 'crawl-access/canonical').block
  expect(text).toContain('<meta property="og:image" content="https://smile.example/room.jpg">')
  expect(where).toContain('The picture was taken from the code of the page.')
  expect(missing.join()).not.toContain('og:image')
})

test('a guide for which the site has no sentence is offered with the question for one', () => {
  // Without a summary, the check of its structure would fail.
  const guide = { body: '<!doctype html><html></html>', headers: { 'content-type': 'text/html' } }
  const silent = site({
    [at('/')]: '<html><title>Smile</title><body><h1>Smile</h1></body></html>',
    [at('/llms.txt')]: guide,
  })
  const asked = blocksOf(silent).find(({ block }) => block.kind === 'llms.txt')?.block
  expect(asked?.missing).toEqual([
    'one sentence on what you offer and for whom (the line that begins with ">")',
  ])
  expect(asked?.where).toContain('Without an answer for the line that begins with ">", leave this line out.')
  const speaking = practice({ more: { [at('/llms.txt')]: guide } })
  expect(blocksOf(speaking).map(({ block }) => block.kind)).toContain('llms.txt')
})

test('trying a block leaves the site as it was', () => {
  const before = practice()
  const after = pastedSite(before, { headers: { 'x-robots-tag': 'noindex' } })
  expect(after.home?.reply.headers['x-robots-tag']).toEqual(['noindex'])
  expect(before.home?.reply.headers['x-robots-tag']).toBeUndefined()
})

test.each([
  ['We are open from Monday to Saturday, 8:00 to 18:00.', ['Mo-Sa 08:00-18:00']],
  ['Mo–Fr 8.00–12.30 Uhr, Sa 9–12 Uhr', ['Mo-Fr 08:00-12:30', 'Sa 09:00-12:00']],
  ['Lundi - Vendredi : 9h00 - 17h30', ['Mo-Fr 09:00-17:30']],
  ['Mon-Fri 9am - 5pm', ['Mo-Fr 09:00-17:00']],
  [
    'Maandag & Dinsdag: 09:00-17:00 Woensdag: Gesloten Donderdag & Vrijdag: 09:00-17:00',
    ['Mo,Tu 09:00-17:00', 'Th,Fr 09:00-17:00'],
  ],
  ['Mon-Wed, Fri and Sat 9:00-17:00', ['Mo-We,Fr,Sa 09:00-17:00']],
  ['Montag und Mittwoch 8:00 - 12:00 und 14:00 - 18:00 Uhr', ['Mo,We 08:00-12:00', 'Mo,We 14:00-18:00']],
  ['Ma - Di: 09:00 - 17:00, Do - Vr: 09:00 - 17:00', ['Mo-Tu 09:00-17:00', 'Th-Fr 09:00-17:00']],
  ['Du lundi au vendredi : 12H à 15H - 19H à 23H', ['Mo-Fr 12:00-15:00', 'Mo-Fr 19:00-23:00']],
  ['Montag | Dienstag 9–12 Uhr', 'partly'],
  ['Freitag 8:00–12:00 | 14:00–18:00', ['Fr 08:00-12:00', 'Fr 14:00-18:00']],
  ['Mittwoch 08–12 · 14–18 Uhr', ['We 08:00-12:00', 'We 14:00-18:00']],
  ['Mittwoch 08–12 § 14–18 Uhr', 'partly'],
  ['Monday - Saturday (Sunday closed)\n10.30 am - 7.00 pm', ['Mo-Sa 10:30-19:00']],
  ['Pn - Fr 9:00 - 17:00', 'partly'],
  ['Mon-Fri 9 - 5pm', 'partly'],
  ['Mon: 9am-1pm, 3-6pm Wed: 9am-1pm', ['Mo 09:00-13:00', 'Mo 15:00-18:00', 'We 09:00-13:00']],
  ['Wed: 9am-1pm Tues: 1-6:30pm Fri: 9am-4pm', 'partly'],
  ['Mon-Fri 9:00-17:00. Sat from 10:00', 'partly'],
  ['Mon-Fri 9:00-17:00. Our fair is on Sat 12.10.2026', ['Mo-Fr 09:00-17:00']],
  ['Open Monday. We have 8 to 10 rooms.', undefined],
  ['Fr 18:00 to 8:00', 'partly'],
])('opening hours of "%s"', (text, hours) => {
  expect(openingHoursIn(text)).toEqual(hours)
})

test.each([
  [
    'Harbour Dental, 14 Harbour Street, Northhaven NH4 2QT. Phone',
    { streetAddress: '14 Harbour Street', addressLocality: 'Northhaven', postalCode: 'NH4 2QT' },
  ],
  [
    '500 Main Street, Austin, TX 78701',
    { streetAddress: '500 Main Street', addressLocality: 'Austin', addressRegion: 'TX', postalCode: '78701' },
  ],
  [
    'Mühlenweg 5, 10115 Berlin. Tel',
    { streetAddress: 'Mühlenweg 5', addressLocality: 'Berlin', postalCode: '10115' },
  ],
  ['Visit 12 Mill Lane today', { streetAddress: '12 Mill Lane' }],
  ['Postfach 12', undefined],
])('the address in "%s"', (text, address) => {
  expect(postalAddressesIn(text)[0]?.address).toEqual(address)
})
