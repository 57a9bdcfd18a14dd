import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import type { Analysis, Opportunity, Report } from '../../../src/products/scan/findings/results.ts'
import { createScans, type Scans } from '../../../src/products/scan/scans/scans.ts'
import type { EntryType } from '../../../src/products/search/entries.ts'
import { indexCompleted } from '../../../src/products/search/index-scan.ts'
import { indexAll } from '../../../src/products/search/keep-indexed.ts'
import { readQuery } from '../../../src/products/search/query.ts'
import { maxScans, search } from '../../../src/products/search/search.ts'
import { completeScan } from '../../support/scans/complete-scan.ts'
import { analysis } from '../../support/scans/scans.ts'
import { type Opened, openFolder, openServer } from '../../support/stores/ledger.ts'

const log = createLog('silent')

describe.each([
  ['PGlite', openFolder],
  ['PostgreSQL', openServer],
])('search in %s', (_driver, open) => {
  let opened: Opened
  let scans: Scans
  /** Scans of a gateway that is older than search. */
  let unindexed: Scans

  beforeAll(async () => {
    opened = await open()
    let time = Date.UTC(2026, 10, 21)
    const tick = () => {
      time += 1
      return time
    }
    const books = { queries: opened.one.queries, clock: { now: tick } }
    scans = createScans(books, [indexCompleted])
    unindexed = createScans(books)
  })
  afterAll(() => opened.close())

  interface Asked {
    readonly type?: EntryType
    readonly limit?: number
    readonly viewer?: string
  }
  async function find(text: string, { type, limit = 50, viewer }: Asked = {}) {
    const query = readQuery(text)
    if (typeof query === 'string') throw new Error(`the query ${text} has ${query}`)
    return await search({ queries: opened.one.queries }, { query, type, limit, viewer })
  }
  const titles = async (text: string, asked?: Asked) =>
    (await find(text, asked)).results.map(({ title }) => title)
  const domains = async (text: string, asked?: Asked) =>
    [...new Set((await find(text, asked)).results.map(({ domain }) => domain))].toSorted()

  /** A word that no other test has written. */
  const newWord = () => `w${randomUUID().replaceAll('-', '').slice(0, 12)}`

  test('an opportunity is found by a word of its text, with its scan, its domain, the text around the word, and a score', async () => {
    const word = newWord()
    const id = await completeScan(
      scans,
      'shop.example',
      reporting({
        opportunities: [opportunity('Answer questions at night', `A reader of ${word} answers.`)],
      }),
    )
    const { results, total } = await find(word)
    expect(total).toBe(1)
    expect(results).toEqual([
      {
        type: 'opportunity',
        scanId: id,
        domain: 'shop.example',
        title: 'Answer questions at night',
        snippet: expect.stringContaining(`A reader of ${word} answers.`),
        score: expect.any(Number),
      },
    ])
    expect(results[0]?.score).toBeGreaterThan(0)
    expect(results[0]?.score).toBeLessThan(1)
  })

  test('a finding, a workflow and a domain are found by their words, and search_type leaves only one kind', async () => {
    const word = newWord()
    await completeScan(scans, `${word}.example`, {
      ...reporting({
        keyFindings: [`No ${word} was found. Add one.`],
        opportunities: [opportunity(`Write ${word}`, 'By a machine.')],
        workflows: [{ name: `Read ${word}`, description: 'By hand.', automationPotential: 'high' }],
      }),
      companyName: 'A company',
    })
    const kinds = (await find(word)).results.map(({ type }) => type)
    expect(new Set(kinds)).toEqual(new Set(['domain', 'finding', 'opportunity', 'workflow']))
    expect(await titles(word, { type: 'domain' })).toEqual([`${word}.example`])
    expect(await titles(word, { type: 'workflow' })).toEqual([`Read ${word}`])
    expect(await titles(word, { type: 'opportunity' })).toEqual([`Write ${word}`])
    const ofOneKind = await find(word, { type: 'opportunity' })
    expect(ofOneKind.total).toBe(1)
  })

  test('the entry that has the word in its title comes before one that has it in its text, and that before its neighbors on the domain', async () => {
    const word = newWord()
    await completeScan(
      scans,
      `${word}.example`,
      reporting({
        opportunities: [
          opportunity('Three', 'Nothing of it.'),
          opportunity('Two', `One ${word} more.`),
          opportunity(`One ${word}`, 'Nothing of it.'),
        ],
      }),
    )
    expect(await titles(word, { type: 'opportunity' })).toEqual([`One ${word}`, 'Two', 'Three'])
    const scores = (await find(word)).results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
  })

  test('of equally good entries the one of the newer scan comes first', async () => {
    const word = newWord()
    for (const name of ['older', 'newer'])
      await completeScan(scans, `${name}.example`, reporting({ opportunities: [opportunity(word, 'Text.')] }))
    const { results } = await find(word)
    expect(results.map(({ domain }) => domain)).toEqual(['newer.example', 'older.example'])
  })

  test('all words must occur in one entry, in any order, and a phrase in its order', async () => {
    const [one, two] = [newWord(), newWord()]
    await completeScan(
      scans,
      'phrases.example',
      reporting({
        opportunities: [
          opportunity('Apart', `${one} stands before the ${two}.`),
          opportunity('Together', `A ${one} ${two} stands here.`),
          opportunity('Alone', `Only ${one}.`),
          opportunity(`Broken ${one}`, `${two} begins the text.`),
        ],
      }),
    )
    expect((await titles(`${two} ${one}`)).toSorted()).toEqual(['Apart', `Broken ${one}`, 'Together'])
    expect(await titles(`"${one} ${two}"`)).toEqual(['Together'])
    expect(await titles(`“${one} ${two}”`)).toEqual(['Together'])
    expect(await titles(`"${two} ${one}"`)).toEqual([])
    // A quotation mark without its partner opens a phrase up to the end.
    expect(await titles(`"${one} ${two}`)).toEqual(['Together'])
    expect(await titles(`${one}-${two}`)).toEqual(['Together'])
  })

  test('a word or phrase with a minus takes out the entries that have it', async () => {
    const [one, two, three] = [newWord(), newWord(), newWord()]
    await completeScan(
      scans,
      'minus.example',
      reporting({
        opportunities: [
          opportunity('A', `${one} ${two} ${three}`),
          opportunity('B', `${one} ${three} ${two}`),
          opportunity('C', `${one} ${three}`),
        ],
      }),
    )
    expect((await titles(one)).toSorted()).toEqual(['A', 'B', 'C'])
    expect(await titles(`${one} -${two}`)).toEqual(['C'])
    expect((await titles(`${one} -"${two} ${three}"`)).toSorted()).toEqual(['B', 'C'])
    expect((await find(`${one} -minus.example`)).total).toBe(0)
    expect(await titles(`${one} -`)).toHaveLength(3)
  })

  test('a domain is found by its beginning, by the beginning of each of its labels, and in any spelling of its address', async () => {
    const name = newWord()
    const domain = `${name}.praxis-m.example`
    await completeScan(scans, domain, analysis())
    for (const query of [
      name,
      name.slice(0, 9),
      name.slice(0, 9).toUpperCase(),
      domain,
      `${name}.pra`,
      `www.${domain}`,
      `https://www.${domain}/page?a=1`,
    ]) {
      expect([query, await domains(query, { type: 'domain' })]).toEqual([query, [domain]])
    }
    expect(await domains('praxis-m.ex', { type: 'domain' })).toEqual([domain])
    expect(await domains('praxis', { type: 'domain' })).toContain(domain)
    expect(await domains(`"${name.slice(0, 9)}"`)).toEqual([])
  })

  test('a domain with letters beyond ASCII is found by them and by its ASCII form', async () => {
    await completeScan(scans, 'xn--bcherstube-9db.example', analysis())
    for (const query of ['bücherstube', 'Bücher', 'bucherstube', 'xn--bcherstube-9db.example'])
      expect([query, await titles(query, { type: 'domain' })]).toEqual([query, ['bücherstube.example']])
  })

  test('the domain belongs to every entry of its scan', async () => {
    const [name, word] = [newWord(), newWord()]
    for (const domain of [`${name}.example`, `${newWord()}.example`])
      await completeScan(scans, domain, reporting({ opportunities: [opportunity(word, `Of ${domain}.`)] }))
    expect(await domains(`${name}.example ${word}`, { type: 'opportunity' })).toEqual([`${name}.example`])
  })

  test.each([
    [
      'Japanese',
      '東京都渋谷区の歯科医院です。オンライン予約を受け付けています。',
      ['歯科医院', 'オンライン予約', '渋谷', '"歯科医院です"'],
      ['医歯科', '大阪'],
    ],
    ['Chinese', '我们为中小企业提供会计服务', ['会计服务', '中小企业', '企业'], ['服会']],
    ['Korean', '서울에서 치과 예약을 받습니다', ['서울', '치과', '예약을'], ['부산']],
    ['Thai', 'คลินิกทันตกรรมในกรุงเทพมหานคร', ['ทันตกรรม', 'กรุงเทพ'], ['เชียงใหม่']],
    ['Arabic', 'نُقَدِّمُ خدمات المحاسبة للشركات', ['خدمات', 'المحاسبة', 'نقدم'], ['مطعم']],
    ['Hebrew', 'אנחנו מציעים שֵׁרוּתֵי הנהלת חשבונות', ['שרותי', 'חשבונות'], ['מסעדה']],
    ['Hindi', 'हम दाँतों का इलाज करते हैं', ['इलाज', 'दाँतों'], ['इला']],
    ['Greek', 'Λογιστικές ΥΠΗΡΕΣΊΕΣ για εταιρείες', ['υπηρεσιες', 'λογιστικές'], ['ιατρός']],
    ['Russian', 'Бухгалтерские услуги для йогуртовых заводов', ['УСЛУГИ', 'йогуртовых'], ['юрист']],
    ['Vietnamese', 'Dịch vụ kế toán cho doanh nghiệp', ['ke toan', 'Dịch vụ'], ['luật']],
    ['German', 'Wir grüßen Sie aus der Straße am Fluß', ['STRASSE', 'grussen', 'Fluss'], ['Weg']],
    ['full-width Latin', 'ＡＩ受付', ['ai', 'AI受付'], ['bi']],
  ] as const)(
    'a text in %s is found by its parts, in the spellings that people use',
    async (_script, text, parts, others) => {
      const domain = `${newWord()}.example`
      await completeScan(scans, domain, { ...analysis(), description: text })
      for (const part of parts) expect([part, await domains(part)]).toEqual([part, [domain]])
      for (const other of others) expect([other, await domains(other)]).toEqual([other, []])
    },
  )

  test('a single character of a script without spaces finds the texts that have it', async () => {
    const [one, end] = [`${newWord()}.example`, `${newWord()}.example`]
    await completeScan(scans, one, { ...analysis(), description: '鰻重弁当' })
    await completeScan(scans, end, { ...analysis(), description: '焼鰻' })
    expect(await domains('鰻')).toEqual([one, end].toSorted())
  })

  test('a scan that was made with a key is found by that key alone, and changes no total of others', async () => {
    const word = newWord()
    const found = reporting({ opportunities: [opportunity(word, 'Text.')] })
    const own = await completeScan(scans, 'secret.example', found, { owner: 'key:1' })
    const open = await completeScan(scans, 'open.example', found)
    const seenBy = async (viewer?: string) => {
      const { results, total } = await find(word, viewer === undefined ? {} : { viewer })
      return { ids: results.map(({ scanId }) => scanId).toSorted(), total }
    }
    expect(await seenBy('key:1')).toEqual({ ids: [own, open].toSorted(), total: 2 })
    for (const viewer of ['key:2', '', undefined])
      expect([viewer, await seenBy(viewer)]).toEqual([viewer, { ids: [open], total: 1 }])
  })

  test('of each domain the newest complete scan of each owner is found', async () => {
    const word = newWord()
    const found = (text: string) => reporting({ opportunities: [opportunity(text, word)] })
    await completeScan(scans, 'again.example', found('First'))
    await completeScan(scans, 'again.example', found('Of a key'), { owner: 'key:1' })
    await completeScan(scans, 'again.example', found('Second'))
    expect(await titles(word)).toEqual(['Second'])
    expect((await titles(word, { viewer: 'key:1' })).toSorted()).toEqual(['Of a key', 'Second'])
  })

  test('a deleted scan is not found any more, and the older scan of its domain is found again after the next look', async () => {
    const word = newWord()
    const found = (text: string) => reporting({ opportunities: [opportunity(text, word)] })
    const [, newest] = [
      await completeScan(scans, 'deleted.example', found('First')),
      await completeScan(scans, 'deleted.example', found('Second')),
    ]
    await opened.one.queries.deleteFrom('scans').where('id', '=', newest).execute()
    expect(await find(word)).toEqual({ results: [], total: 0 })
    await indexAll(opened.one.queries, log, new AbortController().signal)
    expect(await titles(word)).toEqual(['First'])
  })

  test('scans that were complete before search existed are found after the start, also more than one batch', async () => {
    const word = newWord()
    const found = reporting({ opportunities: [opportunity(word, 'Text.')] })
    for (let count = 0; count < 45; count += 1) await completeScan(unindexed, `old-${count}.example`, found)
    await completeScan(unindexed, 'old-0.example', reporting({ opportunities: [opportunity('Newer', word)] }))
    expect((await find(word)).total).toBe(0)
    await indexAll(opened.one.queries, log, new AbortController().signal)
    expect((await find(word, { type: 'opportunity' })).total).toBe(45)
    expect(await titles(`"${word}" old-0.example`, { type: 'opportunity' })).toContain('Newer')
  })

  test('the results are at most as many as were asked for, and the total is that of all', async () => {
    const word = newWord()
    const opportunities = Array.from({ length: 12 }, (_, at) => opportunity(`${word} ${at}`, 'Text.'))
    await completeScan(scans, 'many.example', reporting({ opportunities }))
    const { results, total } = await find(word, { limit: 5 })
    expect([results.length, total]).toEqual([5, 12])
  })

  test('of a word that very many scans have, the newest scans are looked at, and the total counts these', async () => {
    const word = newWord()
    const { queries } = opened.one
    const found = reporting({ executiveSummary: '', keyFindings: [word] })
    const oldest = await completeScan(scans, 'oldest.example', found)
    await sql`with copies as (
        insert into scans select (jsonb_populate_record(scans, jsonb_build_object(
          'id', gen_random_uuid(), 'domain', n || '.copy.example', 'created_at', created_at + n * interval '1 second'))).*
        from scans, generate_series(1, ${maxScans}) as n where id = ${oldest} returning id, domain, created_at
      ), documents as (
        insert into search_documents (scan_id, domain, created_at, words)
        select copies.id, copies.domain, copies.created_at, words from copies, search_documents as known where known.scan_id = ${oldest}
        returning id
      )
      insert into search_entries select documents.id, position, type, title, body, entries.words
      from documents, search_entries as entries
        join search_documents as known on known.id = entries.document and known.scan_id = ${oldest}`.execute(
      queries,
    )
    const { results, total } = await find(word)
    expect(total).toBe(maxScans)
    expect(results.map(({ scanId }) => scanId)).not.toContain(oldest)
  })

  test('no text makes a search fail', async () => {
    const pieces = [
      '"',
      "'",
      '\\',
      '-',
      '--',
      '&',
      '|',
      '!',
      '(',
      ')',
      ':*',
      '<->',
      '<1>',
      '%',
      '_',
      '@',
      '.',
      ':A',
      '東',
      'a',
      'É',
      '½',
      '🚀',
      '\u200d',
      '\u0301',
      '﷽',
      '*',
      ' ',
      '\t',
      'or',
      'AND',
      '$1',
      'ﬁ',
      'İ',
      '\u{10ffff}',
      '«',
      '」',
    ]
    let seed = 7
    const next = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    for (let round = 0; round < 200; round += 1) {
      const text = Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]).join('')
      const query = readQuery(`${text} é`)
      if (typeof query === 'string') continue
      await search({ queries: opened.one.queries }, { query, type: undefined, limit: 2, viewer: undefined })
    }
  })

  test('a scan whose texts hold signs of the query language or cannot be stored completes and is found', async () => {
    const word = newWord()
    const odd = `it's \\ '${word}' & !( :* <-> a\0b \ud800 <b>bold</b> ${'long'.repeat(1_000)}`
    await completeScan(scans, 'odd.example', reporting({ keyFindings: [odd], executiveSummary: '' }))
    const { results } = await find(word)
    expect(results).toHaveLength(1)
    expect(results[0]?.snippet).not.toMatch(/[<>\0]/)
  })
})

function reporting(change: Partial<Report>): Analysis {
  const base = analysis()
  return { ...base, report: { ...base.report, ...change } }
}

function opportunity(title: string, description: string): Opportunity {
  return { id: title, title, description, impact: 'high', effort: 'low', category: 'workflow' }
}
