import { type Industry, type IndustrySlug, industrySlugs } from '../knowledge/industry.ts'
import { knowledge } from '../knowledge/knowledge.ts'
import { presentText } from '../plain-text.ts'
import { phraseScore, phraseWeight, weighPhrases, wordsOf } from './words.ts'

/**
 * Finds the industry of a request. Callers write "dental", "SaaS" or nothing; an analysis for the wrong industry is
 * worthless, so the text also says how the industry was found.
 */

export interface IndustryMatch {
  readonly industry: Industry
  /** `given`: the caller named it; `inferred`: found in other fields; `unknown`: no field names one. */
  readonly how: 'given' | 'inferred' | 'unknown'
}

/** The fields that can name an industry, strongest first. */
export interface IndustryHints {
  readonly industry?: string | undefined
  readonly name?: string | undefined
  readonly subject?: string | undefined
  readonly question?: string | undefined
  readonly website?: string | undefined
}

export function findIndustry(hints: IndustryHints): IndustryMatch {
  const named = presentText(hints.industry)
  if (named !== undefined) {
    const slug = slugNamed(named) ?? bestMatch([[named, 1]])
    if (slug !== undefined) return { industry: knowledge[slug], how: 'given' }
  }
  const slug = bestMatch([
    [hints.name ?? '', 3],
    [hostWords(hints.website), 2],
    // Once the caller has named an industry, the question says nothing about it: a funeral home that asks about calls
    // at night is not a software company.
    ...(named === undefined
      ? ([
          [hints.subject ?? '', 3],
          [hints.question ?? '', 1],
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

function bestMatch(texts: readonly (readonly [text: string, weight: number])[]): IndustrySlug | undefined {
  const scores = industrySlugs.map((slug) => ({
    slug,
    score: texts.reduce(
      (sum, [text, weight]) => sum + weight * phraseScore(text, aliases.get(slug) ?? []),
      0,
    ),
  }))
  const leader = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return leader.score > 0 ? leader.slug : undefined
}

/**
 * Aliases that occur in texts about any industry say little: "marketing for dentists" is about dentists. Such a word
 * decides only when no other does.
 */
const weakAliases = new Set(
  `ai,app,apps,software,tech,technology,platform,cloud,api,code,internet,database,automation,training,learning,
  marketing,content,proposal,proposals,campaign,campaigns,stock,payments,records,media,search,seo,onboarding flow,
  engagement,production,customer,stores,returns,capital,financial,finance,accounting,legal,course,courses,branding,
  social media,hosting,machine learning,artificial intelligence,consultant,consultants,coach,coaching,advertising,
  security guards,transport,energy,foundation,association,club,trading,investment,checkout,packaging,assembly,
  developer,developers,property,wellness clinic,lease,digital marketing,email,analytics platform,chemical,chemicals`
    .split(',')
    .map((word) => word.trim()),
)

const aliases = new Map(
  industrySlugs.map((slug) => {
    const weigh = (alias: string) => (weakAliases.has(alias) ? 0.4 : phraseWeight(alias))
    return [slug, weighPhrases(knowledge[slug].aliases, weigh)] as const
  }),
)

/** Turns "https://www.smile-dental.example/a" into "smile dental" and the long aliases inside a label. */
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
