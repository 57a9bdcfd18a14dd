import { describe, expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { freshnessIndex } from '../../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { renderPerformance } from '../../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { factsFor } from '../../../../../../src/products/scan/report/work/asked-facts.ts'
import type { Depth } from '../../../../../../src/products/scan/site/capture.ts'
import { shownPicturesOf } from '../../../../../../src/products/scan/site/html/pictures/shown-pictures.ts'
import { analyze } from '../../../../../../src/products/scan/worker/analyze.ts'
import {
  captured,
  defaultNow,
  type Entries,
  type Entry,
  site,
} from '../../../../../support/scans/captured.ts'
import { fixOf, quotesOf, reasonOf, runCheck } from '../../../../../support/scans/checks.ts'
import { at, page, read } from '../../../../../support/scans/lind-site.ts'
import { captureInMemory } from '../../../../../support/scans/scan-in-memory.ts'

/** Pictures that visitors are to see, and that the server does not have. */

const picture = (status: number, type = 'image/jpeg'): Entry => ({
  purpose: 'shown-picture',
  status,
  headers: { 'content-type': status === 404 ? 'text/html' : type },
})
const img = (...names: string[]) => names.map((name) => `<img src="${name}" alt="">`).join('')
const judged = (body: string, more: Entries) => runCheck(freshnessIndex, 'pictures', read(body, more))

describe('a picture that a page shows', () => {
  const others = Object.fromEntries(
    Array.from({ length: 9 }, (_, place) => [at(`/there-${place}.jpg`), picture(200)]),
  )

  test.each([
    ['is there', picture(200), 'pass'],
    ['is not found', picture(404), 'warn'],
    ['was taken away for good', picture(410), 'warn'],
    ['is refused to the scan', picture(403), 'pass'],
    ['may not be asked for by its header alone', picture(405), 'pass'],
    ['fails on the server', picture(503), 'pass'],
    ['takes too long', { purpose: 'shown-picture', failed: 'timeout' }, 'pass'],
    ['is closed by robots.txt', { purpose: 'shown-picture', skipped: 'robots' }, 'pass'],
  ] as const)('%s', (_, entry, result) => {
    expect(judged(img('/anna.jpg'), { [at('/anna.jpg')]: entry, ...others }).result).toBe(result)
  })

  test('is unmeasured where no answer tells whether it is there', () => {
    expect(judged(img('/anna.jpg'), { [at('/anna.jpg')]: picture(403) }).result).toBe('unmeasured')
  })

  test('does not apply to a page without pictures of its own', () => {
    expect(judged('<img src="https://cdn.nord.example/anna.jpg">', {}).result).toBe('na')
  })

  test('that is one of many gone ones fails the check', () => {
    const more = { [at('/a.jpg')]: picture(404), [at('/b.jpg')]: picture(404), ...others }
    const outcome = judged(img('/a.jpg', '/b.jpg'), { ...more, [at('/there-8.jpg')]: picture(403) })
    expect(outcome).toMatchObject({ result: 'fail', work: { kind: 'gone-pictures', isMany: true } })
    expect(reasonOf(outcome)).toContain('2 of 10 pictures')
  })

  test('is named with its page, its address and the status', () => {
    const outcome = judged(img('/team/anna lind.jpg'), { [at('/team/anna%20lind.jpg')]: picture(404) })
    expect(fixOf(outcome)).toContain(`"anna lind.jpg" of ${at()} again at ${at('/team/anna%20lind.jpg')}`)
    expect(quotesOf(outcome)).toBe(`picture ${at('/team/anna%20lind.jpg')}: status 404`)
  })

  describe('of a server that answers 200 for what it does not have', () => {
    const soft: Entries = { [at('/no-such-page')]: { purpose: 'missing', status: 200, body: page('') } }
    test.each([
      ['is gone where a web page comes in its place', '/anna.jpg', 'text/html', 'warn'],
      ['is there where a picture comes', '/anna.jpg', 'image/jpeg', 'pass'],
      ['is there where the kind of file is not told', '/anna.jpg', 'application/octet-stream', 'pass'],
      ['may be made by a program that forgets to tell its kind', '/picture.php?id=7', 'text/html', 'pass'],
    ])('%s', (_, path, type, result) => {
      expect(judged(img(path), { ...soft, [at(path)]: picture(200, type) }).result).toBe(result)
    })

    test('is there on another server, whatever kind of file it says', () => {
      expect(judged(img('/anna.jpg'), { [at('/anna.jpg')]: picture(200, 'text/html') }).result).toBe('pass')
    })
  })
})

describe('a picture of which the HTML does not tell what visitors see', () => {
  const gone = '<img id="hero" class="photo" src="/anna.jpg" alt="Anna">'
  const style = (rules: string) => `<style>${rules}</style>`
  const script = (code: string) => `<script>${code}</script>`

  test.each([
    ['a script sets by its id', script('document.getElementById("hero").src = file')],
    ['a script may set, because it was not read', '<script src="/hero.js"></script>'],
    [
      'a script replaces where it fails',
      script('document.querySelectorAll("img").forEach((one) => one.addEventListener("error", show))'),
    ],
    ['a style sheet hides', style('.photo { display: none }')],
    ['is for print alone', style('.photo{display:none}@media print{.photo{display:block}}')],
  ])('and that %s is not called gone', (_, beside) => {
    const found = judged(`${gone}${beside}`, { [at('/anna.jpg')]: picture(404) })
    expect(found.result).toBe('unmeasured')
  })

  test.each([
    ['a script only moves', script('document.getElementById("hero").classList.add("in")')],
    ['a script sets another of', script('hero2.src = file; window.addEventListener("error", report)')],
    ['a style sheet hides on some screens', style('@media (max-width: 9em) { .photo { display: none } }')],
    [
      'a style sheet hides until it is its turn',
      style('.photo { display: none } .photo.active { display: block }'),
    ],
  ])('but that %s is gone', (_, beside) => {
    expect(judged(`${gone}${beside}`, { [at('/anna.jpg')]: picture(404) }).result).toBe('warn')
  })
})

describe('the picture that a browser asks for', () => {
  const shownBy = (body: string, head = '') =>
    site({ [at('/a/')]: page(body, 'Lind Dental', head) }).pages.flatMap((one) =>
      shownPicturesOf(one).map(({ url }) => url.replace(at(''), '')),
    )

  test.each([
    ['<img src=" anna lind.jpg ">', '/a/anna%20lind.jpg'],
    ['<img src="/p?a=1&amp;b=2">', '/p?a=1&b=2'],
    ['<img src="anna.jpg#top">', '/a/anna.jpg'],
    // Of several sizes, one for a usual screen.
    ['<img src="s.jpg" srcset="m.jpg 600w, l.jpg 1200w, xl.jpg 2400w">', '/a/l.jpg'],
    ['<img src="s.jpg" srcset="m.jpg 300w,l.jpg 600w">', '/a/l.jpg'],
    ['<img src="s.jpg" srcset="l.jpg 2x">', '/a/s.jpg'],
    ['<img srcset="/w_4,h_3/s.jpg, l.jpg 2x">', '/w_4,h_3/s.jpg'],
    ['<img srcset="s.jpg\n 300w,\n  m.jpg 2x,\n   l.jpg 600w">', '/a/l.jpg'],
    [
      '<picture><source type="image/webp" srcset="a.webp"><source srcset="a.png"><img src="a.jpg"></picture>',
      '/a/a.webp',
    ],
    [
      '<picture><source media="(min-width: 800px)" srcset="w.jpg"><source type="image/jxl" srcset="a.jxl"><img src="a.jpg"></picture>',
      '/a/a.jpg',
    ],
    ['<picture><source media="all" srcset="a.webp"><img src="a.jpg"></picture>', '/a/a.webp'],
    ['<picture><img src="a.jpg"><source srcset="a.webp"></picture>', '/a/a.jpg'],
    // The two sources may leave no screen for the image.
    [
      '<picture><source media="(min-width:800px)" srcset="w.jpg"><source media="(max-width:799px)" srcset="s.jpg"><img src="a.jpg"></picture>',
      '',
    ],
    ['<picture><source media="(min-width: 9em)" srcset="w.jpg"><img src="a.jpg"></picture>', ''],
    ['<picture><source data-srcset="a.webp"><img data-src="a.jpg"></picture>', ''],
    // Less room than the screen has.
    ['<img srcset="s.jpg 150w, m.jpg 300w, l.jpg 1024w" sizes="150px">', '/a/s.jpg'],
    [
      '<img srcset="m.jpg 300w, l.jpg 1024w, xl.jpg 2048w" sizes="(max-width: 300px) 100vw, 300px">',
      '/a/m.jpg',
    ],
    ['<img srcset="m.jpg 300w, l.jpg 600w" sizes="900px">', '/a/l.jpg'],
    ['<img srcset="m.jpg 300w, l.jpg 1024w" sizes="100vw">', '/a/l.jpg'],
    ['<img srcset="m.jpg 300w, l.jpg 1024w" sizes="340px">', ''],
    ['<img srcset="m.jpg 300w, l.jpg 1024w" sizes="(min-width: 800px) 50vw, 100vw">', ''],
    ['<img srcset="m.jpg 300w, m.jpg 1024w" sizes="auto, 40vw">', '/a/m.jpg'],
    ['<img src="s.jpg" srcset="a.jpg 800">', ''],
    // A script fills the first, and may or may not replace the second.
    ['<img src="data:image/gif;base64,R0lGOD" data-src="late.jpg">', '/a/late.jpg'],
    ['<img class="lazy" data-original="late.jpg">', '/a/late.jpg'],
    ['<img data-srcset="late.jpg 800w">', '/a/late.jpg'],
    ['<img src="grey.gif" data-src="late.jpg">', ''],
    ['<img data-src="late-{{size}}.jpg">', ''],
    ['<img src="grey.gif" data-lazy="late.jpg"><img src="grey.gif" data-echo="late.jpg">', ''],
    ['<img src="grey.gif" data-cfsrc="late.jpg"><img src="grey.gif" data-ll-src="late.jpg">', ''],
    ['<img src="grey.gif" data-lazyload="/late"><img src="grey.gif" data-zoom-image="late.jpg?w=9">', ''],
    ['<img src="small.jpg" data-srcset="m.jpg 400w, l.jpg 1200w">', ''],
    ['<img src="a.jpg" data-index="4" data-page="/team/">', '/a/a.jpg'],
    ['<img src="{photo}"><img src="%IMG%"><img src="/__IMG__.jpg">', ''],
    // None, or none that visitors of this site see.
    ['<img src="data:image/png;base64,iVBOR"><svg><image href="a.svg"/></svg><img src=""><img src="#">', ''],
    ['<noscript><img src="a.jpg"></noscript><template><img src="b.jpg"></template>', ''],
    ['<div style="display:none"><img src="a.jpg"></div><div hidden><img src="b.jpg"></div>', ''],
    ['<img src="https://cdn.nord.example/a.jpg"><img src="/pixel.gif" width="1" height="1">', ''],
    ['<img src="/count.gif" style="width:1px;height:1px">', ''],
    ['<img src="/count.gif" style="position:absolute; left:-9999px">', ''],
    ['<img src="a.jpg" onerror="this.src=\'b.jpg\'">', ''],
  ])('of %s is "%s"', (body, expected) => {
    expect(shownBy(body).join(' ')).toBe(expected)
  })

  test('is found at once in a long list that means nothing', () => {
    for (const hostile of [
      ' ,'.repeat(50_000),
      'a '.repeat(50_000),
      ' '.repeat(100_000),
      'a,'.repeat(50_000),
    ]) {
      const start = performance.now()
      shownBy(`<img srcset="${hostile}">`)
      expect(performance.now() - start).toBeLessThan(500)
    }
  })

  test('follows the base of the page', () => {
    expect(shownBy('<img src="anna.jpg">', '<base href="/old/">')).toEqual(['/old/anna.jpg'])
  })
})

describe('where the file of a gone picture is', () => {
  const fixFor = (gone: string, ...there: string[]) =>
    fixOf(
      judged(img(gone), {
        [at(gone)]: picture(404),
        [at('/about')]: page(img(...there)),
        ...Object.fromEntries(there.map((one) => [at(one), picture(200)])),
      }),
    )

  test.each([
    ['/img/Anna.JPG', '/img/anna.jpg', 'letters count'],
    ['/Img/anna.jpg', '/img/anna.jpg', 'letters count'],
    ['/img/1.jpg', '/img/1.png', 'if that is the same picture'],
    ['/anna-lind.jpg', '/team/anna-lind.jpg', 'if that is the same picture'],
    ['/anna-lind.PNG', '/team/anna-lind.png', 'if that is the same picture'],
  ])('%s is named as %s', (gone, there, hint) => {
    const fix = fixFor(gone, there)
    expect(fix).toContain(`have the address ${at(there)}`)
    expect(fix).toContain(hint)
  })

  test.each([
    // Each folder may have such a name, and nobody knows which of two is meant.
    ['/team/1.jpg', ['/rooms/1.jpg']],
    ['/team/image-2.jpg', ['/rooms/image-2.jpg']],
    ['/anna-lind.jpg', ['/a/anna-lind.jpg', '/b/anna-lind.jpg']],
    ['/anna.jpg', ['/annabel.jpg']],
  ])('%s is not taken for %j', (gone, there) => {
    expect(fixFor(gone, ...there)).toMatch(/^Publish the picture/)
  })

  test.each([
    ['/image.php?id=2', '/image.php?id=1'],
    ['/_next/image?url=%2Fb.jpg&w=640', '/_next/image?url=%2Fa.jpg&w=640'],
    ['/Img/lind.php?id=2', '/img/lind.php?id=2'],
  ])('is not told by the path of a program: %s', (gone, there) => {
    expect(fixFor(gone, there)).not.toContain(at(there))
  })

  test('is told by the folder of others that have moved', () => {
    const fix = fixFor('/images/team/anna.jpg', '/Images/front.jpg')
    expect(fix).toContain(`is at ${at('/Images/team/anna.jpg')}`)
    expect(fixFor('/images/team/anna.jpg', '/Images/front.jpg', '/images/room.jpg')).toMatch(/^Publish/)
  })
})

describe('the question for pictures that are gone', () => {
  const cards = ['Crowns', 'Bridges'].map(
    (name) => `<div><img src="/${name}.jpg" alt=""><h3>${name}</h3></div>`,
  )
  const gone = { [at('/Crowns.jpg')]: picture(404), [at('/Bridges.jpg')]: picture(404) }

  test('names the heading of the card, also where it stands below its picture', () => {
    expect(judged(`<h2>Treatments</h2>${cards.join('')}`, gone)).toMatchObject({
      work: {
        asked: [
          { file: 'Crowns.jpg', page: at(), place: 'at “Crowns”' },
          { file: 'Bridges.jpg', page: at(), place: 'at “Bridges”' },
        ],
      },
    })
  })

  test('is one for many, and asks for none whose file is known', () => {
    const work = { kind: 'gone-pictures', count: 2, pages: 1, isMany: true } as const
    const asked = ['a.jpg', 'b.jpg'].map((file) => ({ file, page: at('/team'), place: 'at “Our team”' }))
    const [ask = '', ...more] = factsFor('', [], { ...work, asked })
    expect(more).toEqual([])
    expect(ask).toContain(`on ${at('/team')}: “a.jpg” (at “Our team”) and “b.jpg” (at “Our team”)`)
    expect(factsFor('', [], { ...work, asked: [] })).toEqual([])
  })

  test.each([
    ['its alternative text', '<img src="/x.jpg" alt="Our waiting room">', 'described as “Our waiting room”'],
    ['the heading above it', '<h2>Our team</h2><img src="/x.jpg" alt="image">', 'below “Our team”'],
    [
      'its number in a row, and the line above it',
      '<p>We speak Welsh.</p><div><span><img src="/y.jpg"></span><span><img src="/x.jpg"></span></div>',
      'picture 2 of 2 below “We speak Welsh.”',
    ],
    ['the top of the page', '<img src="/x.jpg">', 'at the top'],
  ])('says by %s which picture is meant', (_, body, place) => {
    const html = page(body).replace('<h1>Lind Dental</h1>', '')
    const found = runCheck(
      freshnessIndex,
      'pictures',
      site({ [at()]: html, [at('/x.jpg')]: picture(404), [at('/y.jpg')]: picture(200) }),
    )
    expect(found).toMatchObject({ work: { asked: [{ file: 'x.jpg', page: at(), place }] } })
  })

  test('names no file where the address is none of a picture', () => {
    const found = judged('<h2>Team</h2><img src="/api/placeholder/200">', {
      [at('/api/placeholder/200')]: picture(404),
    })
    expect(found).toMatchObject({ work: { asked: [{ file: '', place: 'below “Team”' }] } })
    expect(fixOf(found)).toMatch(/^Give the picture below "Team" on .* the address of a picture file/)
  })

  test('goes to the owner before what can wait, with a title in plain words', () => {
    const { actions = [] } = analyze(captured({ [at()]: page(cards.join('')), ...gone }), defaultNow).analysis
      .report
    expect(actions[0]).toMatchObject({
      id: 'freshness-index/pictures',
      title: `Have 2 pictures shown again that visitors of ${at()} do not see.`,
      who: 'Give this to whoever looks after your website.',
    })
    expect(actions[0]?.block?.missing.join()).toContain('or “take it out”')
  })
})

describe('a picture with the path of a file on a computer', () => {
  const path = 'C:\\Users\\anna.lind\\Site\\Img\\Logo.jpeg'
  const pages = (written: string, more: Entries = {}) => ({
    [at()]: page(`<img src="${written}" alt="Lind">`),
    [at('/team')]: page(`<img src="${written}"><img src="/Img/Logo.jpeg" alt="Lind">`),
    ...more,
  })
  const there = { [at('/Img/Logo.jpeg')]: picture(200) }
  const found = (written: string, more: Entries = {}) =>
    runCheck(freshnessIndex, 'pictures', site(pages(written, more)))

  test.each([path, 'file:///C:/Users/anna.lind/Site/Img/Logo.jpeg', 'd:/anna.lind/Img/Logo.jpeg'])(
    '%s is gone on each page that has it, and its file on the site is named',
    (written) => {
      const outcome = found(written, there)
      expect(reasonOf(outcome)).toMatch(/^1 of 2 pictures .* on somebody's own computer/)
      expect(fixOf(outcome)).toContain(`the picture "Logo.jpeg" on ${at()} and on another page the address`)
      expect(fixOf(outcome)).toContain(at('/Img/Logo.jpeg'))
      expect('evidence' in outcome ? outcome.evidence.map(({ url }) => url) : []).toEqual([at(), at('/team')])
      expect(outcome).toMatchObject({ work: { asked: [] } })
    },
  )

  test('is asked of the owner where the site has no such file, or several', () => {
    const asked = { work: { asked: [{ file: 'Logo.jpeg', place: 'described as “Lind”' }] } }
    expect(found(path)).toMatchObject(asked)
    const two = { [at('/a/Logo.jpeg')]: picture(200), [at('/b/Logo.jpeg')]: picture(200) }
    expect(found(path, two)).toMatchObject(asked)
    // One of several is in a folder of the same name.
    expect(found(path, { ...there, ...two })).toMatchObject({ work: { asked: [] } })
  })

  test('needs no description and no size, and the name of its owner stands in no report', () => {
    const scanned = captured({
      ...pages(path, there),
      [at('/b')]: page(`<a href="#"><img src="${path}"></a>`),
    })
    expect(JSON.stringify(analyze(scanned, defaultNow))).not.toContain('anna.lind')
    const bare = site({ [at()]: page(`<img src="${path}"><img src="/a.jpg" width="1" height="9" alt="A">`) })
    expect(runCheck(accessibilityActionability, 'alt', bare).result).not.toBe('fail')
    expect(runCheck(renderPerformance, 'img-dims', bare).result).toBe('pass')
  })
})

describe('the picture of a code that a form asks for', () => {
  const form = (field: string) =>
    judged(`<form><input name="${field}"><img src="/contact%252Fcaptcha" alt=""></form>`, {
      [at('/contact%252Fcaptcha')]: picture(404),
    })

  test('is mended or goes with its field, and is not asked of the owner', () => {
    expect(form('captcha')).toMatchObject({ result: 'warn', work: { asked: [] } })
    expect(fixOf(form('captcha'))).toMatch(
      /^Mend the program .* take the picture out together with the field "captcha"/,
    )
  })

  test('is any picture where no field asks for one', () => {
    expect(form('email')).toMatchObject({ work: { asked: [{ file: '' }] } })
  })
})

test('a picture that is gone needs no description', () => {
  const alt = (body: string, more: Entries = {}) =>
    runCheck(accessibilityActionability, 'alt', read(body, more))
  const gone = { [at('/gone.jpg')]: picture(404) }
  expect(alt('').result).toBe('na')
  expect(alt('<img src="/gone.jpg" alt="Our waiting room">', gone).result).toBe('na')
  expect(alt('<img src="/gone.jpg" alt="Room"><img src="/a.jpg">', gone).result).toBe('fail')
  expect(alt('<img src="/gone.jpg" alt="Our waiting room">').result).toBe('pass')
})

describe('the size of images', () => {
  const sizes = (body: string, more: Entries = {}) =>
    runCheck(renderPerformance, 'img-dims', read(body, more))

  test('is not asked of a picture that is gone', () => {
    const body = `${img('/gone.jpg')}<img src="/there.jpg" width="9" height="9">`
    expect(sizes(body).result).toBe('warn')
    expect(sizes(body, { [at('/gone.jpg')]: picture(404) }).result).toBe('pass')
    expect(sizes(body, { [at('/gone.jpg')]: picture(403) }).result).toBe('warn')
  })

  test.each([
    ['width="80%" height="60%"', 'warn'],
    ['width="80%" height="300"', 'warn'],
    ['width="400" height="300"', 'pass'],
    ['width="400px" height="300px"', 'pass'],
  ])('is %s: %s', (size, result) => {
    expect(sizes(`<img src="/a.jpg" ${size}>`).result).toBe(result)
  })

  test('is not asked of a picture that a script has yet to put into the page', () => {
    expect(sizes('<template><img src="/a.jpg"></template>').result).toBe('na')
  })

  test('moves a percentage into the style of the picture', () => {
    expect(fixOf(sizes('<img src="/a.jpg" width="80%">'))).toContain('style="width:80%; height:auto"')
    expect(fixOf(sizes('<img src="/a.jpg" width="80">'))).not.toContain('percentage')
  })
})

describe('a scan', () => {
  const many = Array.from({ length: 30 }, (_, place) => `/home-${place}.jpg`)
  const pages: Readonly<Record<string, string>> = {
    '/': page(`<a href="/team">Team</a>${img(...many)}`),
    '/team': page(img('/anna.jpg', '/closed/ben.jpg')),
    '/robots.txt': 'User-agent: *\nDisallow: /closed/',
  }
  const scan = async (depth: Depth) => {
    const answer = ({ path }: { readonly path: string }) => {
      const body = pages[path]
      if (body === undefined) return { status: 404 }
      const type = path === '/robots.txt' ? 'text/plain' : 'text/html'
      return { status: 200, headers: { 'content-type': type }, body }
    }
    const { exchanges } = await captureInMemory({ names: ['lind.example'], depth, answer }, depth)
    return exchanges.filter(({ purpose }) => purpose === 'shown-picture')
  }

  test('of full depth asks for 20 pictures, of the home page and of others', async () => {
    const asked = await scan('full')
    expect(asked).toHaveLength(20)
    expect(asked[0]?.url).toBe(at('/home-0.jpg'))
    expect(asked.map(({ url }) => url)).toContain(at('/anna.jpg'))
    expect(asked.find(({ url }) => url === at('/closed/ben.jpg'))).toMatchObject({ outcome: 'skipped' })
  })

  test.each(['light', 'basic'] as const)('of depth %s asks for none', async (depth) => {
    expect(await scan(depth)).toEqual([])
  })
})
