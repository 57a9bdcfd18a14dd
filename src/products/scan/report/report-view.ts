import type { Action, Analysis, Block } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { gainText } from './key-findings.ts'
import { hoursBasis } from './time-savings.ts'

/** What e-mail and page show of a report: the same steps in the same order and words. */
export interface ReportView {
  /** What keeps agents out. */
  readonly barriers: readonly string[]
  /** The three that help most. */
  readonly steps: readonly Step[]
  readonly others: readonly Step[]
  /** What could not be measured, in a sentence; empty when nothing. */
  readonly gaps: string
  readonly appendix: Appendix | undefined
}

export interface Step {
  readonly title: string
  readonly why: string
  readonly seen: string
  readonly gain: string
  readonly block: Block | undefined
}

/** Work that could be automated. It stands last, because its hours were not measured. */
interface Appendix {
  readonly work: readonly { readonly title: string; readonly description: string; readonly hours: string }[]
  /** How the hours were estimated; empty when none are named. */
  readonly basis: string
}

export function viewOf({ report, challenges }: Analysis): ReportView {
  const steps = (report.actions ?? []).map(stepOf)
  const open = challenges.filter(({ severity }) => severity === 'unmeasured').length
  return {
    barriers: (report.gates ?? []).map(({ reason }) => reason),
    steps: steps.slice(0, mainSteps),
    others: steps.slice(mainSteps),
    gaps:
      open === 0
        ? ''
        : `${counted(open, 'check')} could not be made, so this report says nothing about them.`,
    appendix: appendixOf(report.opportunities),
  }
}

const mainSteps = 3

function stepOf(action: Action): Step {
  const { title, why, seen, block } = action
  return { title, why, seen, gain: gainText(action), block }
}

function appendixOf(opportunities: Analysis['report']['opportunities']): Appendix | undefined {
  if (opportunities.length === 0) return undefined
  const work = opportunities
    .slice(0, maxWork)
    .map(({ title, description, estimatedTimeSavingsRange: range }) => ({
      title,
      description,
      hours: range ?? '',
    }))
  return { work, basis: work.some(({ hours }) => hours !== '') ? hoursBasis : '' }
}

const maxWork = 3
