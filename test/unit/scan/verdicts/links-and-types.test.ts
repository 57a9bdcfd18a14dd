import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { crawlAccess } from '../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { structuredData } from '../../../../src/products/scan/agents/structured-data/structured-data.ts'
import { workflowAutomation } from '../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { sitemapBlock } from '../../../../src/products/scan/report/blocks/sitemap-block.ts'
import { messageOf } from '../../../../src/products/scan/report/work/messages.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../support/scans/checks.ts'

/** Links that lead nowhere, and descriptions of a type that schema.org does not have: what readers met on public sites. */

const at = 'https://lind.example'
const home = (html: string, head = ''): Entries => ({
  [`${at}/`]: `<html lang="en"><title>Lind Dental Practice</title>${head}<body><h1>Lind Dental Practice</h1>${html}`,
})
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []
const messageFor = (entries: Entries, check: string) => {
  const action = actionsOf(entries).find(({ settles }) => settles.includes(check))
  return action && messageOf(action, new Map())
}
const script = (node: Record<string, unknown>) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...node })}</script>`

describe('links without a name', () => {
  const named = (html: string) => runCheck(accessibilityActionability, 'names', site(home(html)))

  test('that open a menu need a name alone', () => {
    const outcome = named('<a href="javascript:void(0)" data-target="#menu"><i></i></a>')
    expect(fixOf(outcome)).toContain('an aria-label that says what it does')
    expect(fixOf(outcome)).not.toContain('the address that it shall open')
  })

  test.each([
    ['<a href="#"><i class="fab fa-facebook-f"></i></a>', 'needs an address and a text "Facebook"'],
    ['<a href="#"><ion-icon name="logo-twitter"></ion-icon></a>', 'needs an address and a text "X"'],
    ['<a href="#"><i class="icon-heart"></i></a>', 'needs an address and a text'],
    [
      '<a href="www.facebook.com"><i class="fab fa-facebook-f"></i></a>',
      'needs its address with https:// before it, and a text "Facebook"',
    ],
  ])('%s %s', (html, need) => expect(quotesOf(named(html))).toMatch(new RegExp(`${need}$`)))

  test('have their addresses asked for, by the services that they show', () => {
    const message = messageFor(
      home('<a href="#"><i class="fab fa-facebook-f"></i></a><a href="#"><i class="fab fa-youtube"></i></a>'),
      'accessibility-actionability/names',
    )
    expect(message?.asks).toEqual([
      'the address, or the file, for each link that leads nowhere now (Facebook and YouTube), or “take it out”',
    ])
  })
})

test.each([
  ['Call 944 547 2437', 'href="tel:9445472437"'],
  ['Call +1 (612) 555-0101', 'href="tel:+16125550101"'],
  ['Book 20 minutes', 'the address of the page'],
])('the next step "%s" without an address gets %s', (text, order) => {
  const outcome = runCheck(
    accessibilityActionability,
    'cta',
    site(home(`<a href="" class="btn">${text}</a>`)),
  )
  expect(outcome.result).toBe('fail')
  expect(fixOf(outcome)).toContain(order)
})

test('a field that is called YOUR NAME is no word for the owner to replace', () => {
  const message = messageFor(
    home(
      '<form action="/send"><input type="text" placeholder="YOUR NAME"><input type="email" name="mail"></form>',
    ),
    'accessibility-actionability/autocomplete',
  )
  expect(message?.text).toContain('YOUR NAME')
  expect(message?.asks).toEqual([])
})

test('a field of that name is no line of JSON-LD that might be out of date', () => {
  const message = messageFor(
    home('<form action="/send"><input type="email" name="mail"><input type="text" name="telephone"></form>'),
    'accessibility-actionability/autocomplete',
  )
  expect(message?.text).toContain('name="telephone"')
  expect(message?.asks).toEqual([])
})

test('a form whose only button is a link gets a button', () => {
  const form = (button: string) =>
    fixOf(
      runCheck(
        workflowAutomation,
        'lead-capture',
        site(
          home(
            `<h2>Contact</h2><form action=""><input placeholder="Name"><input type="email" placeholder="E-mail"><textarea placeholder="Message"></textarea>${button}</form>`,
          ),
        ),
      ),
    )
  expect(form('<a href="#">Submit</a>')).toContain('Put a button of the type “submit”')
  expect(form('<button>Submit</button>')).toContain('Give each field a name first')
  expect(form('<button>Submit</button>')).not.toContain('Put a button')
})

describe('a description of a type that schema.org does not have', () => {
  const node = {
    '@type': 'DentalClinic',
    name: 'Lind Dental Practice',
    logo: `${at}/logo.png`,
    telephone: '+44 1803 496021',
    address: { '@type': 'PostalAddress', streetAddress: '4 Mill Lane', addressLocality: 'Totnes' },
    openingHours: 'Mon- Fri 10 AM – 2 PM & 5 PM – 9 PM Saturday 10 AM – 2 PM',
  }
  const one = home('<footer>Lind Dental Practice</footer>', script(node))

  test('is one, and its type is what is to be corrected', () => {
    const outcome = runCheck(structuredData, 'organization', site(one))
    expect(outcome.result).toBe('fail')
    expect('reason' in outcome && outcome.reason).toContain('schema.org has no type DentalClinic')
    expect(fixOf(outcome)).toContain('give the DentalClinic node the type of your trade')
  })

  test('says the name, as one of a known type does', () => {
    const quotes = quotesOf(runCheck(entityTrust, 'brand-name', site(one)))
    expect(quotes).toContain('the JSON-LD')
  })

  test('is replaced whole, with hours that programs can read', () => {
    const message = messageFor(one, 'structured-data/organization')
    expect(message?.text).toContain('"@type": "Dentist"')
    expect(message?.text).toContain('"Mo-Fr 10:00-14:00"')
    expect(message?.text).not.toContain('10 AM')
  })

  test.each(['Museum', 'CatholicChurch', 'TrainStation', 'GolfCourse', 'Dermatology', 'FireStation'])(
    'is not told of %s, which schema.org has',
    (type) => {
      const outcome = runCheck(
        structuredData,
        'organization',
        site(home('', script({ ...node, '@type': type }))),
      )
      expect('reason' in outcome && outcome.reason).not.toContain('schema.org has no type')
    },
  )

  test.each([
    ['a product', { '@type': 'Product' }],
    ['no number', { telephone: undefined }],
    ['no name', { name: undefined }],
  ])('is none with %s', (_, change) => {
    const outcome = runCheck(structuredData, 'organization', site(home('', script({ ...node, ...change }))))
    expect('reason' in outcome && outcome.reason).toContain('No page describes who runs the site')
  })
})

test('an address inside of the description that shows no page is left out of the new one', () => {
  const node = {
    '@type': 'Dentist',
    name: 'Lind Dental Practice',
    logo: `${at}/logo.png`,
    telephone: '+44 1803 496021',
    availableService: [
      { '@type': 'MedicalProcedure', name: 'Veneers', url: `${at}/veneers` },
      { '@type': 'MedicalProcedure', name: 'Implants', url: `${at}/implants` },
    ],
  }
  const message = messageFor(
    { ...home('', script(node)), [`${at}/veneers`]: { status: 404, purpose: 'link' } },
    'structured-data/organization',
  )
  expect(message?.text).toContain('"name": "Veneers"')
  expect(message?.text).not.toContain(`${at}/veneers"`)
  expect(message?.text).toContain(`"url": "${at}/implants"`)
})

