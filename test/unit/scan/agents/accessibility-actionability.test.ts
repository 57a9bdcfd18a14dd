import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { site } from '../../../support/scans/captured.ts'
import { runCheck, runChecks } from '../../../support/scans/checks.ts'

const at = 'https://site.example/'

function run(id: string, body: string) {
  const outcome = runCheck(accessibilityActionability, id, site({ [at]: body }))
  return { outcome, said: JSON.stringify(outcome) }
}

const many = (count: number, one: string) => one.repeat(count)
const labelled = '<input aria-label="City">'

test.each<[string, string, string, string, string]>([
  ['19 of 20 labelled fields are enough', 'labels', `${many(19, labelled)}<input>`, 'pass', '19 of 20'],
  [
    '18 of 19 labelled fields are too few',
    'labels',
    `${many(18, labelled)}<input name=lost>`,
    'fail',
    'lost',
  ],
  ['a label by id names its field', 'labels', '<label for=a>Name</label><input id=a>', 'pass', '1 of 1'],
  [
    'a label by id of another field does not',
    'labels',
    '<label for=b>Name</label><input id=a>',
    'fail',
    '0 of 1',
  ],
  ['a label around a field names it', 'labels', '<label>Name <input></label>', 'pass', '1 of 1'],
  [
    'the choices of a field are no label',
    'labels',
    '<label><select><option>One</option></select></label>',
    'fail',
    '0 of 1',
  ],
  [
    'a text that is referred to names a field',
    'labels',
    '<b id=x>Name</b><input aria-labelledby=x>',
    'pass',
    '1 of 1',
  ],
  ['a placeholder is no label', 'labels', '<input placeholder=Name>', 'fail', '0 of 1'],
  [
    'buttons and hidden fields need no label',
    'labels',
    '<input type=submit><input type=hidden><input type=image>',
    'na',
    '',
  ],
  [
    'fields nobody sees are not counted',
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
    'the title of a drawing names its link',
    'names',
    '<a href=/><svg><title>Menu</title></svg></a>',
    'pass',
    '1 of 1',
  ],
  [
    'a drawing without words names nothing',
    'names',
    '<button><svg><path d="M0"/></svg></button>',
    'fail',
    '0 of 1',
  ],
  ['browsers name a plain submit button', 'names', '<input type=submit>', 'pass', '1 of 1'],
  ['a submit button that is emptied has no name', 'names', '<input type=submit value="">', 'fail', '0 of 1'],
  ['a page without controls has none to name', 'names', '<p>x</p>', 'na', ''],
  ['a language tag with its region is valid', 'lang', '<html lang=pt-BR>', 'pass', 'pt-BR'],
  ['a language tag with an underscore is not', 'lang', '<html lang=en_US>', 'fail', 'en_US'],
  ['the name of a language is no tag', 'lang', '<html lang=english>', 'fail', 'english'],
  ['a page without a language fails', 'lang', '<p>x</p>', 'fail', 'without lang'],
  [
    '9 of 10 images with text are enough',
    'alt',
    `${many(9, '<img src=a alt="A tooth">')}<img src=b>`,
    'pass',
    '9 of 10',
  ],
  [
    '8 of 9 images with text are too few',
    'alt',
    `${many(8, '<img src=a alt="A tooth">')}<img src=lost>`,
    'fail',
    'lost',
  ],
  ['the name of a file is no text', 'alt', '<img src=a alt="IMG_2041.jpg">', 'fail', '0 of 1'],
  [
    'decoration needs no text',
    'alt',
    '<img src=a alt=""><img src=b role=presentation><img src=c width=1 height=1>',
    'na',
    '',
  ],
  [
    'a scripted box without a role is no control',
    'real-controls',
    '<div onclick="go()" id=fake>Go</div>',
    'fail',
    'fake',
  ],
  [
    'a scripted box with a role is one',
    'real-controls',
    '<div onclick="go()" role=button>Go</div>',
    'pass',
    '0 onclick',
  ],
  [
    'a positive tabindex changes the order',
    'real-controls',
    '<a href=/ tabindex=3>x</a>',
    'fail',
    'tabindex=\\"3\\"',
  ],
  [
    'tabindex 0 and -1 do not',
    'real-controls',
    '<a href=/ tabindex=0>x</a><p tabindex=-1>',
    'pass',
    '0 positive',
  ],
  ['main and nav are the landmarks', 'landmarks', '<nav></nav><main></main>', 'pass', '<main>'],
  ['roles serve as well', 'landmarks', '<div role=navigation></div><div role=main></div>', 'pass', '<main>'],
  ['a page without nav lacks one', 'landmarks', '<main></main>', 'fail', 'no <nav>'],
  [
    'known roles and references are valid',
    'aria-valid',
    '<i id=a>x</i><div role="button" aria-describedby=a>',
    'pass',
    '1 element',
  ],
  ['one known role of several is enough', 'aria-valid', '<div role="cards list">', 'pass', '1 element'],
  ['an invented role is not', 'aria-valid', '<div role=card>', 'fail', 'card'],
  ['an invented attribute is not', 'aria-valid', '<div aria-labeledby=x>', 'fail', 'aria-labeledby'],
  ['a reference to nothing is not', 'aria-valid', '<div aria-labelledby=gone>', 'fail', 'gone'],
  [
    'a reference to an id that exists twice is not',
    'aria-valid',
    '<i id=a></i><i id=a></i><label for=a>x</label>',
    'fail',
    '2 times',
  ],
  [
    'a closed menu may be made when it opens',
    'aria-valid',
    '<button aria-controls=menu aria-expanded=false>',
    'pass',
    '1 element',
  ],
  ['a page without aria has none to judge', 'aria-valid', '<p>x', 'na', ''],
  [
    'fields that say what they hold are filled right',
    'autocomplete',
    '<input type=email autocomplete=email><input name=firstName autocomplete="shipping given-name">',
    'pass',
    '2 of 2',
  ],
  [
    'one silent field of two fails',
    'autocomplete',
    '<input type=email autocomplete=email><input type=tel name=mobile>',
    'fail',
    'autocomplete=\\"tel\\"',
  ],
  ['an invented token says nothing', 'autocomplete', '<input type=email autocomplete=yes>', 'fail', '0 of 1'],
  [
    'the name of a company is not the name of a person',
    'autocomplete',
    '<input name=company_name><input name=username>',
    'na',
    '',
  ],
  ['a link with an address is operable', 'cta', '<a class=btn href=/book>Book a visit</a>', 'pass', '/book'],
  [
    'a link without an address is not',
    'cta',
    '<a class=btn href="#">Book a visit</a>',
    'fail',
    'Book a visit',
  ],
  ['a styled box is not', 'cta', '<div class="hero-btn">Get started</div>', 'fail', 'Get started'],
  [
    'a box around a real button is passed over',
    'cta',
    '<div class=btn><a href=/go>Get started</a></div>',
    'pass',
    '/go',
  ],
  [
    'the step of the page goes before the menu',
    'cta',
    '<nav><a href=/shop>Shop</a></nav><span class=btn>Order now</span>',
    'fail',
    'Order now',
  ],
  ['a page that asks for nothing has no step', 'cta', '<a href=/x>Our history</a>', 'na', ''],
  ['a frame with a title is named', 'iframes', '<iframe title=Map src=/m></iframe>', 'pass', '/m'],
  [
    'one of two frames without a title fails',
    'iframes',
    '<iframe title=Map></iframe><iframe src=/lost></iframe>',
    'fail',
    '/lost',
  ],
  [
    'frames that nobody sees need none',
    'iframes',
    '<iframe hidden></iframe><iframe width=1></iframe>',
    'na',
    '',
  ],
])('%s', (_title, id, body, result, part) => {
  const { outcome, said } = run(id, body)
  expect(outcome.result).toBe(result)
  expect(said).toContain(part)
})

test('what is counted is counted over all pages', () => {
  const pages = site({ [at]: '<input aria-label=a>', [`${at}b`]: '<input id=lost>' })
  const outcome = runCheck(accessibilityActionability, 'labels', pages)
  expect(outcome).toMatchObject({ result: 'fail', evidence: [{ url: `${at}b` }] })
})

test('without a page nothing is judged', () => {
  const outcomes = runChecks(accessibilityActionability, site({ [at]: { status: 503 } }))
  expect(new Set(Array.from(outcomes.values(), ({ result }) => result))).toEqual(new Set(['unmeasured']))
})

test('thousands of controls within controls leave evidence short', () => {
  const body = '<div role=button>'.repeat(400) + '<a href=/x>'.repeat(4_000)
  const { outcome } = run('names', body)
  expect(outcome.result).toBe('fail')
  expect('evidence' in outcome && outcome.evidence.length).toBeLessThanOrEqual(5)
})
