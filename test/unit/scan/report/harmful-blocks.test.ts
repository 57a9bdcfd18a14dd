import { describe, expect, test } from 'vitest'
import { agentsOf } from '../../../../src/products/scan/agents/agents.ts'
import { crawlAccess } from '../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { listedAddress } from '../../../../src/products/scan/findings/listed-address.ts'
import { readFacts } from '../../../../src/products/scan/report/blocks/facts/facts.ts'
import { provenBlocks } from '../../../../src/products/scan/report/blocks/proven-blocks.ts'
import { sitemapBlock } from '../../../../src/products/scan/report/blocks/sitemap-block.ts'
import { inOurWords } from '../../../../src/products/scan/report/blocks/snippets/hand-on-block.ts'
import { reportPage } from '../../../../src/products/scan/report/report-page.ts'
import { viewOf } from '../../../../src/products/scan/report/report-view.ts'
import { termsIn } from '../../../../src/products/scan/report/terms.ts'
import { inCharacters } from '../../../../src/products/scan/report/work/characters.ts'
import { companyName } from '../../../../src/products/scan/signals/company-name.ts'
import { readSignals } from '../../../../src/products/scan/signals/signals.ts'
import type { Site } from '../../../../src/products/scan/site/site.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'
import { scannedSite } from '../../../support/scans/scanned-site.ts'

/** What did harm, or could not be acted on, when owners of practices read whole reports. */

const at = (path: string) => `https://lind.example${path}`
const words = (count: number) => 'word '.repeat(count)
const page = (title: string, body = '') =>
  `<html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`
const agents = agentsOf('full').map(({ agent }) => agent)
const blocksOf = (one: Site) => provenBlocks(one, readSignals(one), agents)
const analysisOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis
const stepsOf = (analysis: ReturnType<typeof analysisOf>) => {
  const view = viewOf(analysis)
  return [...view.steps, ...view.tasks.flatMap((task) => task.steps)]
}

describe('a sitemap', () => {
  const of = (more: Entries) =>
    sitemapBlock(site({ [at('/')]: page('Lind'), [at('/robots.txt')]: 'User-agent: *\nAllow: /', ...more }))

  test('is drafted only where the site answered that it has none', () => {
    expect(of({ [at('/sitemap.xml')]: { status: 404 } })).toBeDefined()
    expect(of({ [at('/sitemap.xml')]: { status: 410 } })).toBeDefined()
  })

  test.each([
    ['it was not asked for', {}],
    ['it was skipped', { [at('/sitemap.xml')]: { skipped: 'budget' as const } }],
    ['it failed', { [at('/sitemap.xml')]: { failed: 'timeout' } }],
    ['it answered 403 or 500', { [at('/sitemap.xml')]: { status: 500 } }],
    [
      'only that of another site was asked for',
      { 'https://far.example/sitemap.xml': { status: 404, purpose: 'sitemap' as const } },
    ],
  ])('is not drafted where %s', (_, more) => {
    expect(of(more)).toBeUndefined()
  })
})

describe('the name', () => {
  test.each([
    ['Lind Dental :: Home', ''],
    ['Home :: Lind Dental', ''],
    ['Lind Dental : Home', ''],
    ['Home', '<meta property="og:site_name" content="Lind Dental :">'],
  ])('of “%s” has no sign at its end', (title, head) => {
    const html = `<html><head><title>${title}</title>${head}</head><body><h1>Healthy teeth</h1></body></html>`
    expect(companyName(site({ [at('/')]: html }))).toBe('Lind Dental')
  })
})

