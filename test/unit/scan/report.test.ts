import { describe, expect, test } from 'vitest'
import {
  type Finding,
  fail,
  notApplicable,
  type Outcome,
  pass,
  unmeasured,
  warn,
} from '../../../src/products/scan/findings/check.ts'
import { inWords } from '../../../src/products/scan/findings/in-words.ts'
import { type Gate, type Opportunity, reportSchema } from '../../../src/products/scan/findings/results.ts'
import { ScanFailure } from '../../../src/products/scan/findings/scan-failure.ts'
import { actionsOf } from '../../../src/products/scan/report/actions.ts'
import { challengesOf } from '../../../src/products/scan/report/challenges.ts'
import { rephraseSummary } from '../../../src/products/scan/report/rephrase.ts'
import { makeReport } from '../../../src/products/scan/report/report.ts'
import { type Area, areasOf } from '../../../src/products/scan/report/scoring.ts'
import { companyName } from '../../../src/products/scan/signals/company-name.ts'
import { analyze } from '../../../src/products/scan/worker/analyze.ts'
import { createLocalEngine } from '../../../src/products/text/local/local-engine.ts'
import { createOpenAiEngine } from '../../../src/products/text/model/openai-engine.ts'
import { captured, defaultNow, type Entries, site } from '../../support/scans/captured.ts'
import { fails, type ScriptedReply, says, startModelServer } from '../text/model-server.ts'

const url = 'https://site.example/'
const agents = [
  { agent: { id: 'core', name: 'Core', checks: [] }, weights: { readiness: 10, aeo: 10 } },
  { agent: { id: 'access', name: 'Access', checks: [] }, weights: { readiness: 10, aeo: 0 } },
  { agent: { id: 'files', name: 'Files', checks: [] }, weights: { readiness: 10, aeo: 10 } },
]

function finding(place: string, weight: number, outcome: Outcome): Finding {
  const [agent = '', check = ''] = place.split('/')
  return { ...outcome, agent, check, title: `Title of ${check}`, weight }
}

function failed(what: string, value = what): Outcome {
  return fail(`The ${what} is missing.`, `Add the ${what}.`, { url, value })
}

const sampleFindings: readonly Finding[] = [
  finding('core/reach', 5, pass('Reached.', { url, value: '200' })),
  finding('core/h1', 2, failed('h1', '0 H1')),
  finding('core/title', 3, warn('The title is short.', 'Write a longer title.', { url, value: 'Hi' })),
  finding('core/robots', 5, failed('robots.txt', '404')),
  finding('core/wall', 4, unmeasured('No answer came.')),
  finding('core/booking', 1, notApplicable('No appointments.')),
  finding('access/lang', 3, pass('Named.', { url, value: 'en' })),
  finding('files/llms', 3, unmeasured('Not fetched.')),
]

function opportunity(id: string, range?: string, hours?: number): Opportunity {
  return {
    id,
    title: `Title of ${id}`,
    description: 'It saves time.',
    impact: 'high',
    effort: 'low',
    category: 'data',
    ...(range === undefined ? {} : { estimatedTimeSavingsRange: range }),
    ...(hours === undefined ? {} : { estimatedTimeSavingsHours: hours }),
  }
}

function judged(areas: readonly Area[]) {
  return { areas, actions: actionsOf({ areas, gates: [], blocks: [], profile }) }
}

const profile = { api: false, app: false, shop: false, content: false }

function reportOf(findings: readonly Finding[], opportunities: readonly Opportunity[] = []) {
  const parts = {
    companyName: 'Bikes Ltd',
    domain: 'site.example',
    depth: 'basic',
    workflows: [],
    gates: [],
    isIndustryClear: true,
  } as const
  return makeReport({ ...parts, ...judged(areasOf(agents, findings)), opportunities })
}

