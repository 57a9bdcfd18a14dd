import { type Industry, type IndustrySlug, industrySlugs } from '../knowledge/industry.ts'
import { knowledge, tradeProfiles } from '../knowledge/knowledge.ts'
import { presentText } from '../plain-text.ts'
import { withoutForeignKinds } from './foreign-kinds.ts'
import { namesTrade } from './trades.ts'
import { phraseScore, phraseWeight, stem, weighPhrases, wordsOf } from './words.ts'

/**
 * Finds the industry of a request. Callers write "dental", "SaaS" or nothing; an analysis for the wrong industry is
 * worthless, so the text also says how the industry was found.
 */

export interface IndustryMatch {
  readonly industry: Industry
  /** `given`: the caller named it; `read`: the website says it; `inferred`: found in other fields; `unknown`: no field names one. */
  readonly how: 'given' | 'read' | 'inferred' | 'unknown'
  /** Whether it is more than a guess: nothing else fits nearly as well, and no word of the caller contradicts it. */
  readonly isSure: boolean
}

/** The fields that can name an industry, strongest first. */
export interface IndustryHints {
  readonly industry?: string | undefined
  readonly name?: string | undefined
  readonly subject?: string | undefined
  readonly question?: string | undefined
  readonly website?: string | undefined
  /** What the website says; `other` says nothing. */
  readonly read?: IndustrySlug | undefined
  /** The trade within the industry that the website shows. */
  readonly trade?: keyof typeof tradeProfiles | undefined
}

/** With the profile of a trade where one is named: a dentist has no nurses and no refill requests. */
export function findIndustry(hints: IndustryHints): IndustryMatch {
  const match = industryNamed(hints)
  const texts = [hints.industry, hints.name, hints.subject, hints.question, hostWords(hints.website)]
  const trade = trades.find(
    ({ name, profile, phrases }) =>
      profile.slug === match.industry.slug &&
      (name === hints.trade || texts.some((text) => phraseScore(text ?? '', phrases) > 0)),
  )
  return trade === undefined ? match : { ...match, industry: trade.profile }
}

const trades = Object.entries(tradeProfiles).map(([name, profile]) => ({
  name,
  profile,
  phrases: weighPhrases(profile.aliases),
}))

function industryNamed(hints: IndustryHints): IndustryMatch {
  const named = presentText(hints.industry)
  if (named !== undefined) {
    const slug = slugNamed(named)
    if (slug !== undefined) return { industry: knowledge[slug], how: 'given', isSure: true }
    if (namesTrade(named)) return { industry: knowledge.other, how: 'given', isSure: true }
    const match = bestMatch([[named, 1]])
    if (match !== undefined) {
      const isSure = namesIndustry(named, match.slug)
      return { industry: knowledge[match.slug], how: 'given', isSure }
    }
  }
  if (named === undefined && [hints.name, hints.subject].some((text) => namesTrade(text ?? '')))
    return { industry: knowledge.other, how: 'inferred', isSure: true }
  const match = bestMatch([
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
  const isOwn = named === undefined
  if (match?.isClear) return { industry: knowledge[match.slug], how: 'inferred', isSure: isOwn }
  if (hints.read !== undefined && hints.read !== 'other')
    return { industry: knowledge[hints.read], how: 'read', isSure: isOwn }
  return match === undefined
    ? { industry: knowledge.other, how: 'unknown', isSure: false }
    : { industry: knowledge[match.slug], how: 'inferred', isSure: false }
}

function slugNamed(text: string): IndustrySlug | undefined {
  const wanted = wordsOf(text).join('-')
  return industrySlugs.find((slug) => slug === wanted || wordsOf(knowledge[slug].name).join('-') === wanted)
}

interface Match {
  readonly slug: IndustrySlug
  /** More than a weak alias speaks for it, and no other industry comes near. */
  readonly isClear: boolean
}

function bestMatch(texts: readonly (readonly [text: string, weight: number])[]): Match | undefined {
  const scores = industrySlugs
    .map((slug) => {
      const phrases = aliases.get(slug) ?? []
      const readable = texts.map(
        ([text, weight]) => [slug === 'other' ? text : withoutForeignKinds(text), weight] as const,
      )
      return {
        slug,
        score: readable.reduce((sum, [text, weight]) => sum + weight * phraseScore(text, phrases), 0),
        isStrong: readable.some(([text]) =>
          phrases.some((phrase) => phrase.weight >= 1 && phraseScore(text, [phrase]) > 0),
        ),
      }
    })
    .toSorted((a, b) => b.score - a.score)
  const [leader, second] = scores
  if (leader === undefined || leader.score <= 0) return undefined
  return { slug: leader.slug, isClear: leader.isStrong && leader.score > 1.2 * (second?.score ?? 0) }
}

/**
 * Whether the words of a named industry end in one that the profile knows. "Family law firm" does; "veterinary
 * ultrasound devices" does not, although it begins with one.
 */
function namesIndustry(named: string, slug: IndustrySlug): boolean {
  const known = aliasStems.get(slug) ?? new Set()
  const [, chained] = /^(?:a |an |the )?(?:chain|group|network|family) of (.+)$/i.exec(named) ?? []
  const [head = ''] = (chained ?? named).split(
    /[,(/–—:;&+]| (?:for|in|with|near|at|of|that|who|which|and|or|from|on|to|speciali[sz]\w+) /i,
    1,
  )
  const words = wordsOf(head).map(stem)
  while (words.length > 1 && plainNouns.has(words.at(-1) ?? '') && !known.has(words.at(-1) ?? '')) words.pop()
  return known.has(words.at(-1) ?? '')
}

/** They follow the word that names the industry and say nothing of it. */
const plainNouns = new Set(
  wordsOf(`company companies firm firms business businesses provider providers practice practices office offices service
    services group agency agencies center centre studio operator operators industry sector specialist specialists
    professional professionals team shop shops store stores organization organizations sme smes smb smbs`).map(
    stem,
  ),
)

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
  developer,developers,property,smile,wellness clinic,lease,digital marketing,email,analytics platform,chemical,chemicals`
    .split(',')
    .map((word) => word.trim()),
)

const aliases = new Map(
  industrySlugs.map((slug) => {
    const weigh = (alias: string) => (weakAliases.has(alias) ? 0.4 : phraseWeight(alias))
    return [slug, weighPhrases(knowledge[slug].aliases, weigh)] as const
  }),
)

const aliasStems = new Map(
  industrySlugs.map((slug) => [slug, new Set(knowledge[slug].aliases.flatMap(wordsOf).map(stem))] as const),
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