describe('a site that names another domain throughout', () => {
  const foreign = (path: string) => `https://lind-dental.example.org${path}`
  const practice = (canonical = foreign('/')) =>
    `<html lang="en"><head><title>Lind Dental</title><link rel="canonical" href="${canonical}"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Dentist","name":"Lind Dental","url":"${foreign('/')}","telephone":"01803 496 021"}</script></head><body><main><h1>Lind Dental</h1><p>${words(320)}</p></main></body></html>`
  const entries = {
    [at('/')]: practice(),
    [at('/robots.txt')]: `User-agent: *\nAllow: /\n\nSitemap: ${foreign('/sitemap.xml')}\n`,
    [at('/sitemap.xml')]: { status: 404 },
    [at('/llms.txt')]: { status: 404 },
  }

  test('is asked first which address is the true one', () => {
    const { report } = analysisOf(entries)
    expect(report.actions?.[0]).toMatchObject({
      title: 'Decide whether the address lind-dental.example.org is your true one.',
      who: expect.stringMatching(/^You decide this/),
    })
    expect(report.actions?.[0]?.steps?.join(' ')).toContain('have lind-dental.example.org scanned')
    expect(report.tasks?.[0]?.steps).toContain(1)
  })

  test('gets no block with addresses of both', () => {
    for (const { block } of blocksOf(site(entries)))
      expect(block.text.includes('lind.example') && block.text.includes('lind-dental.example.org')).toBe(
        false,
      )
  })

  test('is not asked where a page names the domain that was read', () => {
    const titles = analysisOf({ ...entries, [at('/')]: practice(at('/')) }).report.actions?.map(
      ({ title }) => title,
    )
    expect(titles?.join(' ')).not.toContain('your true address')
  })
})

test('a node of an unknown type that describes the business is replaced, and keeps what it says', () => {
  const node = {
    '@context': 'https://schema.org',
    '@type': 'DentalClinic',
    name: 'Lind Dental',
    url: at('/'),
    telephone: '01803 496 021',
    address: { '@type': 'PostalAddress', streetAddress: '4 Mill Lane', addressLocality: 'Totnes' },
  }
  const one = site({
    [at('/')]: page(
      'Lind Dental',
      `<script type="application/ld+json">${JSON.stringify(node)}</script><p>${words(320)}</p>`,
    ),
  })
  const block = blocksOf(one).find(({ settles }) => settles.includes('structured-data/website-node'))?.block
  expect(block?.where).toContain('has such a description already (its type is DentalClinic)')
  expect(block?.text).toContain('"@type": "Dentist"')
  expect(block?.text).toContain('4 Mill Lane')
})

describe('a message in the words of the owner', () => {
  test.each([
    ['Give the field "your-name" on your page a label.', 'Give the field "your-name" on our page a label.'],
    ['Open https://x.example/your/you.html of yours.', 'Open https://x.example/your/you.html of ours.'],
    ['engines may find and cite you as before', 'engines may find and cite us as before'],
    ['Tell who you are, if people come to you.', 'Tell who we are, if people come to us.'],
    ['Leave the class your-form as it is.', 'Leave the class your-form as it is.'],
  ])('says “%s” as “%s”', (text, said) => {
    expect(inOurWords(text)).toBe(said)
  })

  test('holds the decision about training and nothing that questions it', () => {
    const step = stepsOf(
      analysisOf({ [at('/')]: page('Lind', words(320)), [at('/robots.txt')]: 'User-agent: *\nAllow: /\n' }),
    ).find(({ title }) => title.startsWith('Decide whether AI models'))
    expect(step?.how.at(-1)).toContain('Delete the line that you do not want')
    expect(step?.message?.text).toContain('ai-train=no\nContent-Signal: ai-train=yes\n')
    expect(step?.message?.text).not.toMatch(/decide|choose|leave the other/i)
  })
})

