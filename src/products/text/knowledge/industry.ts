/**
 * The knowledge about one industry. All eleven have the same shape, and analyses, lead research, articles and website
 * scans use the same facts, so that they cannot contradict each other. All strings are plain text.
 */
export interface Industry {
  readonly slug: IndustrySlug
  /** For headings: "Real estate". */
  readonly name: string
  /** Follows "in" in a sentence: "real estate". */
  readonly field: string
  /** The organizations that work in it: "clinics and practices". */
  readonly organizations: string
  /** The people they serve: "patients". */
  readonly customers: string
  /** The size of organization that the hour estimates assume. */
  readonly scale: string
  /** The people of that organization. Volumes of a smaller or larger one are computed from it. */
  readonly people: number
  /** Words and phrases by which a name, a topic or a question shows the industry. */
  readonly aliases: readonly string[]
  /** Words that stand in any text of the trade, so that they show no work. */
  readonly common?: readonly string[]
  readonly opportunities: readonly Opportunity[]
  readonly workflows: readonly Workflow[]
  readonly painPoints: readonly PainPoint[]
  readonly buyers: Buyers
  readonly quickWins: readonly QuickWin[]
  /** Statements for articles: rules, standards and how the work is really done. */
  readonly facts: readonly string[]
}

/** The industries of the directory in part 4.8 of the specification. */
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

/** Work that is worth automating: the fields of part 2.4 of the specification, and those that articles need. */
export interface Opportunity {
  readonly id: string
  readonly title: string
  /** Noun phrase inside a sentence: "appointment reminders". */
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
  /** The risk of doing it carelessly, or the decision that must stay with a person. */
  readonly watchOut: string
  /** The figure that shows whether it works, as a noun phrase. */
  readonly measure: string
  /** Words by which callers ask for it. */
  readonly topics: readonly string[]
  /** Kinds of business within the industry that have no such work: a coffee shop ships no parcels. */
  readonly unfit?: readonly string[]
  /** Its sentences are also true of a person who works alone. */
  readonly alone?: true
}

export interface HoursSaved {
  /** Whole hours a month. */
  readonly min: number
  readonly max: number
  /** The figures behind the range, so that readers can insert their own. */
  readonly basis: string
  /** "40 invoices a week". */
  readonly volume: string
  readonly minutes: number
  /** Percent of the work that falls away, from and to. */
  readonly removed: readonly [number, number]
  /** What the figures were computed from. */
  readonly task: Task
}

export interface Task {
  readonly count: number
  readonly unit: string
  readonly per: keyof typeof perMonth
  readonly minutes: number
  readonly removed: readonly [number, number]
}

/** Part 2.5 of the specification. */
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

/** The knowledge for a seller to the industry. */
export interface Buyers {
  /** The first is the default when the caller names no role. */
  readonly roles: readonly [BuyerRole, ...BuyerRole[]]
  /** Observations that can open a message. */
  readonly hooks: readonly string[]
  /** Open questions for a first conversation. */
  readonly questions: readonly string[]
}

export interface BuyerRole {
  readonly title: string
  /** Other titles for the same role. */
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
  /** Id of the opportunity whose first step it is. */
  readonly opportunity: string
  readonly why: string
  readonly steps: readonly string[]
}

const perMonth = { day: 21, week: 4.33, month: 1 } as const

/**
 * Computes the hours a month that fall away when `removed` percent (from, to) of a task does. The range is computed
 * from its basis, so that the printed figure and its explanation always agree.
 */
export function hoursSaved(task: Task): HoursSaved {
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
    task,
  }
}

/** Describes a step that a person does. */
export function manual(name: string, description: string): WorkflowStep {
  return { name, description, isManual: true }
}

/** Describes a step that software does already in most places. */
export function automatic(name: string, description: string): WorkflowStep {
  return { name, description, isManual: false }
}

/** Splits a comma-separated list. */
export function terms(list: string): readonly string[] {
  return list
    .split(',')
    .map((term) => term.trim().replace(/\s+/g, ' '))
    .filter((term) => term !== '')
}