describe('dead links', () => {
  const dead = { status: 404, purpose: 'link' } as const
  const judge = (html: string, more: Entries) =>
    runCheck(freshnessIndex, 'internal-links', site({ ...home(html), ...more }))

  test('are named by each text that they have on a page', () => {
    const html = '<a href="/veneers">Learn more</a><footer><a href="/veneers">Veneers</a></footer>'
    expect(quotesOf(judge(html, { [`${at}/veneers`]: dead }))).toContain('as "Learn more" and "Veneers"')
  })

  test('get the page whose name lacks one word of theirs', () => {
    const html = '<a href="/root-canal-treatment-hull">Root canals</a><a href="/root-canal-hull">More</a>'
    const outcome = judge(html, {
      [`${at}/root-canal-treatment-hull`]: dead,
      [`${at}/root-canal-hull`]: { body: '<h1>Root canals</h1>', purpose: 'link' },
    })
    expect(fixOf(outcome)).toContain(`lead to ${at}/root-canal-hull.`)
  })

  test('that only the owner can mend are asked for one by one', () => {
    const message = messageFor(
      {
        ...home('<a href="/veneers">Veneers</a><a href="/braces">Braces</a>'),
        [`${at}/veneers`]: dead,
        [`${at}/braces`]: dead,
      },
      'freshness-index/internal-links',
    )
    expect(message?.asks).toEqual([
      'where “Veneers” (/veneers) shall lead: the page, its text if there is none yet, or “take the link out”',
      'where “Braces” (/braces) shall lead: the page, its text if there is none yet, or “take the link out”',
    ])
  })
})

