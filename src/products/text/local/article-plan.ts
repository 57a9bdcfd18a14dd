import type { Industry, Opportunity } from '../knowledge/industry.ts'
import type { Tone } from '../tones/tone.ts'
import type { Phrase } from './phrase.ts'
import { say } from './tone.ts'

/** What was decided about an article before its first sentence, and how its sentences are spoken. */
export interface Plan {
  readonly industry: Industry
  readonly tone: Tone
  readonly topic: Phrase
  /** What is named again and again: the keyword, or a short form of the topic. */
  readonly key: Phrase
  readonly hasKeyword: boolean
  readonly subjects: readonly [Opportunity, Opportunity, Opportunity]
  /** Whether the topic is one the knowledge base has little on. */
  readonly isDistant: boolean
  readonly seed: string
}

type Slots = Readonly<Record<string, string>>

/**
 * Speaks in the plan's tone with its slots filled. `keyAt(place)` names the keyword if the place is
 * among the first `mentions`; elsewhere "this" stands for it, which reads well after "about" and "on".
 */
export function speaker(plan: Plan, mentions: number) {
  const [main, second, third] = plan.subjects
  const common: Slots = {
    about: plan.topic.about,
    field: plan.industry.field,
    organizations: plan.industry.organizations,
    customers: plan.industry.customers,
    main: main.subject,
    second: second.subject,
    third: third.subject,
  }
  return {
    say: (text: string, more: Slots = {}) => say(plan.tone, text, { ...common, ...more }),
    keyAt:
      (place: number) =>
      (text: string, more: Slots = {}) =>
        say(plan.tone, text, { ...common, key: place < mentions ? plan.key.about : 'this', ...more }),
  }
}

/** The numbers of an estimate as slots. */
export function figures({ hours }: Opportunity): Slots {
  const [least, most] = hours.removed
  return {
    volume: hours.volume,
    minutes: String(hours.minutes),
    least: String(least),
    most: String(most),
    min: String(hours.min),
    max: String(hours.max),
  }
}
