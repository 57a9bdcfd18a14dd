import type { Evidence } from '../findings/check.ts'
import type { Level } from '../findings/results.ts'
import { listed } from '../findings/share.ts'
import { shown } from '../site/addresses.ts'
import type { Signals } from './signals.ts'

/**
 * When a site shows a process that people do by hand, which process that is and what could be done about it.
 * Rules conclude from signals that were seen, never from those that are unknown, and their hours come from
 * one table: nothing here is estimated by a model.
 */
export interface AutomationRule {
  /** Stays the same from scan to scan: `opp-lead-intake`. */
  readonly id: string
  readonly title: string
  readonly category: Category
  readonly impact: Level
  readonly effort: Level
  /** A month, for a site of 50 to 500 pages. */
  readonly hours: readonly [min: number, max: number]
  /** The same steps in the same order each time. */
  readonly isDeterministic: boolean
  /** How it works now, as a sentence with what was seen; undefined when the rule does not apply. */
  readonly currentState: (signals: Signals) => string | undefined
  readonly description: string
  readonly potentialState: string
  readonly approach: readonly string[]
  readonly workflow: Process
}

export interface Process {
  readonly name: string
  readonly description: string
  readonly steps: readonly Step[]
}

export interface Step {
  readonly name: string
  readonly description: string
  readonly isManual: boolean
}

export function byHand(name: string, description: string): Step {
  return { name, description, isManual: true }
}

export function bySoftware(name: string, description: string): Step {
  return { name, description, isManual: false }
}

type Category =
  | 'lead-management'
  | 'data'
  | 'scheduling'
  | 'communication'
  | 'content'
  | 'hr'
  | 'reputation'
  | 'integration'

export const toolsFor: Readonly<Record<Category, readonly string[]>> = {
  'lead-management': ['HubSpot', 'Pipedrive', 'Zapier'],
  data: ['Airtable', 'Zapier', 'Make'],
  scheduling: ['Cal.com', 'Calendly', 'Google Calendar'],
  communication: ['Intercom', 'Zendesk', 'Help Scout'],
  content: ['WordPress', 'Mailchimp', 'Brevo'],
  hr: ['Workable', 'Greenhouse', 'Personio'],
  reputation: ['Trustpilot', 'Birdeye', 'Google Business Profile'],
  integration: ['OpenAPI Generator', 'Redocly', 'Postman'],
}

/** "telephone or a general form". */
export function alternatives(ways: readonly string[]): string {
  return listed(ways).replace(/ and (?=[^,]*$)/, ' or ')
}

/** "hello@site.example (https://site.example/contact)": what was seen and where. */
export function seenAt(evidence: readonly Evidence[]): string {
  const [first] = evidence
  return first === undefined ? 'the pages that were read' : `${shown(first.value)} (${shown(first.url)})`
}
