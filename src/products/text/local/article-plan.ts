import type { Industry, Opportunity } from '../knowledge/industry.ts'
import type { Tone } from '../tones/tone.ts'
import type { Phrase } from './phrase.ts'
import { say } from './tone.ts'

/** The choices for a whole article: its industry, tone, topic, keyword and subjects. */
export interface Plan {
  readonly industry: Industry
  readonly tone: Tone
  readonly topic: Phrase
  /** The phrase that the article repeats: the keyword, or a short form of the topic. */
  readonly key: Phrase
  readonly hasKeyword: boolean
  readonly subjects: readonly [Opportunity, Opportunity, Opportunity]
  readonly seed: string
}

type Slots = Readonly<Record<string, string>>

/**
 * Returns functions that fill the slots of a sentence in the plan's tone. `keyAt(place)` names the keyword when the
 * place is among the first `mentions`; otherwise it writes "this", which reads well after "about" and "on".
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

/** Returns the numbers of an estimate as slots. */
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
