import type { Action, Analysis, Block } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { gainText } from './key-findings.ts'
import { createExplainer, termsIn } from './terms.ts'
import { hoursBasis } from './time-savings.ts'
import { tasksOf } from './work/tasks.ts'

/** What e-mail and page show of a report: the same steps in the same order and words. */
export interface ReportView {
  /** What keeps agents out. */
  readonly barriers: readonly string[]
  /** The three that help most. */
  readonly steps: readonly Step[]
  /** All actions, grouped by where one person does them. */
  readonly tasks: readonly TaskView[]
  /** Addresses of the pages that the statements are about; empty in analyses of earlier versions. */
  readonly pagesRead: readonly string[]
  /** What other such words in the explanations of the scores mean. */
  readonly words: string
  /** What could not be measured, in a sentence; empty when nothing. */
  readonly gaps: string
  readonly appendix: Appendix | undefined
}

export interface Step {
  /** Of the action in the results. */
  readonly number: number
  readonly title: string
  readonly why: string
  readonly seen: string
  /** Who does it; empty in analyses of earlier versions. */
  readonly who: string
  readonly gain: string
  /** What words of the web trade mean that no earlier step has explained. */
  readonly words: string
  readonly block: Block | undefined
  /** How a person does it. */
  readonly how: readonly string[]
}

interface TaskView {
  readonly title: string
  readonly gain: string
  readonly who: string
  readonly words: string
  /** Its steps that stand above already, by their numbers. */
  readonly above: readonly number[]
  readonly steps: readonly Step[]
}

/** Work that could be automated. It stands last, because its hours were not measured. */
interface Appendix {
  readonly work: readonly { readonly title: string; readonly description: string; readonly hours: string }[]
  /** How the hours were estimated; empty when none are named. */
  readonly basis: string
}

export function viewOf({ report, challenges, audience }: Analysis): ReportView {
  const explain = createExplainer()
  const actions = report.actions ?? []
  const isForOwners = audience === 'owners'
  const steps = actions.slice(0, mainSteps).map((action, at) => stepOf(action, at + 1, explain))
  const tasks = (report.tasks ?? tasksOf(actions)).map((task): TaskView => {
    const rest = task.steps.filter((step) => step > mainSteps)
    return {
      title: task.title,
      gain: gainText(task),
      who: task.who ?? '',
      words: isForOwners ? explain(termsIn(task.title)) : '',
      above: task.steps.filter((step) => step <= mainSteps),
      steps: rest.flatMap((step) => {
        const action = actions[step - 1]
        return action === undefined ? [] : [stepOf(action, step, explain)]
      }),
    }
  })
  const areas = [...report.readinessBreakdown, ...report.aeoBreakdown].map(({ explanation }) => explanation)
  const isWalled = (report.gates ?? []).some(({ id }) => id === 'wall')
  const open = challenges.filter(({ severity }) => severity === 'unmeasured').length
  return {
    barriers: (report.gates ?? []).map(({ reason }) => reason),
    steps,
    tasks,
    pagesRead: report.pagesRead ?? [],
    words: isForOwners ? explain(termsIn(...areas)) : '',
    gaps:
      open === 0
        ? ''
        : `${counted(open, 'check')} could not be made. What was not measured counts neither for nor against the site.${isWalled ? ' Scan again once agents get in.' : ''}`,
    appendix: appendixOf(report.opportunities),
  }
}

/** So many steps stand under “What to do first”; the playbook plans them first, too. */
export const mainSteps = 3

function stepOf(action: Action, number: number, explain: ReturnType<typeof createExplainer>): Step {
  const { title, why, who = '', seen, terms = [], block, steps: how = [] } = action
  return { number, title, why, who, seen, gain: gainText(action), words: explain(terms), block, how }
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
