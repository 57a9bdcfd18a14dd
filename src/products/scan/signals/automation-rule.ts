import type { Evidence } from '../findings/check.ts'
import { inWords } from '../findings/in-words.ts'
import type { Level } from '../findings/results.ts'
import { listed } from '../findings/share.ts'
import { shown } from '../site/addresses.ts'
import type { Signals } from './signals.ts'

/**
 * A rule that recognizes a process done by hand from the signals of a site and says how to automate it. A
 * rule concludes only from signals that were seen, never from `unknown` ones. The hours come from this table
 * and no model estimates them.
 */
export interface AutomationRule {
  /** Stays the same from scan to scan: `opp-lead-intake`. */
  readonly id: string
  readonly title: string
  readonly category: Category
  readonly impact: Level
  readonly effort: Level
  /** Hours a month, for a site of 50 to 500 pages. */
  readonly hours: readonly [min: number, max: number]
  /** The process has the same steps in the same order each time. */
  readonly isDeterministic: boolean
  /**
   * Describes the process as the site shows it now, in one sentence; undefined when the rule does not apply.
   */
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

/** Tools by name. They are named to makers of software only: to a dentist they say nothing, and sound like a sale. */
const namedTools: Readonly<Record<Category, readonly string[]>> = {
  'lead-management': ['HubSpot', 'Pipedrive', 'Zapier'],
  data: ['Airtable', 'Zapier', 'Make'],
  scheduling: ['Cal.com', 'Calendly', 'Google Calendar'],
  communication: ['Intercom', 'Zendesk', 'Help Scout'],
  content: ['WordPress', 'Mailchimp', 'Brevo'],
  hr: ['Workable', 'Greenhouse', 'Personio'],
  reputation: ['Trustpilot', 'Birdeye', 'Google Business Profile'],
  integration: ['OpenAPI Generator', 'Redocly', 'Postman'],
}

/** What to look for in the programs that a business of any trade has already, or can get. */
const kindsOfTools: Readonly<Record<Category, readonly string[]>> = {
  'lead-management': ['the form of your website system', 'the list of contacts in the program you work with'],
  data: ['the import and export of the programs you work with'],
  scheduling: [
    'the online booking of the program that holds your calendar',
    'a booking page for your website',
  ],
  communication: ['a page of questions and answers', 'ready-made replies in your mail program'],
  content: ['the news page of your website system', 'a mailing service'],
  hr: ['a form on the page about jobs'],
  reputation: ['Google Business Profile'],
  integration: ['the interface of the programs you work with'],
}

/** Fixed names, so that two scans of a site suggest the same. */
export function toolsFor(category: Category, isForDevelopers: boolean): readonly string[] {
  return (isForDevelopers ? namedTools : kindsOfTools)[category]
}

/** "telephone or a general form". */
export function alternatives(ways: readonly string[]): string {
  return listed(ways).replace(/ and (?=[^,]*$)/, ' or ')
}

/** Quotes the first evidence with its place: "hello@site.example (https://site.example/contact)". */
export function seenAt(evidence: readonly Evidence[]): string {
  const [first] = evidence
  return first === undefined
    ? 'the pages that were read'
    : `${inWords(shown(first.value))} (${shown(first.url)})`
}
