import { describe, expect, test } from 'vitest'
import { ScanFailure } from '../../../src/products/scan/findings/scan-failure.ts'
import { capped, gatesOf } from '../../../src/products/scan/report/gates.ts'
import { gainText } from '../../../src/products/scan/report/key-findings.ts'
import { depths } from '../../../src/products/scan/site/capture.ts'
import { analyze } from '../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../support/scans/captured.ts'
import { captureInMemory } from '../../support/scans/scan-in-memory.ts'
import * as change from '../../support/scans/site-changes.ts'
import { loadSite } from '../../support/servers/saved-site.ts'

const home = 'https://site.example/'
const robots = 'https://site.example/robots.txt'
const text = 'We mend bikes and sell wheels to riders of all ages in Hull. '.repeat(20)
const page = (body: string, head = '<title>Bikes in Hull</title>') =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`
const good = page(`<main><h1>Bikes</h1><p>${text}</p></main>`)
const group = (...bots: string[]) => `${bots.map((bot) => `User-agent: ${bot}\n`).join('')}Disallow: /\n`
const challenge = page('<p>Checking your browser</p>', '<title>Just a moment...</title>')

describe('gates', () => {
  test.each<[string, Entries, readonly string[]]>([
    ['a page that can be read', { [home]: good }, []],
    ['a short page without scripts', { [home]: page('<p>Closed today.</p>') }, []],
    ['a refusal', { [home]: { status: 403, body: page('<h1>No</h1>') } }, ['wall 20']],
    ['a refusal for now', { [home]: { status: 429 } }, ['wall 20']],
    ['an error of the server', { [home]: { status: 503 } }, ['wall 20']],
    ['a page that is not there', { [home]: { status: 404 } }, ['wall 20']],
    ['a challenge with status 200', { [home]: challenge }, ['wall 20']],
    [
      'a challenge by a header',
      { [home]: { body: good, headers: { 'cf-mitigated': 'challenge' } } },
      ['wall 20'],
    ],
    ['an empty body', { [home]: '' }, ['wall 20']],
    ['a body of white space', { [home]: page(' \n ', '') }, ['wall 20']],
    [
      'few words for agents and many for browsers',
      { [home]: page('<p>Access denied.</p>'), [`${home}#b`]: { purpose: 'home-browser', body: good } },
      ['wall 20'],
    ],
    [
      'the same page for agents and browsers',
      { [home]: good, [`${home}#b`]: { purpose: 'home-browser', body: good } },
      [],
    ],
    ['a PDF', { [home]: { body: '%PDF', headers: { 'content-type': 'application/pdf' } } }, []],
    [
      'noindex in the markup',
      { [home]: page(text, '<meta name="robots" content="noindex">') },
      ['noindex 30'],
    ],
    ['noindex in a header', { [home]: { body: good, headers: { 'x-robots-tag': 'none' } } }, ['noindex 30']],
    [
      'noindex for one crawler',
      { [home]: page(`<p>${text}</p>`, '<meta name="googlebot-news" content="noindex">') },
      [],
    ],
    ['a shell', { [home]: page('<div id="root"></div>', '<script src="/app.js"></script>') }, ['shell 40']],
    [
      'a shell with a menu',
      {
        [home]: page(
          '<nav><a href="/a">About</a></nav><div id="app"></div>',
          '<script type="module" src="/app.js"></script>',
        ),
      },
      ['shell 40'],
    ],
    [
      'an application that is rendered on the server',
      { [home]: page(`<div id="root"><p>${text}</p></div>`, '<script src="/app.js"></script>') },
      [],
    ],
    ['bots for training are refused', { [home]: good, [robots]: group('GPTBot', 'CCBot', 'ClaudeBot') }, []],
    ['one assistant is refused', { [home]: good, [robots]: group('OAI-SearchBot', 'ChatGPT-User') }, []],
    [
      'the search bots of all assistants are refused',
      { [home]: good, [robots]: group('OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot') },
      ['bots 50'],
    ],
    [
      'all but us are refused',
      { [home]: good, [robots]: `${group('*')}\nUser-agent: tollgate\nAllow: /\n` },
      ['bots 50'],
    ],
    [
      'a shell with noindex',
      {
        [home]: page(
          '<div id="root"></div>',
          '<meta name="robots" content="noindex"><script src="/app.js"></script>',
        ),
      },
      ['noindex 30', 'shell 40'],
    ],
  ])('%s', (_case, entries, gates) => {
    expect(
      gatesOf(site({ [robots]: 'User-agent: *\nAllow: /\n', ...entries })).map(
        ({ id, cap }) => `${id} ${cap}`,
      ),
    ).toEqual(gates)
  })

  test('a wall is the only thing that is said of a site behind it', () => {
    const wall = { status: 403, headers: { 'x-robots-tag': 'noindex' }, body: challenge }
    const [gate, ...others] = gatesOf(site({ [home]: wall }))
    expect(others).toEqual([])
    expect(gate?.reason).toMatch(
      /^We could not read your site: it answers 403 to agents and shows a challenge/,
    )
  })

  test('the lowest cap scales the total', () => {
    expect(capped(80, [])).toBe(80)
    expect(capped(80, [{ cap: 40 }, { cap: 20 }])).toBe(16)
  })
})