describe('a report', () => {
  test('a report has both scores, and a breakdown of each area that counts and was measured', () => {
    const report = reportOf(sampleFindings)
    expect(reportSchema.parse(report)).toEqual(report)
    expect([report.readinessScore, report.aeoScore]).toEqual([76, 43])
    expect(report.readinessBreakdown.map(({ category, score }) => [category, score])).toEqual([
      ['Core', 43],
      ['Access', 100],
    ])
    expect(report.aeoBreakdown.map(({ category }) => category)).toEqual(['Core'])
  })

  test('a report explains an area by its two worst checks with evidence and by what was not measured', () => {
    expect(reportOf(sampleFindings).aeoBreakdown[0]?.explanation).toBe(
      '1 of 4 checks passed. “Title of robots” failed. The robots.txt is missing. Seen at https://site.example/: 404. ' +
        '“Title of h1” failed. The h1 is missing. Seen at https://site.example/: 0 H1. ' +
        'Not measured: “Title of wall”. 1 check did not apply to this site.',
    )
    expect(reportOf(sampleFindings).readinessBreakdown[1]?.explanation).toBe(
      '1 check made, and none found a fault.',
    )
  })

  test('an action that has to be done in several places names them', () => {
    const places = [`${url}a`, `${url}b`].map((place) => ({ url: place, value: 'no label' }))
    const outcome = fail('Two lack it.', 'Mend a. Do the same on another such page.', ...places)
    const [action] = reportOf([finding('core/h1', 2, outcome)]).actions ?? []
    expect(action?.seen).toBe(`${url}a: no label; ${url}b: no label`)
  })

  test('a report names at most eight key findings, those that gain most first', () => {
    const many = Array.from({ length: 12 }, (_, place) =>
      finding(`core/many-${place}`, (place % 5) + 1, failed(`thing ${place}`)),
    )
    const { keyFindings, actions = [] } = reportOf(many)
    expect(keyFindings).toHaveLength(8)
    expect(keyFindings[0]).toBe('The thing 4 is missing. Seen at https://site.example/: thing 4.')
    expect(actions.map(({ gain, aeoGain }) => gain + aeoGain)).toEqual(
      actions.map(({ gain, aeoGain }) => gain + aeoGain).toSorted((one, other) => other - one),
    )
    expect(reportOf([finding('core/fine', 1, pass('Fine.'))]).keyFindings).toEqual([])
  })

  test('a report names a fault once that two agents see at different places', () => {
    const shared = ['ssr-text', 'h1'].map((check) => finding(`core-snapshot/${check}`, 4, failed(check)))
    const findings = [...shared, finding('render-performance/js-shell', 5, failed('shell'))]
    const all = agents.map(({ weights }, place) => {
      const id = ['core-snapshot', 'render-performance', 'files'][place] ?? ''
      return { agent: { id, name: id, checks: [] }, weights }
    })
    const parts = {
      companyName: 'Bikes',
      domain: 'site.example',
      depth: 'full',
      workflows: [],
      gates: [],
      isIndustryClear: true,
      opportunities: [],
    } as const
    const { keyFindings } = makeReport({ ...parts, ...judged(areasOf(all, findings)) })
    expect(keyFindings.map((text) => text.split(' ')[1])).toEqual(['h1', 'shell'])
  })

  test('the summary has the measured numbers, the best and worst area, and the three steps that gain most', () => {
    const free = { ...finding('files/pay', 0, unmeasured('Not fetched.')), title: 'Told for information' }
    const { executiveSummary } = reportOf(
      [...sampleFindings, free],
      [opportunity('a', '8–16 hours'), opportunity('b', '4–8 hours')],
    )
    expect(executiveSummary).toBe(
      'Assistants such as chat programs can read this site, and have to guess part of what it offers. ' +
        'Answer engines, which answer questions from websites, find little in it to quote. ' +
        'What it lacks most: marks in the pages that tell programs what each part is. ' +
        'Bikes Ltd (site.example) scores 76 of 100 for AI readiness and 43 of 100 for AEO. AEO (answer engine optimization) is how well answer engines can quote the site. ' +
        'This basic scan made 5 checks in 3 areas and could measure 72 % of what applies to the site. ' +
        'The strongest area is Access (100 of 100), the weakest is Core (43 of 100). ' +
        'The first 3 steps: 1. Add the robots.txt. It gains 14 points of AI readiness and 33 of AEO. ' +
        '2. Add the h1. It gains 5.7 points of AI readiness and 13 of AEO. ' +
        '3. Write a longer title. It gains 4.3 points of AI readiness and 10 of AEO. ' +
        'In plain words. robots.txt: a text file that tells bots which pages they may read. h1, h2, h3: main headings, headings and subheadings of a page. ' +
        '2 checks could not be made: “Title of wall” and “Title of llms”. ' +
        'No score was given for Files. Less than half of the checks there could be made.',
    )
  })

  test('the summary begins with the coverage when it is below 50 %', () => {
    const begin = (open: number) =>
      reportOf([
        finding('core/reach', 5, failed('answer')),
        finding('core/text', open, unmeasured('No answer came.')),
      ]).executiveSummary
    expect(begin(6)).toMatch(/^Too little of this site could be measured/)
    expect(begin(6)).toContain(
      'Only 45 % of what applies could be measured, so the scores say little. Bikes Ltd (site.example) scores 0',
    )
    expect(begin(6)).not.toContain('could measure')
    expect(begin(5)).not.toContain('say little')
  })

  test('the summary names no hours, which are estimates', () => {
    expect(reportOf(sampleFindings, [opportunity('a', '2–4 hours')]).executiveSummary).not.toContain('hours')
  })

  test.each<[string, Opportunity[]]>([
    ['none found', []],
    ['none found', [opportunity('a')]],
    ['8–16 hours a month', [opportunity('a', '8–16 hours a month')]],
    ['11–19 hours a month', [opportunity('a', '8–16 hours'), opportunity('b', undefined, 3)]],
    ['12–21 hours a month', [opportunity('a', '7.5-15 hours'), opportunity('b', '4 to 6 hours')]],
    ['1 hour a month', [opportunity('a', undefined, 1)]],
  ])('a report writes the savings as %s', (text, opportunities) => {
    expect(reportOf(sampleFindings, opportunities).totalTimeSavingsPotential).toBe(text)
  })

  test('a report with nothing measured throws instead of giving a score of 0', () => {
    expect(() => reportOf([finding('core/reach', 5, unmeasured('No answer.'))])).toThrow(ScanFailure)
    expect(() => reportOf([finding('access/lang', 5, pass('Fine.'))])).toThrow(ScanFailure)
  })
})

