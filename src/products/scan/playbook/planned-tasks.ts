import { listOf } from '../../text/plain-text.ts'
import type { Analysis, Level, Task } from '../findings/results.ts'
import { gainText } from '../report/key-findings.ts'
import { inPlainWords, termsIn } from '../report/terms.ts'
import { tasksOf } from '../report/work/tasks.ts'
import type { Phase } from './playbook-content.ts'
import { actionsIn, type Item } from './priorities.ts'

/** A task of the roadmap with the sentence that names it in the goal of its phase. */
export type Planned = Phase['tasks'][number] & { readonly goal: string }

/** The tasks of the report in their order, then work that could be automated. */
export function plannedTasks(
  ranked: readonly Item[],
  analysis: Pick<Analysis, 'challenges' | 'audience' | 'report'>,
): Planned[] {
  const items = ranked.filter(({ kind }) => kind === 'challenge')
  const tasks = analysis.report.tasks ?? tasksOf(actionsIn(analysis))
  const work = ranked.filter(({ kind }) => kind === 'opportunity')
  return [
    ...tasks.map((task) => planned(task, items, analysis.audience === 'owners')),
    ...(work.length === 0 ? [] : [automation(work)]),
  ]
}

/** @param items the actions in their order, so that a step of the task is the number of one */
function planned(task: Task, items: readonly Item[], isForOwners: boolean): Planned {
  const members = task.steps.flatMap((step) => {
    const item = items[step - 1]
    return item === undefined ? [] : [{ step, item }]
  })
  const [first] = members
  const isAlone = members.length === 1
  const groupWhy = [
    `It gathers ${members.length} steps of the report.`,
    gainText(task),
    ...(task.message !== undefined
      ? ['Its message stands in the report of the scan.']
      : task.who === undefined
        ? []
        : [task.who]),
    ...(isForOwners ? inPlainWords(termsIn(task.title, ...members.map(({ item }) => item.title))) : []),
  ].join(' ')
  return {
    title: task.title,
    goal: task.goal,
    why: isAlone && first !== undefined ? first.item.why : groupWhy,
    effort: levels.find((level) => members.some(({ item }) => item.effort === level)) ?? 'low',
    relatedTo: members.flatMap(({ item }) => [...item.relatedTo]),
    ...(!isAlone && {
      steps: members.map(({ step, item }) => `Step ${step} of the report. ${item.title} ${item.gain}`),
    }),
  }
}

const levels: readonly Level[] = ['high', 'medium', 'low']

/** All of it at once is too much for a month, and one piece shows whether it pays. */
function automation(work: readonly Item[]): Planned {
  const [first, ...others] = work
  const titles = work.map(({ title }) => title)
  const title =
    others.length === 0
      ? `Put in place: ${titles.join('')}.`
      : `Choose one to begin with: ${listOf(titles, 'or')}.`
  return {
    title,
    goal: title,
    why:
      others.length === 0
        ? (first?.why ?? '')
        : 'This work could be automated. What it saves was not measured.',
    effort: first?.effort ?? 'medium',
    relatedTo: work.map(({ id }) => id),
    ...(others.length > 0 && { steps: work.map((one) => `${one.title}: ${one.why}`) }),
  }
}
