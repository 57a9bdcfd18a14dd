import { firstSentence, sentencesIn } from '../../text/sentences.ts'
import type { Action, Gate } from '../findings/results.ts'
import { isHandedOn } from './work/who-acts.ts'
import { placeOf, type WorkPlace } from './work/work-places.ts'

export interface VerdictParts {
  readonly readinessScore: number
  readonly aeoScore: number
  /** Percent of what applies that could be measured. */
  readonly coverage: number
  readonly gates: readonly Gate[]
  /** The most useful first. */
  readonly actions: readonly Action[]
}

/**
 * Says in words what programs can do with the site today, and what it lacks most. A reader who meets two numbers and
 * then an order does not learn what is wrong. Behind a gate its reason says both, so here stands only what follows.
 */
export function verdictOf({ readinessScore, aeoScore, coverage, gates, actions }: VerdictParts): string[] {
  if (gates.length > 0) return ['Assistants and answer engines cannot make full use of this site today.']
  if (coverage < 50) return ['Too little of this site could be measured to say how well programs can use it.']
  const lack = largestLack(actions)
  return [
    `Assistants such as chat programs ${ofReadiness(readinessScore)}.`,
    `Answer engines, which answer questions from websites, ${ofAeo(aeoScore)}.`,
    ...(lack === undefined ? [] : [`What it lacks most: ${lacks[lack]}.`]),
  ]
}

/**
 * The sentences of a verdict that say what was found, three at most, for a text about the business. Key findings name
 * elements and addresses, and are no prose; what to do next belongs into the report.
 */
export function foundIn(verdict: string): readonly string[] {
  const sentences = sentencesIn(verdict)
  const end = sentences.findIndex((sentence) =>
    /^(?:The first step:|Nothing that was measured )/.test(sentence),
  )
  return sentences.slice(0, end < 0 ? 3 : Math.min(end, 3))
}

/** What to do first, in a sentence. */
export function firstStep(actions: readonly Action[]): string {
  const [first] = actions
  if (first === undefined) return 'Nothing that was measured has to be mended.'
  // An owner pastes nothing, and sends a message. Terms are explained to owners alone.
  if (isHandedOn(first))
    return actions.filter(isHandedOn).length > 1
      ? 'The first step: Send the one message to whoever looks after your website.'
      : 'The first step: Send the message of step 1 to whoever looks after your website.'
  return `The first step: ${firstSentence(first.title)}`
}

/** A message in a language that its reader does not know is not acted on. */
export function languageNote(actions: readonly Action[], language: string | undefined): string[] {
  const isForeign = language !== undefined && language !== 'en'
  const hasMessage = actions.some(({ block, terms }) => block !== undefined && terms !== undefined)
  return isForeign && hasMessage
    ? [
        'The messages in this report are in English. If their reader does not know English, have the sentences translated, and leave lines of code as they are.',
      ]
    : []
}

function ofReadiness(score: number): string {
  if (score >= 80) return 'can read this site and use most of it'
  return score >= 50
    ? 'can read this site, and have to guess part of what it offers'
    : 'can open this site, and find little there that they can use'
}

function ofAeo(score: number): string {
  if (score >= 80) return 'can quote most of it'
  return score >= 50 ? 'can quote some parts of it' : 'find little in it to quote'
}

/** The kind of work that gains most, all its steps together. */
function largestLack(actions: readonly Action[]): WorkPlace | undefined {
  const gains = new Map<WorkPlace, number>()
  for (const action of actions) {
    const place = placeOf(action)
    gains.set(place, (gains.get(place) ?? 0) + action.gain + action.aeoGain)
  }
  return [...gains].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

/** What a site lacks, by where the work is done. */
const lacks: Readonly<Record<WorkPlace, string>> = {
  address: 'one address that all pages name',
  facts: 'facts about you in the form that machines read',
  head: 'lines that tell programs the right address and title of your pages',
  files: 'files that guide programs through the site',
  server: 'some settings of the web server',
  template: 'marks in the pages that tell programs what each part is',
  texts: 'texts that can be quoted',
  questions: 'answers to what visitors ask',
  people: 'who you are, and what proves it',
  articles: 'dates, authors and sources of what you publish',
  contact: 'ways to ask and to order on the site itself',
  links: 'links that work',
  safety: 'pages that programs can read without risk',
  interfaces: 'descriptions of your interfaces',
}
