import { type Industry, type IndustrySlug, industrySlugs } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'
import { presentText } from '../plain-text.ts'
import { phraseScore, phraseWeight, wordsOf } from './words.ts'

/**
 * Finds out which industry a request is about. Callers write "dental", "SaaS" or nothing at all; an
 * analysis for the wrong trade is worthless, so the text also says how the industry was found.
 */

export interface Found {
  readonly industry: Industry
  /** `given`: named by the caller; `inferred`: read from other fields; `unknown`: nothing pointed anywhere. */
  readonly how: 'given' | 'inferred' | 'unknown'
}

/** What can point to an industry, strongest first. */
export interface Evidence {
  readonly industry?: string | undefined
  readonly name?: string | undefined
  readonly subject?: string | undefined
  readonly question?: string | undefined
  readonly website?: string | undefined
}

export function findIndustry(evidence: Evidence): Found {
  const named = presentText(evidence.industry)
  if (named !== undefined) {
    const slug = slugNamed(named) ?? best([[named, 1]])
    if (slug !== undefined) return { industry: knowledge[slug], how: 'given' }
  }
  const slug = best([
    [evidence.name ?? '', 3],
    [hostWords(evidence.website), 2],
    // What a caller asks about is no sign of the trade once the trade was named: a funeral home that
    // asks about calls at night is not a software company.
    ...(named === undefined
      ? ([
          [evidence.subject ?? '', 3],
          [evidence.question ?? '', 1],
        ] as const)
      : []),
  ])
  return slug === undefined
    ? { industry: knowledge.other, how: 'unknown' }
    : { industry: knowledge[slug], how: 'inferred' }
}

function slugNamed(text: string): IndustrySlug | undefined {
  const wanted = wordsOf(text).join('-')
  return industrySlugs.find((slug) => slug === wanted || wordsOf(knowledge[slug].name).join('-') === wanted)
}

function best(texts: readonly (readonly [text: string, weight: number])[]): IndustrySlug | undefined {
  const scores = industrySlugs.map((slug) => ({
    slug,
    score: texts.reduce(
      (sum, [text, weight]) => sum + weight * phraseScore(text, knowledge[slug].aliases, aliasWeight),
      0,
    ),
  }))
  const leader = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return leader.score > 0 ? leader.slug : undefined
}

/**
 * A word that turns up in talk about any trade says little: "marketing for dentists" is about
 * dentists. Such a word decides only when nothing else does.
 */
function aliasWeight(alias: string): number {
  return passing.has(alias) ? 0.4 : phraseWeight(alias)
}

const passing = new Set(
  `ai,app,apps,software,tech,technology,platform,cloud,api,code,internet,database,automation,training,learning,
  marketing,content,proposal,proposals,campaign,campaigns,stock,payments,records,media,search,seo,onboarding flow,
  engagement,production,customer,stores,returns,capital,financial,finance,accounting,legal,course,courses,branding,
  social media,hosting,machine learning,artificial intelligence,consultant,consultants,coach,coaching,advertising,
  security guards,transport,energy,foundation,association,club,trading,investment,checkout,packaging,assembly,
  developer,developers,property,wellness clinic,lease,digital marketing,email,analytics platform,chemical,chemicals`
    .split(',')
    .map((word) => word.trim()),
)

/** "https://www.smile-dental.example/a" → "smile dental" and long trade words inside one label. */
function hostWords(website: string | undefined): string {
  const host =
    (website ?? '')
      .toLowerCase()
      .replace(/^[a-z]+:\/\//, '')
      .split(/[/?#:]/, 1)[0] ?? ''
  const label = host.replace(/^www\./, '')
  const inside = industrySlugs
    .flatMap((slug) => knowledge[slug].aliases)
    .filter((alias) => alias.length >= 6 && /^[a-z]+$/.test(alias) && label.includes(alias))
  return `${label} ${inside.join(' ')}`
}
