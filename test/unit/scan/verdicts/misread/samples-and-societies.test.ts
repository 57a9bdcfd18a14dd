import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { copyrightNamesOf } from '../../../../../src/products/scan/signals/brand-name.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { kindOfSite } from '../../../../../src/products/scan/signals/site-kind/site-kind.ts'
import { amountsIn } from '../../../../../src/products/scan/site/amounts.ts'
import { mailAddressesOf } from '../../../../../src/products/scan/site/contact/mail-addresses.ts'
import { streetsIn } from '../../../../../src/products/scan/site/contact/street-address.ts'
import { asksQuestion } from '../../../../../src/products/scan/site/html/words.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** What a template left as a sample is no fact of the site, and a society is no business. */

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)
const read = (html: string) => site({ [`${at}/`]: html })
const homeOf = (html: string) => {
  const { home } = read(html)
  if (home === undefined) throw new Error('the site has no home page')
  return home
}

describe('a sample', () => {
  test.each([
    '00-0000-0000',
    '03-0000-0000',
    '+49 000 0000000',
    '(000) 000-0000',
    '+39 02 1234 5678',
    '(01) 123-4567',
  ])('%s is no telephone number of the site', (number) => {
    const entries = read(`<title>Nord Plumbing</title><p>Tel. ${number}</p><p>a@nord.example</p>`)
    expect(quotesOf(runCheck(entityTrust, 'nap', entries))).not.toContain(number)
    expect(quotesOf(runCheck(workflowAutomation, 'lead-capture', entries))).not.toContain(number)
  })

  test.each([
    'info@yourdomain.com',
    'info@mydomain.com',
    'hello@your-company.com',
    'info@deine-domain.de',
    'contacto@tuempresa.com',
    'mail@domain.com',
    'info@xxxxxx.com',
  ])('%s is no e-mail address of the site', (address) => {
    const page = read(`<a href="mailto:${address}">Write</a>`).home
    expect(page && mailAddressesOf(page)).toEqual([])
  })

  test.each(['info@mydomaine.example', 'info@domainhaus.de', 'info@companyhouse.com'])(
    '%s is one',
    (address) => {
      const page = read(`<a href="mailto:${address}">Write</a>`).home
      expect(page && mailAddressesOf(page)).toEqual([address])
    },
  )

  test.each([
    ['linked', '<p>office@nord.example</p><a href="mailto:contact@yourwebsite.com">Mail</a>', 'is lost'],
    ['shown alone', '<p>nord@example.com</p>', 'only the address of a template'],
    [
      'that of the form',
      '<form action="https://forms.example/youremail@example.com" method="POST"><input type="email"><textarea></textarea></form>',
      'placeholder of its template',
    ],
  ])('an e-mail address of a template is named where it is %s', (_, html, reason) => {
    const outcome = runCheck(workflowAutomation, 'lead-capture', read(`<title>Nord Plumbing</title>${html}`))
    expect(outcome).toMatchObject({ result: 'fail', reason: expect.stringContaining(reason) })
  })

  test('two numbers with a slash between them are two', () => {
    expect(read('<p>Tel. (01) 723-4561 / 987 654 321</p>').home?.phones[0]).toBe('(01) 723-4561')
    expect(read('<p>Tel. 0151 / 19119111</p>').home?.phones[0]).toBe('0151 / 19119111')
  })

  test('a norm is no price', () => {
    expect(amountsIn('VOB/C ATV 18363 DIN-Norm', 5)).toEqual([])
    expect(amountsIn('1.500 din', 5)).toEqual(['1.500 din'])
  })
})

describe('a society', () => {
  test.each([
    '<p>Nord is a registered charity that helps families.</p>',
    '<p>Der Nord ist ein gemeinnütziger Verein.</p>',
    '<p>Nord è un’associazione di volontariato.</p>',
    '<p>A Nord é uma Instituição Particular de Solidariedade Social.</p>',
    '<a href="/donate">Donate</a>',
    '<a href="/spenden">Jetzt spenden</a>',
  ])('is known by %s', (html) => {
    expect(kindOfSite(read(`<title>Nord</title><h2>Our services</h2>${html}`))).toBe('association')
  })

  test.each([
    '<p>Nord Plumbing is a member of an association of plumbers.</p>',
    '<p>Nord Plumbing is a partner of a charity.</p>',
    '<a href="/blog/donate-old-boilers">Donate old boilers to schools</a>',
  ])('is not meant by %s', (html) => {
    expect(kindOfSite(read(`<title>Nord Plumbing</title><h2>Our services</h2>${html}`))).toBe('business')
  })

  test('without an address to write to is not told to publish security.txt', () => {
    const outcome = runCheck(
      entityTrust,
      'accountability',
      site({
        [`${at}/`]: `<title>Nord</title><p>${words(60)}</p>`,
        [`${at}/.well-known/security.txt`]: { status: 404, purpose: 'well-known' },
      }),
    )
    expect(outcome).toMatchObject({ result: 'fail', fix: expect.not.stringContaining('security.txt') })
  })
})