describe('a sitemap', () => {
  const textOf = (more: Entries) =>
    sitemapBlock(
      site({
        ...home('<a href="/veneers">Veneers</a>'),
        [`${at}/robots.txt`]: 'User-agent: *\nDisallow: /private',
        [`${at}/sitemap.xml`]: { status: 404 },
        ...more,
      }),
    )?.block.text

  test('names linked pages that answered when they were tried', () => {
    const text = textOf({
      [`${at}/veneers`]: { purpose: 'link', body: '' },
      [`${at}/gone`]: { purpose: 'link', status: 404 },
      [`${at}/private/notes`]: { purpose: 'link', body: '' },
      [`${at}/price.pdf`]: { purpose: 'link', body: '', headers: { 'content-type': 'application/pdf' } },
    })
    expect(text?.match(/<loc>/g)).toHaveLength(2)
    expect(text).toContain(`<loc>${at}/veneers</loc>`)
  })

  test('names none of them where the site answers for every address', () => {
    const text = textOf({
      [`${at}/veneers`]: { purpose: 'link', body: '' },
      [`${at}/nowhere`]: { purpose: 'missing', body: 'Welcome' },
    })
    expect(text?.match(/<loc>/g)).toHaveLength(1)
  })
})

test('pages of one template and two subjects are no copies of one another', () => {
  const common = Array.from({ length: 190 }, (_, place) => `shared${place}`).join(' ')
  const page = (subject: string, words: string, canonical: string) =>
    `<html lang="en"><title>${subject} in Hull</title><link rel="canonical" href="${at}${canonical}"><body><h1>${subject}</h1><p>${common} ${words}</p>`
  const outcome = runCheck(
    crawlAccess,
    'canonical',
    site({
      ...home('', `<link rel="canonical" href="${at}/">`),
      [`${at}/root-canals`]: page('Root canals', 'nerve inflamed rescue', '/root-canals'),
      [`${at}/implants`]: page('Implants', 'titanium screw bone', '/root-canals'),
    }),
  )
  expect(fixOf(outcome)).toContain(`Name ${at}/implants as the canonical address`)
})

test('where one page lacks a marked menu and another its main part, each is ordered by itself', () => {
  const menu = '<a href="/a">One</a><a href="/b">Two</a><a href="/c">Three</a>'
  const outcome = runCheck(
    accessibilityActionability,
    'landmarks',
    site({
      [`${at}/`]: `<title>Lind</title><body><div>${menu}</div><h1>Lind</h1><p>Text</p>`,
      [`${at}/a`]: `<title>One</title><body><nav>${menu}</nav><h1>One</h1><p>Text</p>`,
    }),
  )
  expect(fixOf(outcome)).toMatch(
    /^Put the content of https:\S+ into <main>, and likewise on 1 more page\. Put the menu of https:\S+ into <nav>\./,
  )
})

test('articles that lack the same are all ordered where they are few', () => {
  const article = (title: string) =>
    `<html lang="en"><title>${title}</title><meta property="og:type" content="article"><body><article><h1>${title}</h1><p>${'word '.repeat(80)}</p></article>`
  const outcome = runCheck(
    structuredData,
    'page-type',
    site({
      ...home('<a href="/blog/one">One</a><a href="/blog/two">Two</a>'),
      [`${at}/blog/one`]: article('One'),
      [`${at}/blog/two`]: article('Two'),
    }),
  )
  expect(fixOf(outcome)).toContain('Do the same on another such page.')
})
