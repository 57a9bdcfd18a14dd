import { profiles } from '../knowledge/knowledge.ts'
import { stem, stemsOf, wordsOf } from './words.ts'

/** The words that the knowledge base can say something about. A topic with other words is one that it does not know. */

/** Verbs that begin a topic or a question: they say what is done, not what about. */
export const actionVerbs: ReadonlySet<string> = new Set(
  wordsOf(`automate reduce improve increase build choose use get manage save stop start cut boost grow create make write
    fix avoid find handle speed streamline simplify scale plan prepare run track measure respond answer convert win
    keep turn set launch optimize optimise digitize digitise organize organise collect send replace move learn
    understand implement hire retain recover prevent eliminate schedule collect generate attract`),
)

/** The stems of all words that the knowledge base writes in lower case inside sentences. */
export const ordinaryStems: ReadonlySet<string> = new Set(
  profiles
    .flatMap((industry) => [
      ...industry.opportunities.flatMap((each) => [
        each.subject,
        each.description,
        each.currentState,
        each.potentialState,
        each.watchOut,
        each.measure,
      ]),
      ...industry.painPoints.map(({ detail }) => detail),
      ...industry.facts,
      ...industry.buyers.questions,
      ...industry.quickWins.flatMap(({ steps }) => steps),
    ])
    .flatMap((text) => text.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? [])
    .map(stem),
)

const aliasStems: ReadonlySet<string> = new Set(
  profiles
    .flatMap(({ aliases, name, organizations, customers }) => [...aliases, name, organizations, customers])
    .flatMap(wordsOf)
    .map(stem),
)

const topicStems: ReadonlySet<string> = new Set(
  profiles
    .flatMap(({ opportunities }) => opportunities)
    .flatMap(({ topics, title, subject, recommendedTools }) => [
      ...topics,
      title,
      subject,
      ...recommendedTools,
    ])
    .flatMap(wordsOf)
    .map(stem),
)

/** Words that frame a subject without being one. */
const framing: ReadonlySet<string> = new Set(
  wordsOf(`checklist mistakes mistake lessons lesson beginners beginner introduction overview examples example template
    templates ways steps step reasons reason questions question practice practices independent local family owned
    owner owners manager managers staff employee employees busy smart smarter simple really actually without less
    fewer finally ultimate complete essential common biggest top trends trend roi efficient efficiency productive productivity
    effective effectiveness lose losing lost waste wasting spend spending eliminating running growing cutting getting
    making using choosing finding keeping winning killing killer hidden real world modern next new sell selling management
    hurt hurts hurting summer winter spring autumn season seasonal office themselves yourself itself online automatic
    automatically automating shorter longer better worse faster slower easier`).map(stem),
)

const verbStems: ReadonlySet<string> = new Set([...actionVerbs].map(stem))

/** The words of a text that match nothing here, as the caller wrote them. */
export function unknownWords(text: string): readonly string[] {
  return [...new Set(wordsOf(text))].filter((word) => {
    const each = stem(word)
    if (/^\p{N}+$/u.test(word) || stemsOf(word).length === 0) return false
    return ![ordinaryStems, aliasStems, topicStems, framing, verbStems].some((known) => known.has(each))
  })
}

/** The words of a text that are its subject: without frames, names of industries and, if any are left, verbs. */
export function subjectWords(text: string): readonly string[] {
  const words = [...new Set(wordsOf(text))].filter((word) => {
    const each = stem(word)
    if (/^\p{N}+$/u.test(word) || stemsOf(word).length === 0 || framing.has(each)) return false
    return topicStems.has(each) || !aliasStems.has(each)
  })
  const nouns = withoutWho(words.filter((word) => !verbStems.has(stem(word))))
  return nouns.length > 0 ? nouns : words.filter((word) => topicStems.has(stem(word)))
}

/** "No-shows at dental clinics" is about no-shows: the words for who has the problem count only when no others are there. */
function withoutWho(words: readonly string[]): readonly string[] {
  const others = words.filter((word) => !whoWords.has(word))
  return others.length > 0 ? others : words
}

const whoWords: ReadonlySet<string> = new Set(
  wordsOf(`clinic clinics dental dentist dentists practice practices firm firms shop shops store stores plant plants school
    schools agency agencies restaurant restaurants hotel hotels company companies saas law legal medical small patients
    doctors lawyers`),
)
