import { listOf, oneLine, sentence } from '../../text/plain-text.ts'
import { inWords } from '../findings/in-words.ts'
import type { Action } from '../findings/results.ts'
import type { Issue } from './scoring.ts'
import { createExplainer, termsIn } from './terms.ts'

/**
 * How actions are written as sentences. Results, e-mail and playbook take their words from here, so the same action
 * reads the same everywhere.
 */
export function keyFindings(actions: readonly Action[]): string[] {
  const explain = createExplainer()
  return actions.slice(0, maxFindings).map(({ why, seen, terms = [] }) => {
    const text = findingText(why, seen)
    const words = terms.length === 0 ? '' : explain(termsIn(text))
    return oneLine(words === '' ? text : `${text} (${words})`, maxLength)
  })
}

const maxFindings = 8
const maxLength = 700

function findingText(why: string, seen: string): string {
  return seen === '' ? sentence(why) : `${sentence(why)} Seen at ${sentence(seen)}`
}

/** What to do and what it gains. */
export function stepText(action: Action): string {
  return `${sentence(oneLine(action.title, maxLength))} ${gainText(action)}`
}

/** "It gains 4.2 points of AI readiness and 7 of AEO." */
export function gainText({ gain, aeoGain, keepsOut, waits, gate = 'wall' }: Gained): string {
  const parts = [
    ...(gain > 0 ? [`${points(gain)} of AI readiness`] : []),
    ...(aeoGain > 0 ? [`${gain > 0 ? aeoGain : points(aeoGain)} of AEO`] : []),
  ]
  if (keepsOut)
    return `${until[gate]}${parts.length === 0 ? '' : ` By the checks that could be made, it gains ${listOf(parts)}.`}`
  if (parts.length === 0)
    return waits ? `It counts once ${opened[gate]}.` : 'It gains less than a tenth of a point.'
  return waits ? `Once ${opened[gate]}, it gains ${listOf(parts)}.` : `It gains ${listOf(parts)}.`
}

/** An action, or a task of several. */
type Gained = Pick<Action, 'gain' | 'aeoGain' | 'keepsOut' | 'waits' | 'gate'>

type GateId = NonNullable<Action['gate']>

/** What a gate does to all other gains: it scales them to its cap. */
const until: Readonly<Record<GateId, string>> = {
  wall: 'Before this is done, nothing else counts.',
  noindex: 'Until then, less than a third of every other gain counts.',
  shell: 'Until then, less than half of every other gain counts.',
  bots: 'Until then, half of every other gain is lost.',
}

const opened: Readonly<Record<GateId, string>> = {
  wall: 'agents get in',
  noindex: 'engines may show the site',
  shell: 'the text stands in the page',
  bots: 'these bots may read the site',
}

function points(gain: number): string {
  return gain === 1 ? '1 point' : `${gain} points`
}

/** Adds the first piece of evidence to the reason: "… Seen at https://example.com/: 3 H1 headings." */
export function withPlace({ reason, evidence }: Issue): string {
  const [first] = evidence
  return findingText(inWords(reason), first === undefined ? '' : inWords(`${first.url}: ${first.value}`))
}
