import { sql } from 'kysely'
import type { Queries } from '../../../src/platform/store/database.ts'
import type { Analysis, Level, Opportunity } from '../../../src/products/scan/findings/results.ts'
import { industrySlugs } from '../../../src/products/text/knowledge/industry.ts'

/**
 * Fills a store with scans as a service has them after some months, for tests of query plans and for measurements.
 * The store makes the rows from a few hundred analyses, so that a hundred thousand take seconds.
 *
 * Scan number n, from 1 on, has the domain `site-n.example` (every tenth one the domain of the scan nine before it),
 * and is n minutes older than `now`. Of ten scans eight are complete, one has failed and one waits; three of four are
 * public, the others belong to one of fifty keys.
 */
export async function seedScans(queries: Queries, count: number, now: number): Promise<void> {
  const analyses = Array.from({ length: variants }, (_, at) => seedAnalysis(at))
  await sql`create table seed_analyses (variant integer primary key, analysis jsonb not null)`.execute(
    queries,
  )
  for (const [at, analysis] of analyses.entries()) {
    await sql`insert into seed_analyses values (${at}, ${JSON.stringify(analysis)}::text::jsonb)`.execute(
      queries,
    )
  }
  for (let from = 1; from <= count; from += batch) {
    const to = Math.min(count, from + batch - 1)
    await sql`
      insert into scans (id, owner, domain, url, has_scheme, email, depth, priority, is_queued, status, progress, attempt,
        events, created_at, moved_at, started_at, completed_at, error_code, error_message, analysis)
      select gen_random_uuid(), case n % 4 when 0 then 'key:' || n % 50 end, site, 'https://' || site || '/', true,
        case n % 7 when 0 then 'reader-' || n || '@example.com' end,
        (array['light', 'basic', 'full', 'basic'])[n % 4 + 1], 0, true, status,
        case status when 'complete' then 100 when 'error' then 40 else 0 end, 1, 4, at, at, at,
        case when status <> 'pending' then at end,
        case status when 'error' then 'SITE_UNREACHABLE' end,
        case status when 'error' then site || ' could not be fetched.' end,
        case status when 'complete' then jsonb_set(a.analysis, '{companyName}', to_jsonb((a.analysis ->> 'companyName') || ' ' || n)) end
      from (
        select n, 'site-' || case n % 10 when 0 then n - 9 else n end || '.example' as site,
          case n % 10 when 3 then 'error' when 5 then 'pending' else 'complete' end as status,
          ${new Date(now)}::timestamptz - n * interval '1 minute' as at
        from generate_series(${from}::integer, ${to}::integer) as n
      ) as numbered
      join seed_analyses as a on a.variant = numbered.n % ${variants}`.execute(queries)
  }
  await sql`drop table seed_analyses`.execute(queries)
  await sql`analyze scans`.execute(queries)
}

const variants = 300
const batch = 10_000

const words =
  'invoice booking appointment reminder customer support inventory payroll shipping returns newsletter quote lead contract compliance report calendar website catalog delivery warehouse patient student tenant insurance accounting recruiting onboarding translation archive ticket refund subscription analytics'.split(
    ' ',
  )
const trades =
  'dental bakery bicycle law school property robotics marketing clinic consulting furniture garden'.split(' ')
const levels: readonly Level[] = ['high', 'medium', 'low']

/** The analysis number `at`; neighbours have different words, scores and industries. */
export function seedAnalysis(at: number): Analysis {
  const pick = (step: number) => words[(at * 7 + step * 13) % words.length] ?? 'invoice'
  const trade = trades[at % trades.length] ?? 'dental'
  const opportunities = Array.from(
    { length: 4 },
    (_, step): Opportunity => ({
      id: `${pick(step)}-${step}`,
      title: `Automate the ${pick(step)} ${pick(step + 1)}`,
      description: `Each ${pick(step)} is typed twice today. A workflow can read it from the ${pick(step + 2)} and send the ${pick(step + 3)}.`,
      currentState: `A person copies every ${pick(step)} by hand.`,
      potentialState: `The ${pick(step)} arrives and is filed without a person.`,
      impact: levels[(at + step) % 3] ?? 'low',
      effort: levels[(at * 2 + step) % 3] ?? 'low',
      category: ['workflow', 'communication', 'data', 'scheduling'][(at + step) % 4] ?? 'workflow',
      estimatedTimeSavingsHours: 4 + ((at + step) % 20),
      estimatedTimeSavingsRange: '4 to 24 hours a month',
      automationApproach: ['form', 'queue', 'language model'],
      priority: step + 1,
      recommendedTools: ['n8n', 'Zapier'],
    }),
  )
  const areas = ['Core snapshot', 'Crawl access', 'Structured data', 'Content answerability']
  const breakdown = areas.map((category, step) => ({
    category,
    score: (at * 11 + step * 17) % 101,
    explanation: `The ${pick(step)} page has no ${pick(step + 4)} markup.`,
  }))
  return {
    report: {
      readinessScore: (at * 37) % 101,
      aeoScore: (at * 53) % 101,
      readinessBreakdown: breakdown,
      aeoBreakdown: breakdown,
      executiveSummary: `This ${trade} business scores ${(at * 37) % 101} of 100 for AI readiness. What to do first: write the ${pick(1)} into the page and add a ${pick(2)} feed.`,
      keyFindings: Array.from(
        { length: 6 },
        (_, step) => `The ${pick(step)} page names no ${pick(step + 5)}.`,
      ),
      totalTimeSavingsPotential: '16 to 96 hours a month',
      workflows: [
        {
          name: `${pick(3)} intake`,
          description: `How a ${pick(3)} comes in and is answered.`,
          steps: [
            { name: `Read the ${pick(3)}`, isManual: true },
            { name: `Answer with a ${pick(4)}`, isManual: false },
          ],
          automationPotential: levels[at % 3] ?? 'low',
        },
      ],
      opportunities,
    },
    challenges: areas.map((category, step) => ({
      id: `core-snapshot/${pick(step)}`,
      category,
      title: `There is a ${pick(step)}`,
      severity: levels[step % 3] ?? 'low',
      reason: `No ${pick(step)} was found.`,
      fix: `Add a ${pick(step)} to the home page.`,
      evidence: [{ url: 'https://site.example/', value: `no ${pick(step)}` }],
    })),
    companyName: `${pick(0)} ${trade}`,
    industry: industrySlugs[at % industrySlugs.length] ?? 'other',
    description: `A ${trade} business that takes care of every ${pick(1)} and ${pick(2)}.`,
    coverage: 90,
  }
}
