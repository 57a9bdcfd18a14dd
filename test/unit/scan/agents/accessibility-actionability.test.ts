import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { site } from '../../../support/scans/captured.ts'
import { runCheck, runChecks } from '../../../support/scans/checks.ts'

const at = 'https://site.example/'

function run(id: string, body: string) {
  const outcome = runCheck(accessibilityActionability, id, site({ [at]: body }))
  return { outcome, json: JSON.stringify(outcome) }
}

const many = (count: number, one: string) => one.repeat(count)
const labelled = '<input aria-label="City">'

test.each<[string, string, string, string, string]>([
  ['19 of 20 labeled fields are enough', 'labels', `${many(19, labelled)}<input>`, 'pass', '19 of 20'],
  ['18 of 19 labeled fields are too few', 'labels', `${many(18, labelled)}<input name=lost>`, 'fail', 'lost'],
  [
    'a label with the id of a field names it',
    'labels',
    '<label for=a>Name</label><input id=a>',
    'pass',
    '1 of 1',
  ],
  [
    'a label with the id of another field does not name this one',
    'labels',
    '<label for=b>Name</label><input id=a>',
    'fail',
    '0 of 1',
  ],
  ['a label around a field names it', 'labels', '<label>Name <input></label>', 'pass', '1 of 1'],
  [
    'the options of a select are not its label',
    'labels',
    '<label><select><option>One</option></select></label>',
    'fail',
    '0 of 1',
  ],
  [
    'a text that aria-labelledby refers to names a field',
    'labels',
    '<b id=x>Name</b><input aria-labelledby=x>',
    'pass',
    '1 of 1',
  ],
  [
    'a placeholder names a field that nothing else names',
    'labels',
    '<input placeholder=Name>',
    'pass',
    '1 of 1',
  ],
  [
    'buttons and hidden fields need no label',
    'labels',
    '<input type=submit><input type=hidden><input type=image>',
    'na',
    '',
  ],
  [
    'hidden fields are not counted',
    'labels',
    '<div hidden><input></div><div style="display: none"><textarea></textarea></div>',
    'na',
    '',
  ],
  [
    '19 of 20 named links are enough',
    'names',
    `${many(19, '<a href=/>Home</a>')}<a href=/x></a>`,
    'pass',
    '19 of 20',
  ],
  [
    '18 of 19 named links are too few',
    'names',
    `${many(18, '<a href=/>Home</a>')}<a href=/lost></a>`,
    'fail',
    '/lost',
  ],
  [
    'the alternative text of an icon names its button',
    'names',
    '<button><img src=x alt=Search></button>',
    'pass',
    '1 of 1',
  ],
  [
    'the title of an SVG names its link',
    'names',
    '<a href=/><svg><title>Menu</title></svg></a>',
    'pass',
    '1 of 1',
  ],
  [
    'an SVG without words does not name its link',
    'names',
    '<button><svg><path d="M0"/></svg></button>',
    'fail',
    '0 of 1',
  ],
  [
    'a submit button without a value has the name that browsers write on it',
    'names',
    '<input type=submit>',
    'pass',
    '1 of 1',
  ],
  [
    'a submit button with an empty value has no name',
    'names',
    '<input type=submit value="">',
    'fail',
    '0 of 1',
  ],
  ['names do not apply to a page without controls', 'names', '<p>x</p>', 'na', ''],
  ['a language tag with its region is valid', 'lang', '<html lang=pt-BR>', 'pass', 'pt-BR'],
  ['a language tag with an underscore is not valid', 'lang', '<html lang=en_US>', 'fail', 'en_US'],
  ['the name of a language is not a language tag', 'lang', '<html lang=english>', 'fail', 'english'],
  ['a page without a language fails', 'lang', '<html><p>x</p>', 'fail', 'without lang'],
  [
    '9 of 10 images with alternative text are enough',
    'alt',
    `${many(9, '<img src=a alt="A tooth">')}<img src=b>`,
    'pass',
    '9 of 10',
  ],
  [
    '8 of 9 images with alternative text are too few',
    'alt',
    `${many(8, '<img src=a alt="A tooth">')}<img src=lost>`,
    'fail',
    'lost',
  ],
  [
    'a drawing with a name counts as an image that has one',
    'alt',
    `${many(9, '<svg role="img"><title>A tooth</title></svg>')}<img src=b>`,
    'pass',
    '9 of 10',
  ],
  ['a file name is not an alternative text', 'alt', '<img src=a alt="IMG_2041.jpg">', 'fail', '0 of 1'],
  [
    'decoration needs no alternative text',
    'alt',
    '<img src=a alt=""><img src=b role=presentation><img src=c width=1 height=1>',
    'na',
    '',
  ],
  [
    'a div with onclick and no role is not a control',
    'real-controls',
    '<div onclick="go()" id=fake>Go</div>',
    'fail',
    'fake',
  ],
  [
    'a card with onclick and a button in it is no control itself',
    'real-controls',
    '<div onclick="go()"><p><button>Go</button></p></div>',
    'pass',
    '0 onclick',
  ],
  [
    'a div with onclick and a role is a control',
    'real-controls',
    '<div onclick="go()" role=button>Go</div>',
    'pass',
    '0 onclick',
  ],
  [
    'a positive tabindex fails because it changes the order of focus',
    'real-controls',
    '<a href=/ tabindex=3>x</a>',
    'fail',
    'tabindex=\\"3\\"',
  ],
  [
    'tabindex 0 and -1 pass',
    'real-controls',
    '<a href=/ tabindex=0>x</a><p tabindex=-1>',
    'pass',
    '0 positive',
  ],
  ['a page with main and nav has its landmarks', 'landmarks', '<nav></nav><main></main>', 'pass', '<main>'],
  [
    'the roles main and navigation count as landmarks',
    'landmarks',
    '<div role=navigation></div><div role=main></div>',
    'pass',
    '<main>',
  ],
  [
    'a page with a menu and without nav lacks a landmark',
    'landmarks',
    '<main></main><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a>',
    'fail',
    'no <nav>',
  ],
  ['a page that links nothing needs no nav', 'landmarks', '<main></main>', 'pass', '<main>'],
  [
    'known roles and references are valid',
    'aria-valid',
    '<i id=a>x</i><div role="button" aria-describedby=a>',
    'pass',
    '1 element',
  ],
  ['one known role of several is valid', 'aria-valid', '<div role="cards list">', 'pass', '1 element'],
  ['an invented role is not valid', 'aria-valid', '<div role=card>', 'fail', 'card'],
  [
    'an invented aria attribute is not valid',
    'aria-valid',
    '<div aria-labeledby=x>',
    'fail',
    'aria-labeledby',
  ],
  ['a reference to a missing id is not valid', 'aria-valid', '<div aria-labelledby=gone>', 'fail', 'gone'],
  [
    'a reference to an id that exists twice is not valid',
    'aria-valid',
    '<i id=a></i><i id=a></i><label for=a>x</label>',
    'fail',
    '2 times',
  ],
  [
    'a closed menu may refer to an id that its opening creates',
    'aria-valid',
    '<button aria-controls=menu aria-expanded=false>',
    'pass',
    '1 element',
  ],
  ['aria-valid does not apply to a page without ARIA', 'aria-valid', '<p>x', 'na', ''],
  [
    'personal fields with valid autocomplete tokens pass',
    'autocomplete',
    '<input type=email autocomplete=email><input name=firstName autocomplete="shipping given-name">',
    'pass',
    '2 of 2',
  ],
  [
    'one of two personal fields without autocomplete fails',
    'autocomplete',
    '<input type=email autocomplete=email><input type=tel name=mobile>',
    'fail',
    'autocomplete=\\"tel\\"',
  ],
  [
    'an invented autocomplete token does not count',
    'autocomplete',
    '<input type=email autocomplete=yes>',
    'fail',
    '0 of 1',
  ],
  [
    'a field for the name of a company needs no token of a person',
    'autocomplete',
    '<input name=company_name><input name=username>',
    'na',
    '',
  ],
  [
    'a call to action that links an address is operable',
    'cta',
    '<a class=btn href=/book>Book a visit</a>',
    'pass',
    '/book',
  ],
  [
    'a call to action that links nothing is not operable',
    'cta',
    '<a class=btn href="#">Book a visit</a>',
    'fail',
    'Book a visit',
  ],
  [
    'a call to action in a styled div is not operable',
    'cta',
    '<div class="hero-btn">Get started</div>',
    'fail',
    'Get started',
  ],
  [
    'a div around a real button is not taken for the call to action',
    'cta',
    '<div class=btn><a href=/go>Get started</a></div>',
    'pass',
    '/go',
  ],
  [
    'a call to action in the page goes before one in the menu',
    'cta',
    '<nav><a href=/shop>Shop</a></nav><span class=btn>Order now</span>',
    'fail',
    'Order now',
  ],
  ['cta does not apply to a page without a call to action', 'cta', '<a href=/x>Our history</a>', 'na', ''],
  ['a frame with a title is named', 'iframes', '<iframe title=Map src=/m></iframe>', 'pass', '/m'],
  [
    'one of two frames without a title fails',
    'iframes',
    '<iframe title=Map></iframe><iframe src=/lost></iframe>',
    'fail',
    '/lost',
  ],
  ['hidden frames need no title', 'iframes', '<iframe hidden></iframe><iframe width=1></iframe>', 'na', ''],
])('%s (%s)', (_title, id, body, result, part) => {
  const { outcome, json } = run(id, body)
  expect(outcome.result).toBe(result)
  expect(json).toContain(part)
})