test('challenges are all checks that failed or could not be made, by severity, with evidence and fix', () => {
  const findings = [
    ...sampleFindings,
    finding('access/note', 0, failed('note')),
    finding('access/alt', 3, failed('alt')),
  ]
  const challenges = challengesOf(areasOf(agents, findings), [])
  expect(challenges.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
    'core/robots high',
    'access/alt medium',
    'core/h1 medium',
    'core/title low',
    'access/note low',
    'core/wall unmeasured',
    'files/llms unmeasured',
  ])
  expect(challenges[0]).toEqual({
    id: 'core/robots',
    category: 'Core',
    title: 'Title of robots',
    severity: 'high',
    reason: 'The robots.txt is missing.',
    fix: 'Add the robots.txt.',
    evidence: [{ url, value: '404' }],
  })
})

test('an unmeasured check of weight 0 is not a challenge', () => {
  const findings = [...sampleFindings, finding('files/pay', 0, unmeasured('Not fetched.'))]
  expect(challengesOf(areasOf(agents, findings), []).map(({ id }) => id)).not.toContain('files/pay')
})

describe('one cause', () => {
  const at = (scheme: string, path = '') => `${scheme}://site.example/${path}`
  const written = (head = '') => `<html lang="en"><head><title>Bikes Ltd | Bikes in Hull</title>${head}</head>
    <body><main><h1>Bikes</h1><p>${'We mend bikes and sell wheels to riders of all ages in Hull. '.repeat(40)}</p></main></body></html>`
  const empty =
    '<html lang="en"><head><title>Bikes</title><script src="/app.js" defer></script></head><body><div id="root"></div></body></html>'
  const challengePage = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: 'Just a moment...' }
  const robots = 'User-agent: *\nAllow: /'
  const without = ['crawl-access/canonical', 'security-safety/https-redirect', 'security-safety/hsts']
  const thin = ['core-snapshot/ssr-text', 'render-performance/js-shell']

  test.each<[string, Entries, string, readonly string[]]>([
    [
      'a site without https',
      {
        [at('http')]: written(`<link rel="canonical" href="${at('http')}">`),
        [at('http', 'robots.txt')]: robots,
        [at('http', '#again')]: { purpose: 'http', body: written() },
      },
      'core-snapshot/reach',
      without,
    ],
    [
      'an empty shell',
      { [at('https')]: empty, [at('https', 'robots.txt')]: robots },
      'render-performance/js-shell',
      thin,
    ],
    [
      'a wall before the pages',
      {
        [at('https')]: challengePage,
        [at('https', 'robots.txt')]: robots,
        [at('https', '#browser')]: { purpose: 'home-browser', body: written() },
      },
      'crawl-access/bot-wall',
      ['core-snapshot/reach', 'crawl-access/challenge'],
    ],
  ])(
    'several findings of %s are one action, named by the check with the clearest fix',
    (_case, entries, lead, ids) => {
      const { report, challenges } = analyze(captured(entries, { depth: 'full' }), defaultNow).analysis
      const found = ids.filter((id) => challenges.some((challenge) => challenge.id === id))
      const actions = report.actions ?? []
      const action = actions.find(({ id }) => id === lead)
      expect(found.length).toBeGreaterThan(1)
      expect(action?.settles).toEqual(expect.arrayContaining([lead, ...found]))
      for (const id of found) expect(actions.filter(({ settles }) => settles.includes(id))).toEqual([action])
    },
  )

  test.each<[string, Finding, Finding]>([
    [
      'many redirects, and no word about staying on https',
      finding('core-snapshot/reach', 5, failed('way', `status 200 after 4 redirects, at ${url}`)),
      finding('security-safety/hsts', 3, failed('header')),
    ],
    [
      'no https, and no canonical address at all',
      finding(
        'core-snapshot/reach',
        5,
        failed('way', 'status 200 after 0 redirects, at http://site.example/'),
      ),
      finding('crawl-access/canonical', 3, failed('address', '0 canonical links')),
    ],
  ])('two findings without a common cause are both named: %s', (_case, one, other) => {
    const findings = [one, other]
    const own = findings.map(({ agent: id }) => ({
      agent: { id, name: id, checks: [] },
      weights: { readiness: 1, aeo: 1 },
    }))
    const parts = {
      companyName: 'B',
      domain: 'b',
      depth: 'full',
      workflows: [],
      gates: [],
      isIndustryClear: true,
      opportunities: [],
    } as const
    expect(makeReport({ ...parts, ...judged(areasOf(own, findings)) }).keyFindings).toHaveLength(2)
  })
})