describe('what the host of the site has no setting for', () => {
  const served = (server: string) =>
    analysisOf({
      [at('/')]: { body: page('Lind', words(320)), headers: { server } },
      [at('/robots.txt')]: 'User-agent: *\nAllow: /\n',
    })

  test('is one line at the end, and no task', () => {
    const analysis = served('GitHub.com')
    expect(analysis.report.actions?.flatMap(({ settles }) => settles)).not.toContain(
      'security-safety/headers',
    )
    expect(viewOf(analysis).later).toMatch(/^Nothing to do now about “/)
    expect(viewOf(analysis).small).not.toContain('X-Content-Type')
    expect(reportPage(scannedSite('lind.example'), analysis).html.match(/Nothing to do now/g)).toHaveLength(1)
  })

  test('is a task elsewhere', () => {
    const analysis = served('nginx')
    expect(analysis.report.actions?.flatMap(({ settles }) => settles)).toContain('security-safety/headers')
    expect(viewOf(analysis).later).toBe('')
  })
})

describe('the way to a deeper page', () => {
  const menu =
    '<nav><a href="/care/braces/">Braces for adults</a><a href="/care/veneers/">5 South 700 East #204</a></nav>'
  const deep = (title: string, heading: string, more = '') =>
    `<html lang="en"><head><title>${title} – Lind Dental</title></head><body>${menu}<main><h1>${heading}</h1>${more}</main></body></html>`
  const of = (pages: Entries) =>
    blocksOf(
      site({ [at('/')]: `<title>Lind Dental</title>${menu}<main><h1>Lind Dental</h1></main>`, ...pages }),
    ).find(({ settles }) => settles.includes('structured-data/breadcrumbs'))?.block.text

  test('takes no address for a name, and no list of an author or category for a page', () => {
    const text = of({
      [at('/care/braces/')]: deep('Braces', 'Braces'),
      [at('/care/veneers/')]: deep('Veneers', 'Veneers', '<a href="/care/veneers/">Here I am</a>'),
      [at('/author/user/')]: deep('user', 'user'),
      [at('/category/uncategorized/')]: deep('Uncategorized', 'Uncategorized'),
    })
    expect(text).toContain('"name": "Braces for adults"')
    expect(text).toContain('"name": "Veneers"')
    expect(text).not.toMatch(/700 East|Here I am|"user"|Uncategorized/)
  })

  test('takes the heading where the words of the link have nothing of the page', () => {
    const text = of({
      [at('/care/veneers/')]: deep('Veneers', 'Veneers'),
      [at('/care/crowns/')]: deep('Crowns', 'Crowns', '<nav><a href="/care/pets/">Crowns at once</a></nav>'),
      [at('/care/pets/')]: deep('Animals', 'Animals'),
    })
    expect(text).toContain('"name": "Animals"')
  })

  test('takes no heading that all pages share', () => {
    const text = of({
      [at('/care/veneers/')]: deep('Veneers', 'Lind Dental'),
      [at('/care/crowns/')]: deep('Crowns', 'Lind Dental'),
    })
    expect(text).toContain('"name": "Veneers"')
    expect(text).toContain('"name": "Crowns"')
  })
})

test('no list of pages names the posts of an author or a page of the template', () => {
  const one = site({
    [at('/')]: page('Lind Dental'),
    [at('/robots.txt')]: 'User-agent: *\nAllow: /',
    [at('/sitemap.xml')]: { status: 404 },
    [at('/author/user/')]: page('user'),
    [at('/p127')]: page('Portfolio 4'),
    [at('/fees')]: page('Fees'),
  })
  expect(sitemapBlock(one)?.block.text.match(/<loc>[^<]*/g)).toEqual([
    `<loc>${at('/')}`,
    `<loc>${at('/fees')}`,
  ])
})

describe('the line for phones', () => {
  const of = (body: string) =>
    blocksOf(
      site({ [at('/')]: `<html lang="en"><head><title>Lind</title></head><body>${body}</body></html>` }),
    ).find(({ settles }) => settles.includes('render-performance/viewport'))

  test('is a step of its own, and says to look at the page on a phone', () => {
    const found = of('<h1>Lind</h1>')
    expect(found?.settles).toEqual(['render-performance/viewport'])
    expect(found?.block.where).toContain('Look at each page on a phone afterwards')
    expect(found?.block.where).not.toContain('fixed width')
  })

  test.each([
    '<table width="800"><tr><td>Lind</td></tr></table>',
    '<style>#all { width: 800px }</style><h1>Lind</h1>',
  ])('warns where the page has a fixed width: %s', (body) => {
    expect(of(body)?.block.where).toContain('fixed width of 800 pixels')
  })
})