test('labels are counted over all pages together', () => {
  const pages = site({ [at]: '<input aria-label=a>', [`${at}b`]: '<input id=lost>' })
  const outcome = runCheck(accessibilityActionability, 'labels', pages)
  expect(outcome).toMatchObject({ result: 'fail', evidence: [{ url: `${at}b` }] })
})

test('all accessibility checks are unmeasured without a page', () => {
  const outcomes = runChecks(accessibilityActionability, site({ [at]: { status: 503 } }))
  expect(new Set(Array.from(outcomes.values(), ({ result }) => result))).toEqual(new Set(['unmeasured']))
})

test('thousands of nested controls still give at most sixty short pieces of evidence', () => {
  const body = '<div role=button>'.repeat(400) + '<a href=/x>'.repeat(4_000)
  const { outcome } = run('names', body)
  expect(outcome.result).toBe('fail')
  expect('evidence' in outcome && outcome.evidence.length).toBeLessThanOrEqual(60)
})

test('buttons, links and links without an address have an order each, and none is to be taken out', () => {
  const { outcome, json } = run(
    'names',
    `<a href="https://wa.me/4915112345678"><i></i></a><a href="https://www.instagram.com/lind/"><i></i></a><a href="/team.html"><img src=a></a><a href="/team.html">Our team</a><a href="#" class="icon vk"></a><a href="#" class="icon tg"></a><button id=menu><i></i></button>`,
  )
  const fix = 'fix' in outcome ? outcome.fix : ''
  expect(fix).toMatch(
    /the text "WhatsApp".*Do the same with 2 more links, each with its own text\. Put text into <button/,
  )
  expect(fix).toMatch(
    /class="icon vk"> on \S+ the address that it shall open, and a text\. Do the same with another empty link\.$/,
  )
  expect(json).toContain('needs a text \\"Instagram\\"')
  expect(json).toContain('needs a text \\"Our team\\"')
  expect(json).not.toContain('take it out')
  expect('evidence' in outcome && outcome.evidence).toHaveLength(6)
})