describe('the name of the company', () => {
  const organization = (name: string, type = 'Organization') =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"${type}","name":${JSON.stringify(name)}}</script>`
  const siteName = '<meta property="og:site_name" content="Bikes &amp; Co">'

  test.each<[string, string]>([
    [`${organization('Bikes Ltd', 'Store')}${siteName}<title>Home | Site</title>`, 'Bikes Ltd'],
    [`${organization(' \u200b')}${siteName}`, 'Bikes & Co'],
    [
      `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Review","author":{"@type":"Organization","name":"A Customer"}},{"@type":"Organization","name":"Bikes Ltd"}]}</script>`,
      'Bikes Ltd',
    ],
    [`${organization('  ')}${siteName}<title>Home | Site</title>`, 'Bikes & Co'],
    ['<title>Home | The Site</title>', 'The Site'],
    ['<title>Site – Bikes for all</title>', 'Site'],
    ['<title>Home - Wheels and More</title>', 'Wheels and More'],
    ['<title>Rapid Rooter | Austin TX plumber, 24/7</title>', 'Rapid Rooter'],
    [
      '<title>Austin TX plumber, 24/7</title><footer>© 2026 Rapid Rooter LLC. All rights reserved.</footer>',
      'Rapid Rooter LLC',
    ],
    [
      `<title>Plumber | Rapid Rooter</title>${organization('RR Holding')}<meta property="og:site_name" content="Rapid Rooter">`,
      'Rapid Rooter',
    ],
    [`<title>Home</title><meta property="og:site_name" content="Rooter"><footer>Home</footer>`, 'Rooter'],
    ['<title>Wheels and more</title>', 'site.example'],
    ['<p>Nothing</p>', 'site.example'],
    [organization('B'.repeat(500)), `${'B'.repeat(99)}…`],
  ])('the company name of %j is %j', (head, name) => {
    expect(companyName(site({ [url]: `<html><head>${head}</head><body><p>Text</p></body></html>` }))).toBe(
      name,
    )
  })

  test('the company name is the domain when the page could not be read', () => {
    expect(companyName(site({ [url]: { status: 500 } }))).toBe('site.example')
  })
})