test.each([
  'Have a project in mind?',
  'Sie suchen eine neue Herausforderung?',
  'Tem alguma questão?',
  'Precisa de mais informações?',
  'Vous cherchez un plombier ?',
  'Wilt u meer weten?',
])('"%s" invites and asks nothing', (text) => {
  expect(asksQuestion(text)).toBe(false)
})

test.each(['Have you got insurance?', 'Haben Sie Parkplätze?', '¿Necesito cita?', 'Wie suchen Sie aus?'])(
  '"%s" asks',
  (text) => {
    expect(asksQuestion(text)).toBe(true)
  },
)

test('a gym is a business', () => {
  expect(kindOfSite(read('<title>Nord Gym</title><h1>Nord Gym</h1>'))).toBe('business')
})

test('a name stands in a title whose part goes on behind a comma', () => {
  const html =
    '<title>Burgers in Ulm — M. Nord, home made</title><meta property="og:site_name" content="M. Nord"><footer>© 2026 M. Nord</footer>'
  const outcome = runCheck(entityTrust, 'brand-name', read(html))
  expect(outcome.result).toBe('pass')
  expect(quotesOf(outcome)).toContain('the title: has "M. Nord"')
})

test('a question whether one needs an appointment offers none', () => {
  const html = `<title>Nord Dental</title><h1>Dentist</h1><p>${words(60)}</p><a href="#a">Do I need an appointment?</a>`
  expect(runCheck(workflowAutomation, 'booking', read(html)).result).toBe('na')
})

describe('a rating in the markup', () => {
  const rated = (properties: object, text: string) =>
    runCheck(
      entityTrust,
      'proof',
      read(
        `<title>Nord Plumbing</title><script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...properties })}</script><p>${words(60)}</p>${text}`,
      ),
    )
  const rating = { '@type': 'AggregateRating', ratingValue: '5.0', reviewCount: '38' }

  test.each(['<p>5,0 Sterne</p>', '<p>5 of 5 ★★★★★</p>', '<p>Rated by 38 customers</p>'])(
    'counts where readers see %s',
    (text) => {
      expect(rated(rating, text).result).toBe('pass')
    },
  )

  test.each(['', '<p>5 vans, call 15,0 or 5,05</p>', '<p>since 1938</p>'])(
    'is said to be unseen beside "%s"',
    (text) => {
      expect(rated(rating, text)).toMatchObject({
        result: 'fail',
        fix: expect.stringContaining('Take the rating out'),
      })
    },
  )

  test('counts with the words of a review or its writer', () => {
    const review = {
      '@type': 'Review',
      reviewBody: 'They came within an hour.',
      author: { '@type': 'Person', name: 'Ada Lind' },
    }
    expect(rated(review, '<p>They came within an hour.</p>').result).toBe('pass')
    expect(rated(review, '<p>Ada Lind, Ulm</p>').result).toBe('pass')
    expect(rated(review, '').result).toBe('fail')
  })
})

test('the number of a register is no telephone number', () => {
  expect(read('<footer>KRS: 0001166594, REGON: 541416575</footer>').home?.phones).toEqual([])
})

test('an e-mail address of the markup that any page shows does not differ from the pages', () => {
  const markup = `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Organization', name: 'Nord', email: 'help@nord.example' })}</script>`
  const pages = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      `${at}/${name}`,
      { body: `<h1>${name}</h1><p>team@nord.example</p>`, purpose: 'page' as const },
    ]),
  )
  const outcome = runCheck(
    entityTrust,
    'nap',
    site({
      [`${at}/`]: `<title>Nord plumbing</title>${markup}<p>team@nord.example</p>`,
      ...pages,
      [`${at}/punkty`]: {
        body: '<h1>Punkty</h1><a href="mailto:help@nord.example">Help</a>',
        purpose: 'page',
      },
    }),
  )
  expect(outcome.result).toBe('pass')
})

test('digits at the beginning of a name belong to it, behind a year as well', () => {
  const [footer = ''] = copyrightNamesOf(homeOf('<title>360ops</title><footer>© 2026 360opsAI LLC</footer>'))
  expect(footer).toBe('360opsAI LLC')
})

test('a name before the town stands in the title', () => {
  const html =
    '<title>Prices - Physio Ana Lind Ulm</title><meta property="og:site_name" content="Physio Ana Lind"><footer>© 2026 Physio Ana Lind, Weg 1, 89073 Ulm</footer>'
  expect(runCheck(entityTrust, 'brand-name', read(html)).result).toBe('pass')
})

test('a program is no price', () => {
  expect(amountsIn('Migration to S/4HANA, S/ 45.00 a month', 5)).toEqual(['S/ 45.00'])
})

test('an application for telephones is not asked how other software connects', () => {
  const app = (store: string) =>
    runCheck(
      workflowAutomation,
      'integrations',
      read(
        `<title>Nord Tales</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"SoftwareApplication","name":"Nord Tales"}</script><p>${words(60)}</p>${store}`,
      ),
    ).result
  expect(app('<a href="https://apps.apple.com/app/id1">App Store</a>')).toBe('na')
  expect(app('')).toBe('fail')
})

