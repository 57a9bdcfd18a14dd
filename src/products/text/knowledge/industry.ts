/**
 * The shape of what is known about an industry. One shape for all eleven, so that the analysis, the
 * lead research, the articles and the website scan draw on the same facts and cannot contradict each
 * other. All strings are plain text.
 */
export interface Industry {
  readonly slug: IndustrySlug
  /** As a heading shows it: "Real estate". */
  readonly name: string
  /** As a sentence says it after "in": "real estate". */
  readonly field: string
  /** Who works in it, plural: "clinics and practices". */
  readonly organizations: string
  /** Whom they serve, plural: "patients". */
  readonly customers: string
  /** The size of organization that the hour estimates assume. */
  readonly scale: string
  /** Words and phrases that give the industry away in a name, a topic or a question. */
  readonly aliases: readonly string[]
  readonly opportunities: readonly Opportunity[]
  readonly workflows: readonly Workflow[]
  readonly painPoints: readonly PainPoint[]
  readonly buyers: Buyers
  readonly quickWins: readonly QuickWin[]
  /** Statements an article can rest on: rules, standards and how the work really goes. */
  readonly facts: readonly string[]
}

/** The industries of the specification's directory (part 4.8). */
export const industrySlugs = [
  'technology',
  'healthcare',
  'finance',
  'retail',
  'professional-services',
  'education',
  'manufacturing',
  'real-estate',
  'marketing',
  'consulting',
  'other',
] as const

export type IndustrySlug = (typeof industrySlugs)[number]

type Level = 'high' | 'medium' | 'low'

/** Something worth automating; the fields of the specification's part 2.4 and what articles need. */
export interface Opportunity {
  readonly id: string
  readonly title: string
  /** What it is about as a noun phrase in mid-sentence: "appointment reminders". */
  readonly subject: string
  readonly description: string
  readonly currentState: string
  readonly potentialState: string
  readonly impact: Level
  readonly effort: Level
  readonly category: string
  readonly hours: HoursSaved
  /** Building blocks, as noun phrases in lower case. */
  readonly automationApproach: readonly string[]
  readonly recommendedTools: readonly string[]
  /** What goes wrong when it is done carelessly, or what must stay with a person. */
  readonly watchOut: string
  /** The number that shows whether it works, as a noun phrase. */
  readonly measure: string
  /** Words people use when they mean this. */
  readonly topics: readonly string[]
  /** Kinds of business within the industry that have no such work: a coffee shop ships no parcels. */
  readonly unfit?: readonly string[]
}

export interface HoursSaved {
  /** Whole hours a month. */
  readonly min: number
  readonly max: number
  /** What the range was reckoned from, so that readers can put in their own figures. */
  readonly basis: string
  /** "40 invoices a week". */
  readonly volume: string
  readonly minutes: number
  /** Percent of the work that goes, from and to. */
  readonly removed: readonly [number, number]
}

/** The specification's part 2.5. */
interface Workflow {
  readonly name: string
  readonly description: string
  readonly steps: readonly WorkflowStep[]
  readonly isDeterministic: boolean
  readonly automationPotential: Level
  readonly currentState: string
}

export interface WorkflowStep {
  readonly name: string
  readonly description: string
  readonly isManual: boolean
}

export interface PainPoint {
  readonly title: string
  readonly detail: string
  /** Where an outsider can see whether a given company has it. */
  readonly sign: string
}

/** What someone who sells to the industry needs to know. */
export interface Buyers {
  /** The first one is the default when nobody names a role. */
  readonly roles: readonly [BuyerRole, ...BuyerRole[]]
  /** Observations that can open a message. */
  readonly hooks: readonly string[]
  /** Open questions for a first conversation. */
  readonly questions: readonly string[]
}

export interface BuyerRole {
  readonly title: string
  /** Other words for the same seat. */
  readonly aliases: readonly string[]
  /** Follows "cares about". */
  readonly cares: string
  /** The objection to expect, as a sentence. */
  readonly objection: string
  /** How to approach this person, as sentences. */
  readonly angle: string
}

export interface QuickWin {
  readonly title: string
  /** The opportunity it is the first step of. */
  readonly opportunity: string
  readonly why: string
  readonly steps: readonly string[]
}

const perMonth = { day: 21, week: 4.33, month: 1 } as const

/**
 * Hours a month that fall away when `removed` percent (from, to) of a task goes. The range is
 * reckoned from its basis, so a printed figure and its explanation cannot drift apart.
 */
export function hoursSaved(task: {
  readonly count: number
  readonly unit: string
  readonly per: keyof typeof perMonth
  readonly minutes: number
  readonly removed: readonly [number, number]
}): HoursSaved {
  const hours = (task.count * perMonth[task.per] * task.minutes) / 60
  const [least, most] = task.removed
  const volume = `${task.count} ${task.unit} a ${task.per}`
  return {
    min: Math.round((hours * least) / 100),
    max: Math.round((hours * most) / 100),
    basis: `${volume} at about ${task.minutes} minutes each, with ${least} to ${most} percent of that work removed`,
    volume,
    minutes: task.minutes,
    removed: task.removed,
  }
}

/** A step that a person does. */
export function manual(name: string, description: string): WorkflowStep {
  return { name, description, isManual: true }
}

/** A step that software already does in most places. */
export function automatic(name: string, description: string): WorkflowStep {
  return { name, description, isManual: false }
}

/** Splits a comma-separated list, which keeps long vocabularies readable. */
export function terms(list: string): readonly string[] {
  return list
    .split(',')
    .map((term) => term.trim().replace(/\s+/g, ' '))
    .filter((term) => term !== '')
}