describe('a summary that a model rephrases', () => {
  const { signal } = new AbortController()
  const summary =
    'Bikes Ltd (site.example) scores 72 of 100 for AI readiness and 43 of 100 for AEO. It could measure 72% of what applies. Write one <h1> on https://site.example/.'

  async function rephrased(answer: ScriptedReply) {
    await using server = await startModelServer(answer)
    const engine = createOpenAiEngine({
      apiKey: 'sk-test',
      baseUrl: server.baseUrl,
      model: 'test-model',
      timeoutMs: 20_000,
      maxRetries: 0,
      maxOutputTokens: 1000,
    })
    const outcome = await rephraseSummary(summary, engine, signal)
    return { ...outcome, requests: server.requests }
  }

  test('a summary is the model’s when it says the same', async () => {
    const better =
      'With 72 of 100 for AI readiness and 43 of 100 for AEO, Bikes Ltd has work to do. Of what applies, 72 % could be measured. Begin with one <h1> on https://site.example/.'
    const { text, keptBecause, requests } = await rephrased(says({ text: better }))
    expect([text, keptBecause]).toEqual([better, undefined])
    const [system, user] = requests[0]?.body.messages ?? []
    expect(system?.content).not.toContain('Bikes Ltd')
    expect(user?.content).toBe(
      `<request>\n${JSON.stringify({ text: summary }).replaceAll('<', '\\u003c')}\n</request>`,
    )
  })

  test.each<[string, string]>([
    ['adds a number', summary.replace('It could', 'It has 3 faults and could')],
    ['adds a number', summary.replace('It could', 'It has twelve faults and could')],
    ['adds a number', summary.replace('72 of 100 for AI', '27 of 100 for AI')],
    ['adds a number', summary.replace('72%', '72.5%')],
    ['adds a number', summary.replace('It could', '43% is little. It could')],
    ['adds a number', summary.replace('It could', '٣ faults. It could')],
    ['scores differ', summary.replace(' and 43 of 100 for AEO', '')],
    [
      'scores differ',
      summary.replace('72 of 100', 'X').replace('43 of 100', '72 of 100').replace('X', '43 of 100'),
    ],
    ['omits a percentage', summary.replace('It could measure 72% of what applies. ', '')],
    ['adds an address or markup', `${summary} See https://evil.example/.`],
    ['adds an address or markup', `${summary} See evil.example now.`],
    ['adds an address or markup', `${summary} Write to me@evil.`],
    ['adds an address or markup', summary.replace('Bikes Ltd', '**Bikes Ltd**')],
    ['adds an address or markup', summary.replace('Bikes Ltd', '<b>Bikes Ltd</b>')],
    ['invisible characters', summary.replace('Bikes Ltd', 'Bikes\u200b Ltd')],
    ['twice as long', `${summary} ${'More of the same words. '.repeat(12)}`],
    ['is empty', '\u202e '],
  ])('a summary stays as measured when the model’s reply is at fault: %s', async (reason, answer) => {
    const { text, keptBecause } = await rephrased(says({ text: answer }))
    expect(text).toBe(summary)
    expect(keptBecause).toContain(reason)
  })

  test.each<[string, ScriptedReply]>([
    ['fails', fails(500)],
    ['refuses', says(null, { refusal: 'No.' })],
    ['answers something else', says({ summary: 'x' })],
    ['says nothing', says({ text: '' })],
  ])('a summary stays as measured when the model %s', async (_case, answer) => {
    const { text, keptBecause } = await rephrased(answer)
    expect(text).toBe(summary)
    expect(keptBecause).toContain('GatewayError')
  })

  test('rephrasing throws the signal’s reason when the scan is aborted', async () => {
    const reason = new Error('the scan was given up')
    await expect(rephraseSummary(summary, createLocalEngine(), AbortSignal.abort(reason))).rejects.toBe(
      reason,
    )
  })

  test('a summary stays as measured without a model', async () => {
    expect(await rephraseSummary(summary, createLocalEngine(), signal)).toEqual({
      text: summary,
      keptBecause: undefined,
    })
  })
})

