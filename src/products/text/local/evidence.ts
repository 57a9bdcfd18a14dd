import type { Industry, Opportunity } from '../knowledge/industry.ts'
import type { SiteFacts, SiteSentence } from '../site.ts'
import { relevanceOf, strongStems } from './rank.ts'
import { stemsOf } from './words.ts'

/**
 * What a website says about each kind of work. It decides which work comes first, and the text quotes it: two dentists
 * whose sites speak of different things get different analyses.
 */
export interface Evidence {
  /** How much the site says about the work, 0 to 6. */
  readonly weight: (opportunity: Opportunity) => number
  /** For each of some work, the sentence that says most about it and was not quoted before it; undefined when none does. */
  readonly quote: (opportunities: readonly Opportunity[]) => readonly (SiteSentence | undefined)[]
}

export function readEvidence(facts: SiteFacts | undefined, { common = [] }: Industry): Evidence {
  const usual = new Set(stemsOf(common.join(' ')))
  // Of a site in another language the words mean something else.
  const isReadable = facts !== undefined && (facts.language ?? 'en') === 'en'
  const sentences = isReadable
    ? facts.sentences.map((sentence) => ({
        sentence,
        stems: stemsOf(sentence.text).filter((stem) => !usual.has(stem)),
      }))
    : []
  const offered = isReadable ? stemsOf([...facts.offers, ...facts.about].join(' ')) : []
  const scored = (opportunity: Opportunity) =>
    sentences
      .map(({ sentence, stems }) => ({
        sentence,
        score: relevanceOf(stems, opportunity),
        isClear: strongStems(stems, opportunity).length >= minWords,
      }))
      .filter(({ score }) => score >= minScore)
      .toSorted((a, b) => b.score - a.score)
  return {
    weight(opportunity) {
      const said = scored(opportunity)
        .slice(0, 3)
        .reduce((sum, { score }) => sum + score, 0)
      return Math.min(6, said / 2 + relevanceOf(offered, opportunity) / 4)
    },
    quote(opportunities) {
      const quoted = new Set<SiteSentence>()
      return opportunities.map((opportunity) => {
        const found = scored(opportunity).find(
          ({ sentence, isClear }) => isClear && !quoted.has(sentence),
        )?.sentence
        if (found) quoted.add(found)
        return found
      })
    },
  }
}

/** Words that belong to the work: one alone stands in too many sentences. */
const minWords = 2
const minScore = 3
