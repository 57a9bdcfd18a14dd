import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { coreSnapshot } from '../../../../../src/products/scan/agents/core-snapshot/core-snapshot.ts'
import { crawlAccess } from '../../../../../src/products/scan/agents/crawl-access/crawl-access.ts'
import { entityTrust } from '../../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { securitySafety } from '../../../../../src/products/scan/agents/security-safety/security-safety.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { askedOnce, contactAsks } from '../../../../../src/products/scan/report/blocks/facts/asked-once.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { postalAddressesIn } from '../../../../../src/products/scan/report/blocks/facts/postal-address.ts'
import { companyName } from '../../../../../src/products/scan/signals/company-name.ts'
import { amountsIn } from '../../../../../src/products/scan/site/amounts.ts'
import { isSamplePhone } from '../../../../../src/products/scan/site/phone-numbers.ts'
import type { Site } from '../../../../../src/products/scan/site/site.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../../support/scans/captured.ts'
import { fixOf, quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** Links to parts of pages, addresses and names, as owners of practices found them in reports on their sites. */

const at = (path = '/') => `https://lind.example${path}`
const page = (html: string, title = 'Lind Dental Practice', lang = 'en') =>
  `<html lang="${lang}"><title>${title}</title><body><h1>Lind Dental Practice</h1>${html}`
const home = (html: string): Entries => ({ [at()]: page(html) })
const actionsOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis.report.actions ?? []
const factsOf = (one: Site) => {
  if (one.home === undefined) throw new Error('the site has no home page')
  return readFacts(one, one.home)
}

describe('a link to a part of a page', () => {
  const linksOf = (entries: Entries) => runCheck(freshnessIndex, 'internal-links', site(entries))

  test.each([
    ['warn', 'that no element has', '<a href="#kontakt">Contact</a>'],
    ['na', 'that an element has', '<a href="#kontakt">Contact</a><p id="kontakt">Call us</p>'],
    ['na', 'that a script opens', '<a href="#kontakt">Contact</a><script>open("kontakt")</script>'],
    ['na', 'with an attribute for a script', '<a href="#kontakt" data-modal>Contact</a>'],
    ['na', 'of an application', '<a href="#!/shop">Shop</a>'],
    ['na', 'that is the top', '<a href="#top">Up</a>'],
    ['na', 'of a page whose script was not read', '<a href="#kontakt">C</a><script src="/app.js"></script>'],
  ])('%s: one %s', (result, _, html) => {
    expect(linksOf(home(html)).result).toBe(result)
  })

  test('is counted on all pages, and the part is named', () => {
    const outcome = linksOf({
      ...home('<a href="#kontakt">Contact</a>'),
      [at('/team')]: page('<a href="/#kontakt">Contact</a><a href="/">Home</a>'),
    })
    expect(fixOf(outcome)).toContain(`Give the part of ${at()} that is meant the id "kontakt".`)
    expect(quotesOf(outcome)).toBe('link to "#kontakt", 2 times')
  })

  test('is no next step where the part is missing', () => {
    const outcome = runCheck(accessibilityActionability, 'cta', site(home('<a href="#book">Book now</a>')))
    expect('reason' in outcome ? outcome.reason : '').toContain(
      'a link to a part that the page does not have',
    )
  })

  test('is called what other links to the same part are called', () => {
    const outcome = runCheck(
      accessibilityActionability,
      'names',
      site({
        ...home('<p id="praxis"></p><p id="kontakt"></p>'),
        [at('/team')]: page(
          '<a href="/#praxis">Practice</a><a href="/#kontakt">Contact</a><a href="/#kontakt"><i></i></a>',
        ),
      }),
    )
    expect(fixOf(outcome)).toContain('the text "Contact"')
  })
})

test('the names of links are shown beside a long list of buttons', () => {
  const buttons = '<button></button>'.repeat(80)
  const outcome = runCheck(
    accessibilityActionability,
    'names',
    site(home(`${buttons}<a href="/team"><i></i></a>`)),
  )
  expect(quotesOf(outcome)).toContain('<a href="/team">')
})

describe('the address of an insurer', () => {
  const notice =
    '<h2>Legal notice</h2><p>Praxis Lind, Gartenweg 9, 91301 Forchheim</p><p>Haftpflichtversicherung bei: Nordlicht AG, Hafenallee 92, 44139 Dortmund</p>'
  const entries = {
    [at()]: page('<a href="/impressum">Impressum</a>', 'Praxis Lind', 'de'),
    [at('/impressum')]: page(notice, 'Impressum', 'de'),
  }

  test('is none of the site', () => {
    const { address, conflicts } = factsOf(site(entries))
    expect(address?.streetAddress).toBe('Gartenweg 9')
    expect(conflicts.address).toBeUndefined()
    expect(quotesOf(runCheck(entityTrust, 'nap', site(entries)))).not.toContain('Hafenallee')
  })
})

test('the address of a template is written over with its town, on all pages', () => {
  const sample = '<footer><p>Musterstraße 1<br>8001 Zürich</p></footer>'
  const entries = { [at()]: page(sample, 'Praxis Lind', 'de'), [at('/en')]: page(sample) }
  expect(fixOf(runCheck(entityTrust, 'nap', site(entries)))).toContain(
    `in place of "Musterstraße 1" and "8001 Zürich" on ${at()} and ${at('/en')}`,
  )
  const action = actionsOf(entries).find(({ id }) => id === 'entity-trust/nap')
  expect(action?.block?.missing).toEqual([contactAsks.street])
  expect(action?.block?.text).toContain('no longer has this step')
})

test('towns may stand before the street in Russian', () => {
  const [found] = postalAddressesIn('г. Донецк, ул. Университетская, 35')
  expect(found?.address.addressLocality).toBe('Донецк')
})

test.each([
  ['Loehr-Physiotherapie', 'Löhr-Physiotherapie in Forchheim', 'Löhr-Physiotherapie'],
  ['Loehr-Physiotherapie', 'Loehr-Physiotherapie, früher Löhr-Physiotherapie', 'Loehr-Physiotherapie'],
  ['Blue Dental Practice', 'Blue Dental Practice', 'Blue Dental Practice'],
])('%s with a page that says “%s” is %s', (title, text, name) => {
  const entries = {
    [at()]: `<html lang="de"><title>${title}</title><body><h1>Praxis</h1><p>${text}</p><footer>© 2026 ${text.split(' ')[0]}</footer>`,
  }
  expect(companyName(site(entries))).toBe(name)
})

test.each([
  ['20 Minuten - 22, 00 €', '22, 00 €'],
  ['5, 10 und 20 €', '20 €'],
])('the amount of “%s” is %s', (text, amount) => {
  expect(amountsIn(text, 5)).toEqual([amount])
})

test('two numbers of ten digits side by side are telephone numbers', () => {
  const { pages } = site(home('<footer><p>5521855378 / 5547919827</p></footer>'))
  expect(pages[0]?.phones).toEqual(['5521855378', '5547919827'])
})

test('a main heading in the footer is no rival of the one at the top', () => {
  const outcome = runCheck(
    coreSnapshot,
    'one-h1',
    site(home('<div class="footer-logo"><h1>GOMMS</h1></div>')),
  )
  expect(fixOf(outcome)).toContain('Let "Lind Dental Practice" stay the only h1')
  expect(fixOf(outcome)).toContain('make "GOMMS" in the footer a paragraph')
})

test('figures that count up in a heading beside their label are found', () => {
  const box =
    '<div><div><h3><span data-from="0" data-to="14588"> 0 </span></h3></div><div>Cavities filled</div></div>'
  expect(runCheck(renderPerformance, 'counters', site(home(box))).result).toBe('fail')
})

test('an address in the sitemap that only sends on to another one there is taken out', () => {
  const outcome = runCheck(
    crawlAccess,
    'sitemap-quality',
    site({
      [at()]: page('<p>x</p>'),
      [at('/sitemap.xml')]: {
        purpose: 'sitemap',
        body: `<urlset><url><loc>${at('/')}</loc></url><url><loc>${at('/de/')}</loc></url></urlset>`,
      },
      [at('/old')]: {
        purpose: 'sitemap-url',
        finalUrl: at('/de/'),
        redirects: [{ url: at('/old'), status: 200 }],
        body: page('<p>x</p>'),
      },
    }),
  )
  expect(fixOf(outcome)).toContain(`it only sends browsers on to ${at('/de/')}, which is listed already.`)
})

describe('what is asked for once', () => {
  const block = (missing: readonly string[], text = 'lines') => ({
    kind: 'text' as const,
    where: 'Where.',
    text,
    missing: [...missing],
  })

  test('is named where a later message would ask for it', () => {
    const [first, second] = askedOnce([
      block([contactAsks.all]),
      block([contactAsks.place, contactAsks.markedPhone, 'your logo (logo)']),
    ])
    expect(first?.missing).toEqual([contactAsks.all])
    expect(second?.missing).toEqual(['your logo (logo)'])
    expect(second?.where).toContain('Your street address stands in an earlier answer: add it as "address".')
  })

  test('leaves no question behind in a message that is written already', () => {
    const written = `Please change this on our website.\n\nDo this.\n\nPlease use this fact. If the answer is missing, ask me for it first:\n- ${contactAsks.all}: \n\nDone.`
    const [, second] = askedOnce([
      block([contactAsks.markedPhone, contactAsks.mail, contactAsks.place]),
      block([contactAsks.all], written),
    ])
    expect(second?.missing).toEqual([])
    expect(second?.text).toBe(
      'Please change this on our website.\n\nDo this.\n\nTelephone number, e-mail address and street address stand in an earlier answer.\n\nDone.',
    )
  })

  test('stays where only a part of it was asked for before', () => {
    const [, second] = askedOnce([block([contactAsks.markedPhone]), block([contactAsks.all])])
    expect(second?.missing).toEqual([contactAsks.all])
  })
})

test('a privacy notice that another step asks for is not asked for again', () => {
  const text = '<p>Call 01803 496021</p>'
  const asked = (html: string, more: Entries = {}) =>
    actionsOf({ ...home(html), ...more })
      .flatMap(({ block }) => block?.missing ?? [])
      .filter((one) => one.startsWith('the sentence of consent'))
  expect(asked(text)).toEqual(['the sentence of consent for the form'])
  const notice = `<h2>Privacy policy</h2><p>${'We keep your data as the law asks us to. '.repeat(30)}</p>`
  expect(
    asked(`${text}<footer><a href="/privacy">Privacy policy</a></footer>`, {
      [at('/privacy')]: page(notice, 'Privacy policy'),
    }),
  ).toEqual(['the sentence of consent for the form, and what is new in the privacy notice, if you have one'])
})

test('a form with a box for the consent and a link to the notice is asked for no other', () => {
  const form = (rest: string) =>
    `<form id="f"><input type="email" name="m"><textarea name="t"></textarea>${rest}<button>Send</button></form><script>document.getElementById('f').addEventListener('submit', (event) => { event.preventDefault(); location.href = 'mailto:lind@lind.example' })</script>`
  const block = (rest: string) =>
    actionsOf(home(form(rest))).find(({ settles }) => settles.includes('workflow-automation/lead-capture'))
      ?.block
  const consent = '<input type="checkbox" name="c"> I agree to the <a href="/privacy">privacy policy</a>'
  const asked = (rest: string) => block(rest)?.missing?.some((one) => one.includes('consent'))
  expect([asked(''), asked('<input type="checkbox" name="news"> News'), asked(consent)]).toEqual([
    true,
    true,
    false,
  ])
  expect(block('')?.text).toContain('Give it the consent')
  expect(block(consent)?.text).not.toContain('consent')
})

describe('controls that do nothing', () => {
  const menu = '<a href="#">About</a><a href="#">Services</a>'
  const linksOf = (html: string) => runCheck(freshnessIndex, 'internal-links', site(home(html)))

  test.each([
    ['warn', 'no script', menu],
    ['warn', 'a script that listens to no clicks', `${menu}<script>new Swiper({ clickable: true })</script>`],
    [
      'na',
      'a script that listens to clicks around them',
      `<nav>${menu}</nav><script>document.querySelector("nav").addEventListener("click", open)</script>`,
    ],
    ['na', 'a script that was not read', `${menu}<script src="/app.js"></script>`],
    ['na', 'an attribute for a script', '<a href="#" data-toggle="menu">Menu</a>'],
    ['na', 'a box that listens', `<div onclick="open()">${menu}</div>`],
  ])('%s: links to "#" beside %s', (result, _, html) => {
    expect(linksOf(html).result).toBe(result)
  })

  test('are asked for where they shall lead', () => {
    const asked = actionsOf(home(menu)).flatMap(({ block }) => block?.missing ?? [])
    expect(asked.join()).toContain(
      'the address, or the file, for each link that leads nowhere now (“About” and “Services”)',
    )
  })

  test('are no next step', () => {
    const stepOf = (html: string) => runCheck(accessibilityActionability, 'cta', site(home(html)))
    expect(stepOf('<button>Book now</button>').result).toBe('fail')
    expect(stepOf('<button onclick="book()">Book now</button>').result).toBe('pass')
    expect(stepOf('<form action="/book"><button>Book now</button></form>').result).toBe('pass')
  })
})

describe('a dead link whose page became a part of another one', () => {
  const card =
    '<article onclick="location.href=\'service-implants.html\'"><a href="/service-implants.html">Read more</a></article>'
  const outcome = runCheck(
    freshnessIndex,
    'internal-links',
    site({
      ...home(`${card}<a href="/services.html">Services</a>`),
      [at('/services.html')]: page('<h2 id="implants">Implants</h2>'),
      [at('/service-implants.html')]: { purpose: 'link', status: 404 },
    }),
  )

  test('is led to that part, also in the script around it', () => {
    expect(fixOf(outcome)).toContain(`lead to ${at('/services.html#implants')}.`)
    expect(fixOf(outcome)).toContain('The same address stands in an onclick attribute there')
  })
})

describe('a form in a part that its own style switches off', () => {
  const form =
    '<form action="https://formspree.io/f/a"><input type="email" name="email"><textarea name="m"></textarea><button>Send</button></form>'
  const off = (attributes: string) => `<div style="display:none" ${attributes}>${form}</div>`
  const leadOf = (html: string) => runCheck(workflowAutomation, 'lead-capture', site(home(html))).result

  test.each([
    ['fail', 'nothing', off('id="kf"')],
    ['pass', 'a handler in an attribute', `${off('id="kf"')}<button onclick="show('kf')">Write</button>`],
    ['pass', 'an attribute of a framework', off('id="kf" x-show="open"')],
    ['pass', 'an attribute of a library', `${off('id="kf"')}<a data-fancybox data-src="#kf">Write</a>`],
    [
      'pass',
      'a script that takes the next part',
      `${off('class="kf"')}<script>a.onclick = () => b.nextElementSibling.hidden = false</script>`,
    ],
    ['pass', 'a script that was not read', `${off('id="kf"')}<script src="/app.js"></script>`],
    ['pass', 'a link of another page', `${off('id="kf"')}<a href="/team#kf">Write</a>`],
  ])('%s: opened by %s', (result, _, html) => {
    expect(leadOf(html)).toBe(result)
  })
})

describe('what looks idle or missing, and is not', () => {
  const linksOf = (entries: Entries) => runCheck(freshnessIndex, 'internal-links', site(entries)).result
  const stepOf = (html: string) => runCheck(accessibilityActionability, 'cta', site(home(html))).result

  test.each([
    '<a href="#">Back to top</a>',
    '<ul><li><a href="#">Services</a><ul><li><a href="/a">A</a></li></ul></li></ul>',
    '<a href="#0">Menu</a>',
    '<a href="#void">Menu</a>',
    '<h2 id="%c3%bcber-uns">Us</h2><a href="#%c3%bcber-uns">Us</a>',
    '<a href="#preise">Prices</a><script>show(location.hash)</script>',
    '<a href="#termin" class="js-popup">Book</a><script>open(".js-popup")</script>',
    '<a href="#preise">Prices</a><script src="https://cdn.jsdelivr.net/npm/tocbot@4/dist/tocbot.min.js"></script>',
    '<a href="#preise">Prices</a><div data-anchor="preise"></div>',
  ])('%s', (html) => {
    expect(linksOf(home(html))).not.toBe('warn')
  })

  test('is a part that the script of its own page writes', () => {
    const entries = {
      ...home('<a href="/preise#kronen">Crowns</a><a href="/preise">Prices</a>'),
      [at('/preise')]: page('<script>document.body.innerHTML = list</script>'),
    }
    expect(linksOf(entries)).not.toBe('warn')
  })

  test.each(['hx-get="/b"', 'wire:click="b"', '(click)="b()"', '_="on load log me"', 'interestfor="b"'])(
    'is a button with %s',
    (attribute) => {
      expect(stepOf(`<button ${attribute}>Book now</button>`)).toBe('pass')
    },
  )
})

test('an insurer is not taken for another organization on its own site', () => {
  const html = '<footer>Versicherung Lind, Hauptstraße 12, 50667 Köln</footer>'
  const one = site({ [at()]: page(html, 'Versicherung Lind', 'de') })
  expect(quotesOf(runCheck(entityTrust, 'nap', one))).toContain('Hauptstraße 12')
})

test('what only the script of a maker of forms shows on the page for contact is not known', () => {
  const widget = '<p>Call 01803 496021</p><script src="https://elfsightcdn.com/platform.js" async></script>'
  const one = site({ ...home('<a href="/contact">Contact</a>'), [at('/contact')]: page(widget, 'Contact') })
  expect(runCheck(workflowAutomation, 'lead-capture', one).result).toBe('unmeasured')
  expect(runCheck(workflowAutomation, 'crm-tags', one).result).toBe('unmeasured')
})

test('an answer with the number of a template is in no block', () => {
  const faq = page(
    '<h2>Do you take cards?</h2><p>Yes, all of them are taken at the desk.</p><h2>What do I do at night?</h2><p>Call (555) 123-4567 at once.</p><h2>Where can I park?</h2><p>Behind the house, for two hours.</p>',
    'FAQ',
  )
  const text = actionsOf({ ...home('<a href="/faq">FAQ</a>'), [at('/faq')]: faq })
    .map(({ block }) => block?.text ?? '')
    .find((one) => one.includes('FAQPage'))
  expect(text).toContain('Where can I park?')
  expect(text).not.toContain('123-4567')
})

test('a stylesheet that is gone keeps no space for pictures, and is not called unread', () => {
  const outcome = runCheck(
    renderPerformance,
    'img-dims',
    site({
      ...home('<link rel="stylesheet" href="/a.css"><img src="/a.jpg" alt="A">'),
      [at('/a.css')]: { purpose: 'style', status: 404 },
    }),
  )
  expect('reason' in outcome ? outcome.reason : '').not.toContain('not read')
})

test('the unit of a Korean address stays with its street', () => {
  const [found] = postalAddressesIn('성남대로 925번길 11, 202호 (야탑동)')
  expect(found?.address.streetAddress).toBe('성남대로 925번길 11, 202호')
})

test.each([
  ['진료 및 예약문의 전화 031-606-7575', 'ko', 'warn'],
  ['ご予約時にお伝えください。電話 03-3723-0000', 'ja', 'warn'],
])('“%s” speaks of appointments', (text, lang, result) => {
  const one = site({ [at()]: page(`<p>${text}</p>`, 'Lind', lang) })
  expect(runCheck(workflowAutomation, 'booking', one).result).toBe(result)
})

test.each([
  ['https://lind.app/', 'pass'],
  ['https://lind.example/', 'fail'],
])('browsers open %s over https alone: %s', (url, result) => {
  expect(runCheck(securitySafety, 'hsts', site({ [url]: page('<p>x</p>') })).result).toBe(result)
})

test('the part about the people is counted without its heading, and is not the whole document', () => {
  const team = `<section id="about"><h2>About our practice</h2><p>${'word '.repeat(40)}</p></section>`
  expect(quotesOf(runCheck(entityTrust, 'about', site(home(team))))).toContain('40 words below')
})

test('the line below the main heading describes the business, also in a header', () => {
  const text = 'Advanced dental and implant centre in Chokli, Kerala, for all ages'
  const html = `<html lang="en"><title>Lind</title><body><header><h1>Lind</h1><p>${text}</p></header><main><p>Enhancing your natural beauty with whitening, veneers and aligners.</p></main>`
  expect(factsOf(site({ [at()]: html })).description).toBe(text)
})

test('who names a canonical address at a lent domain is asked for the own one', () => {
  const asked = (url: string) =>
    analyze(captured({ [url]: page('<p>We are dentists.</p>') }, { url }), defaultNow)
      .analysis.report.actions?.flatMap(({ block }) => block?.missing ?? [])
      .join()
  expect(asked('https://lind.github.io/')).toContain('replaces the whole https://lind.github.io/')
  // The folder belongs to the lent host, too.
  expect(asked('https://lind.github.io/dental/index.html')).toContain(
    'replaces the whole https://lind.github.io/dental/',
  )
})

test('a name is asked for once', () => {
  const ask = 'your name as it stands on your sign, if it is not “Lind”'
  const block = (missing: string) => ({
    kind: 'text' as const,
    where: 'Where.',
    text: 'x',
    missing: [missing],
  })
  const [first, second] = askedOnce([block(`${ask} (name)`), block(ask)])
  expect(first?.missing).toHaveLength(1)
  expect(second?.missing).toEqual([])
  expect(second?.where).toContain('Does an earlier answer have another name?')
})

test('98765 43210 is the number of a template', () => {
  expect(isSamplePhone('+91 98765 43210')).toBe(true)
})