describe('an analysis', () => {
  const page = `<html lang="en"><head><title>Bikes Ltd | Bikes in Hull</title>
    <meta name="description" content="We repair bikes."></head>
    <body><main><h1>Bikes</h1><p>Bikes Ltd is a shop that repairs bikes.</p></main></body></html>`
  const entries = {
    [url]: page,
    'https://site.example/robots.txt': 'User-agent: *\nAllow: /',
    'https://site.example/llms.txt': { status: 404 },
    'https://site.example/sitemap.xml': { status: 404 },
  }

  test.each(['light', 'basic', 'full'] as const)(
    'the analysis of a %s scan is the same, byte for byte, when its capture was saved and read again',
    (depth) => {
      const capture = captured(entries, { depth })
      const first = analyze(capture, defaultNow)
      const second = analyze(JSON.parse(JSON.stringify(capture)), defaultNow)
      expect(JSON.stringify(second)).toBe(JSON.stringify(first))
      expect(first.faults).toEqual([])
      expect(reportSchema.parse(first.analysis.report)).toEqual(first.analysis.report)
      expect(first.analysis.description).toBe('We repair bikes.')
      expect(first.analysis.coverage).toBeGreaterThan(0)
    },
  )
})

test('the summary says that the industry is not clear, unless the site keeps agents out', () => {
  const summaryOf = (isIndustryClear: boolean, gates: Gate[]) => {
    const { areas, actions } = judged(areasOf(agents, sampleFindings))
    const parts = { companyName: 'Example', domain: 'example.com', depth: 'full', areas, actions } as const
    return makeReport({ ...parts, gates, isIndustryClear, workflows: [], opportunities: [] }).executiveSummary
  }
  const wall: Gate = {
    id: 'wall',
    cap: 20,
    reason: 'It answers 403 to agents.',
    fix: 'Let agents in.',
  }

  expect(summaryOf(false, [])).toMatch(/The industry is not clear: [^.]+\.$/)
  expect(summaryOf(true, [])).not.toContain('The industry')
  expect(summaryOf(false, [wall])).not.toContain('The industry')
})

test.each([
  ['no <main> and no <nav>', 'no main element and no nav element'],
  ['Put text into <a href="#" class="icon vk">.', 'Put text into the link "icon vk" without an address.'],
  ['<a href="/cart">', 'the link to /cart'],
])('%s is written as %s', (text, words) => expect(inWords(text)).toBe(words))