describe('a block says of the site only what describes it', () => {
  const factsOf = (html: string, more: Entries = {}) => {
    const one = site({ [`${at}/`]: html, ...more })
    return readFacts(one, one.home ?? homeOf(html))
  }
  const telling =
    'We have repaired the roofs of houses and of barns in Ulm since 1998, with slate and with tile.'

  test.each([
    'Willkommen in der Praxis von Ada Lind, wir sind immer gern für Sie da!',
    'We are so glad: welcome, and thank you for the visit to our pages here.'.replace('We are', "We're"),
    'In questa sezione verranno pubblicate le nostre prossime attività e iniziative.',
    'This will be replaced with the description text of the firm, as soon as it is there.',
    '※祝祭日も診察を行っておりますが、休診日もございますので、事前にご確認ください。よろしくお願いします。',
  ])('and not "%s"', (text) => {
    expect(
      factsOf(`<title>Nord</title><main><h1>Nord</h1><p>${text}</p><p>${telling}</p></main>`).description,
    ).toBe(telling)
  })

  test('in sentences that are whole, beyond an abbreviation', () => {
    const whole =
      'Nord repairs roofs of slate, tile, thatch, etc.pp. for houses in Ulm. It was founded by Dr. Ada Lind.'
    expect(factsOf(`<title>Nord</title><main><h1>Nord</h1><p>${whole}</p></main>`).description).toBe(whole)
  })

  test('its description is more than its name', () => {
    const html = `<title>Nord Roofs</title><meta name="description" content="Nord Roofs"><main><h1>Nord Roofs</h1><p>${telling}</p></main>`
    expect(factsOf(html).description).toBe(telling)
  })

  test('a promise, an address and another writing are no rivals of its name', () => {
    const titled = (title: string) => ({
      body: `<title>${title}</title><h1>x</h1>`,
      purpose: 'page' as const,
    })
    const pages = {
      [`${at}/a`]: titled('Prices | Ihr Maler in Ulm'),
      [`${at}/b`]: titled('Team | Ihr Maler in Ulm'),
    }
    const home =
      '<title>Nord Farben</title><h1>Nord Farben</h1><footer>Nord Farben © 2020<br>102 E Main St Suite 101</footer>'
    expect(factsOf(home, pages)).toMatchObject({ name: 'Nord Farben', conflicts: { name: undefined } })
  })

  test('its e-mail address is not the one for law or for applications', () => {
    const html =
      '<title>Nord</title><p>legal@nord.example</p><p>jobs@nord.example</p><p>hello@nord.example</p>'
    expect(factsOf(html).email).toBe('hello@nord.example')
  })
})

test('the one title of all pages is the name', () => {
  const title = "<title>Chambres d'hôtes des Bruyères</title>"
  const one = site({
    'https://ada.github.io/': `${title}<p>${words(60)}</p>`,
    'https://ada.github.io/a': { body: `${title}<p>a</p>`, purpose: 'page' },
  })
  expect(companyName(one)).toBe("Chambres d'hôtes des Bruyères")
})

test('a title that is a town is taken before the domain', () => {
  const html = '<title>Galey</title><p>Mairie, 09800 Galey</p>'
  expect(companyName(site({ 'https://ada.github.io/': html }))).toBe('Galey')
})

test('a telephone number has both brackets or none', () => {
  expect(read('<p>Call (+675) 83946536</p>').home?.phones[0]).toBe('(+675) 83946536')
})

test('a centre of Dr. Dias is no drive', () => {
  expect(streetsIn('Tel. 227 151 340 Centro Dr. Mário Dias')).toEqual([])
  expect(streetsIn('954 Oak Dr. Springfield').map(({ written }) => written)).toEqual(['954 Oak Dr'])
})

test.each(['Musterstraße 123, 12345 Musterstadt', '12 Example Street', 'Calle Falsa 123'])(
  '%s is the address of a template',
  (text) => {
    expect(streetsIn(text)).toEqual([])
  },
)

test('two numbers of nine digits with a blank between them are two', () => {
  expect(read('<p>Tel. 692-787-380 608-123-456</p>').home?.phones[0]).toBe('692-787-380')
  expect(read('<p>Tel. 030 901-820-55 12</p>').home?.phones[0]).toBe('030 901-820-55 12')
})

test('a proverb is no offer of appointments', () => {
  const html = `<title>Nord schoonmaak</title><h2>Afspraak is afspraak</h2><p>${words(60)}</p>`
  expect(runCheck(workflowAutomation, 'booking', read(html)).result).toBe('na')
})

test('a congregation is known by what it says of itself', () => {
  const html = '<title>Peace Nord</title><p>We are a Lutheran congregation rooted in the Gospel.</p>'
  expect(kindOfSite(read(html))).toBe('faith')
})

test('a testimonial does not describe the site', () => {
  const quote =
    '“I am an alumna of this school, and I recently graduated with honors. It is awesome, not perfect.”'
  const telling =
    'Nord School teaches children of all ages in Ulm, in small classes and with music every day.'
  const one = read(
    `<title>Nord School</title><main><h1>Nord School</h1><p>${quote}</p><p>${telling}</p></main>`,
  )
  expect(one.home && readFacts(one, one.home).description).toBe(telling)
})