describe('a report on a site with a gate', () => {
  const walled = change.toAgents({ status: 403, headers: { 'content-type': 'text/html' }, body: page('') })

  test.each(depths)('a %s scan begins with the reason, and caps both scores', async (depth) => {
    const { report } = analyze(await captureInMemory(walled(loadSite('dentist')), depth), defaultNow).analysis
    expect(report.executiveSummary).toMatch(/^We could not read your site: it answers 403 to agents\. /)
    expect(report.gates).toEqual([
      {
        id: 'wall',
        cap: 20,
        reason: 'We could not read your site: it answers 403 to agents.',
        fix: 'Let assistants read your public pages. Your server refuses them: it answers 403. Ask whoever runs it to let them pass, then scan again.',
      },
    ])
    expect(report.readinessScore).toBeLessThanOrEqual(20)
    expect(report.aeoScore).toBeLessThanOrEqual(20)
  })

  test('no check passes by what a refused page shows', async () => {
    const capture = await captureInMemory(walled(loadSite('dentist')), 'full')
    const passed = analyze(capture, defaultNow).findings.filter(({ result }) => result === 'pass')
    const quoted = passed.flatMap((finding) =>
      finding.result === 'pass' ? finding.evidence.map(({ url }) => new URL(url).href) : [],
    )
    expect(quoted.filter((url) => url.startsWith('https:') && !url.endsWith('/robots.txt'))).toEqual([])
  })

  test('areas of which less than half was checked have no score, and say so', async () => {
    const capture = await captureInMemory(walled(loadSite('dentist')), 'full')
    const { report } = analyze(capture, defaultNow).analysis
    expect(report.unscoredAreas?.map(({ category }) => category)).toContain('Structured data')
    expect(report.unscoredAreas?.[0]?.explanation).toMatch(/^No score, because less than half/)
    const shown = report.readinessBreakdown.map(({ category }) => category)
    expect(shown.filter((one) => report.unscoredAreas?.some(({ category }) => category === one))).toEqual([])
  })
})

describe('what opens a gate', () => {
  const robotsOk = { [robots]: 'User-agent: *\nAllow: /\n' }
  const actionsFor = (entries: Entries) =>
    analyze(captured({ ...robotsOk, ...entries }), defaultNow).analysis.report.actions ?? []

  test('a refusal comes with a text for whoever runs the server: the names to let in and the answers seen', () => {
    const [wall] = actionsFor({
      [home]: { status: 403, body: page('<h1>No</h1>') },
      [`${home}#b`]: { purpose: 'home-browser', body: good },
    })
    expect(wall?.block).toMatchObject({
      kind: 'text',
      where: expect.stringContaining('whoever runs your server'),
    })
    for (const line of [
      home,
      'gives its own name: 403',
      'to a browser: 200',
      'OAI-SearchBot',
      'Claude-User',
      'tollgate',
    ])
      expect(wall?.block?.text).toContain(line)
  })

  test('noindex is named for all pages that carry it, without a line of markup', () => {
    const ban = '<title>Bikes in Hull</title><meta name="robots" content="noindex">'
    const [first] = actionsFor({
      [home]: page(`<main><h1>Bikes</h1><p>${text}</p></main>`, ban),
      'https://site.example/a': page(text, `${ban}<title>A</title>`),
      'https://site.example/b': page(`<p>${text}</p>`),
    })
    expect(first?.title).toMatch(
      /^If the site is meant to be found, let search engines in again: take "noindex" off all pages\. It was found on 2 of 3\./,
    )
    expect(`${first?.why}`).not.toMatch(/[<>]|the line "robots"/)
  })

  test.each<[string, Entries, RegExp, RegExp]>([
    [
      'noindex',
      { [home]: { body: good, headers: { 'x-robots-tag': 'none' } } },
      /less than a third/,
      /Once engines may show/,
    ],
    [
      'robots.txt',
      { [home]: good, [robots]: group('OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot') },
      /half of every other gain is lost/,
      /Once these bots may read/,
    ],
    ['a wall', { [home]: { status: 403 } }, /nothing else counts/, /counts once agents get in/],
  ])('%s says what it costs all other steps', (_case, entries, until, then) => {
    const [first, second] = actionsFor(entries).map(gainText)
    expect(first).toMatch(until)
    expect(second).toMatch(then)
  })

  test('refused assistants are called as their users know them, and bots that stay out are named', () => {
    const [bots] = actionsFor({
      [home]: good,
      [robots]: group('OAI-SearchBot', 'PerplexityBot', 'Claude-User', 'GPTBot'),
    })
    expect(bots?.why).toMatch(/^Your robots\.txt shuts out ChatGPT, Perplexity and Claude\./)
    expect(bots?.block?.where).toContain('GPTBot stay shut out')
    expect(bots?.terms?.map(({ term }) => term)).toContain('OAI-SearchBot, ChatGPT-User and the like')
  })
})

test.each(depths)(
  'a %s scan of a site whose robots.txt forbids us gives no score, and says why',
  async (depth) => {
    const forbidden = change.robots(() => 'User-agent: *\nDisallow: /\n')(loadSite('dentist'))
    const scan = captureInMemory(forbidden, depth)
    await expect(scan).rejects.toThrow(ScanFailure)
    await expect(scan).rejects.toThrow(/does not let our scanner read .*, so there is no score\./)
    await expect(scan).rejects.toThrow(
      /It shuts out search engines and assistants, too\. .* send this to whoever looks after it: “Please let programs read our website/,
    )
  },
)

test('of a robots.txt that forbids us alone the owner is told the lines that let us in', async () => {
  const forbidden = change.robots(() => 'User-agent: tollgate\nDisallow: /\n')(loadSite('dentist'))
  await expect(captureInMemory(forbidden, 'light')).rejects.toThrow(
    /no score\. If it is your site, .*“Please add "User-agent: \w+" with "Allow: \/" to robots\.txt/,
  )
})

test('a capture that was taken although nothing could be measured gives no score', () => {
  expect(() => analyze(captured({ [home]: { failed: 'timeout' } }), defaultNow)).toThrow(ScanFailure)
})
