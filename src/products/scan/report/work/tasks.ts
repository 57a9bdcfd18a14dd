import { firstSentence } from '../../../text/plain-text.ts'
import type { Action, Task } from '../../findings/results.ts'
import { roundPoints } from '../round-points.ts'
import { placeOf, places } from './work-places.ts'

/**
 * Groups the actions that one person does in one place at one time: one visit to the files of the server, one edit of
 * the head of the page. A list of thirty steps looks like a month of work, and is ten visits.
 *
 * Every action is in one task. What keeps agents out comes first and stands alone. The tasks with the steps that a report
 * names first follow, so that its second task is also the second of the plan. The rest is ordered by what the steps of a
 * task gain together.
 */
export function tasksOf(actions: readonly Action[]): Task[] {
  const groups = new Map<string, Numbered[]>()
  for (const [at, action] of actions.entries()) {
    const key = action.keepsOut ? `gate ${action.id}` : placeOf(action)
    groups.set(key, [...(groups.get(key) ?? []), { action, step: at + 1 }])
  }
  return [...groups.values()]
    .flatMap(taskOf)
    .toSorted(
      (one, other) =>
        Number(other.keepsOut) - Number(one.keepsOut) ||
        firstStep(one) - firstStep(other) ||
        (one.keepsOut ? 0 : other.gain + other.aeoGain - one.gain - one.aeoGain),
    )
}

/**
 * The places of the actions in the order in which a report shows them: the first three, then task by task. Numbered in
 * another order, the steps of a task would be 1, 4 and 17.
 */
export function shownOrder(actions: readonly Action[]): number[] {
  const main = actions.slice(0, mainSteps).map((_, at) => at)
  const others = tasksOf(actions).flatMap(({ steps }) => steps.filter((step) => step > mainSteps))
  return [...main, ...others.map((step) => step - 1)]
}

/** So many steps stand under “What to do first”. */
export const mainSteps = 3

/** The number of its first step among those that the report names first. All other tasks share the next number. */
function firstStep({ steps }: Task): number {
  return Math.min(mainSteps + 1, ...steps)
}

interface Numbered {
  readonly action: Action
  /** The number of the action in the results, from 1. */
  readonly step: number
}

function taskOf(members: readonly Numbered[]): Task[] {
  const [first] = members
  if (first === undefined) return []
  const { title, keepsOut, waits, gate } = first.action
  const goal = keepsOut ? title : members.length === 1 ? firstSentence(title) : places[placeOf(first.action)]
  const workers = new Set(members.flatMap(({ action }) => action.who ?? []))
  const sum = (gain: (action: Action) => number) =>
    roundPoints(members.reduce((total, { action }) => total + gain(action), 0))
  return [
    {
      title: members.length === 1 ? title : goal,
      goal,
      ...(workers.size > 0 && { who: workers.size === 1 ? [...workers].join('') : shared }),
      steps: members.map(({ step }) => step),
      gain: sum((action) => action.gain),
      aeoGain: sum((action) => action.aeoGain),
      keepsOut,
      waits,
      ...(gate && { gate }),
    },
  ]
}

const shared = 'Part of this is yours, and part is for whoever looks after your website.'
