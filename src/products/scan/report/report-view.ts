import type { Action, Analysis, Block } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { gainText } from './key-findings.ts'
import { createExplainer, termsIn } from './terms.ts'
import { hoursBasis } from './time-savings.ts'

/** What e-mail and page show of a report: the same steps in the same order and words. */
export interface ReportView {
  /** What keeps agents out. */
  readonly barriers: readonly string[]
  /** The three that help most. */
  readonly steps: readonly Step[]
  readonly others: readonly Step[]
  /** What other such words in the explanations of the scores mean. */
  readonly words: string
  /** What could not be measured, in a sentence; empty when nothing. */
  readonly gaps: string
  readonly appendix: Appendix | undefined
}

export interface Step {
  readonly title: string
  readonly why: string
  readonly seen: string
  /** Who does it; empty in analyses of earlier versions. */
  readonly who: string
  readonly gain: string
  /** What words of the web trade mean that no earlier step has explained. */
  readonly words: string
  readonly block: Block | undefined
}

/** Work that could be automated. It stands last, because its hours were not measured. */
interface Appendix {
  readonly work: readonly { readonly title: string; readonly description: string; readonly hours: string }[]
  /** How the hours were estimated; empty when none are named. */
  readonly basis: string
}

export function viewOf({ report, challenges, audience }: Analysis): ReportView {
  const explain = createExplainer()
  const steps = (report.actions ?? []).map((action) => stepOf(action, explain))
  const areas = [...report.readinessBreakdown, ...report.aeoBreakdown].map(({ explanation }) => explanation)
  const isWalled = (report.gates ?? []).some(({ id }) => id === 'wall')
  const open = challenges.filter(({ severity }) => severity === 'unmeasured').length
  return {
    barriers: (report.gates ?? []).map(({ reason }) => reason),
    steps: steps.slice(0, mainSteps),
    others: steps.slice(mainSteps),
    words: audience === 'owners' ? explain(termsIn(...areas)) : '',
    gaps:
      open === 0
        ? ''
        : `${counted(open, 'check')} could not be made. What was not measured counts neither for nor against the site.${isWalled ? ' Scan again once agents get in.' : ''}`,
    appendix: appendixOf(report.opportunities),
  }
}

const mainSteps = 3

function stepOf(action: Action, explain: ReturnType<typeof createExplainer>): Step {
  const { title, why, who = '', seen, terms = [], block } = action
  return { title, why, who, seen, gain: gainText(action), words: explain(terms), block }
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