describe('a name of two words', () => {
  const nameOf = (title: string, heading: string) =>
    companyName(
      site({
        [at('/')]:
          `<title>${title}</title><header><a href="/"><img src="/logo.gif" alt="Ada Lind logo"></a></header><h1>${heading}</h1><footer>Copyright Ada Lind 2023</footer>`,
      }),
    )

  test('has its trade where title and heading agree on it', () => {
    expect(nameOf('Ada Lind Osteopath', 'Ada Lind Osteopath')).toBe('Ada Lind Osteopath')
    expect(nameOf('Ada Lind', 'Healthy backs')).toBe('Ada Lind')
  })
})

describe('an amount', () => {
  const pricing = (body: string) =>
    readSignals(
      site({
        [at('/')]: page(
          'Lind Osteopathy Practice',
          `<p>Book an appointment for a treatment. Call 01803 496 021.</p>${body}`,
        ),
      }),
    ).pricing.how

  test('that answers a question about cost is a price', () => {
    expect(
      pricing('<p>How much does a visit cost?</p><p>The first costs £75, each further one £65.</p>'),
    ).toBe('amounts')
    expect(pricing('<p>We gave £75 to the fire brigade, and £65 to the choir.</p>')).not.toBe('amounts')
  })
})

describe('lengths of Japanese and Thai texts', () => {
  test('are said in characters', () => {
    expect(
      inCharacters('Write 78 more words on X, so that it has at least 300. That makes 20 to 80 words.', 'ja'),
    ).toBe(
      'Write about 170 more characters on X, so that it has about 660. That makes about 40 to 180 characters.',
    )
    expect(inCharacters('1 of 3 pages has 400 words or more.', 'th')).toBe(
      '1 of 3 pages has about 2000 characters or more.',
    )
    expect(inCharacters('Write 78 more words.', 'en')).toBe('Write 78 more words.')
  })
})

test('a canonical address of the home page is written as everything else names it', () => {
  const one = site({ [at('/')]: '<title>Lind</title><link rel="canonical" href="index.html"><h1>Lind</h1>' })
  expect(JSON.stringify(runCheck(crawlAccess, 'canonical', one))).toContain(`as \\"${at('/')}\\" on`)
  expect(one.pages.map(listedAddress)).toEqual([at('/')])
})

test('a number is written with its parts, as readers see it', () => {
  const html =
    '<title>Lind Dental</title><h1>Lind Dental</h1><footer><a href="tel:8014960192">801-496-0192</a></footer>'
  const one = site({ [at('/')]: html })
  expect(one.home && readFacts(one, one.home).telephone).toBe('801-496-0192')
})

describe('the address of a business', () => {
  const addressOf = (contact: string) => {
    const one = site({
      [at('/')]: '<title>Lind Dental</title><h1>Lind Dental</h1><a href="/contact">Contact</a>',
      [at('/contact')]: `<title>Contact</title><h1>Contact</h1>${contact}`,
    })
    return one.home && readFacts(one, one.home).address
  }

  test('is read in streets that are numbers, with its state', () => {
    expect(addressOf('<p>Lind Dental<br>7 North 400 West #12<br>Cedar Lake City, UT 84000</p>')).toEqual({
      streetAddress: '7 North 400 West #12',
      addressLocality: 'Cedar Lake City',
      addressRegion: 'UT',
      postalCode: '84000',
    })
  })

  test('is read over several lines, without a number', () => {
    expect(
      addressOf('<ul><li>My address is:<br>Priory House<br>Mint Place<br>Northhaven<br>NH4 2QT</li></ul>'),
    ).toEqual({
      streetAddress: 'Priory House, Mint Place',
      addressLocality: 'Northhaven',
      postalCode: 'NH4 2QT',
    })
  })
})

describe('the report', () => {
  const analysis = analysisOf({
    [at('/')]:
      `<html><head><title>Lind Dental Practice</title></head><body><h1>Lind Dental Practice</h1><p>${words(320)}</p><p>Call 01803 496 021</p><img src="/a.jpg"><a href="/team">Team</a></body></html>`,
    [at('/team')]:
      `<html><head><title>Team</title></head><body><h1>Team</h1><p>${words(80)}</p></body></html>`,
    [at('/robots.txt')]: { status: 404 },
    [at('/sitemap.xml')]: { status: 404 },
  })
  const { html } = reportPage(scannedSite('lind.example'), analysis)

  test('says first to send a message where the owner pastes nothing', () => {
    const full = `Lind is a dental practice in Torquay. ${words(60)}</p><h2>A</h2><p>${words(320)} for 12 years, 30 minutes, 8 rooms of 20 m², 10 %`
    const { analysis: told } = {
      analysis: analysisOf({
        [at('/')]:
          `<html><head><title>Lind Dental Practice</title></head><body><h1>Lind Dental Practice</h1><p>${full}</p><p>Call 01803 496 021</p></body></html>`,
      }),
    }
    expect(viewOf(told).steps[0]?.title).toMatch(/^Have a description of .+ put into/)
    expect(told.report.verdict).toContain(
      'The first step: Send the one message to whoever looks after your website.',
    )
  })

  test('explains each word once', () => {
    expect(html.match(/engine: a service that answers/g)).toHaveLength(1)
  })

  test('numbers its steps in the order in which it shows them', () => {
    const view = viewOf(analysis)
    const numbers = [...view.steps, ...view.tasks.flatMap(({ steps }) => steps)].map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, place) => place + 1))
  })

  test('claims of no fact that only the owner knows it', () => {
    expect(html).toContain('Write into the message, behind the colons, what is true of you:')
    expect(html).not.toContain('Only you know')
  })

  test('gives a task of one step the goal of that step', () => {
    for (const { title, goal, steps } of analysis.report.tasks ?? [])
      if (steps.length === 1) expect(title.startsWith(goal)).toBe(true)
  })
})

test('the host is a company where a site moves, and a name where addresses are compared', () => {
  const meaning = (text: string) => termsIn(text).map((one) => one.meaning)
  expect(meaning('When you move the site to another host, tell them.')).toContain(
    'the company on whose computers your site lies',
  )
  expect(meaning('3 addresses lie on another host.')).toEqual(['the name at the beginning of an address'])
})

describe('when an unchanged page is sent again on a host that decides it itself', () => {
  const laterOn = (host: string, server: string) => {
    const home = { body: page('<p>We mend teeth in Malmö.</p>'), headers: { server, etag: '"1"' } }
    const whole = captured({
      [`https://${host}/`]: home,
      [`https://${host}/#again`]: { ...home, purpose: 'home-conditional' },
    })
    return analyze(whole, defaultNow).analysis.report.later?.text ?? ''
  }

  test.each([
    ['Vercel', 'lind.example', 'Vercel'],
    ['Vercel', 'lind.vercel.app', ''],
    ['Netlify', 'lind.netlify.app', ''],
    ['Cloudflare Pages', 'lind.pages.dev', ''],
  ])('it is no task, and %s is named at %s', (name, host, server) => {
    expect(laterOn(host, server)).toContain(
      `${name}, on whose computers your site lies, has no setting for it`,
    )
  })

  test('it stays a task on a server of the owner', () => {
    expect(laterOn('lind.example', 'nginx')).toBe('')
  })
})
