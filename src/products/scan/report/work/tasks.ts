import { firstSentence } from '../../../text/sentences.ts'
import type { Action, Task } from '../../findings/results.ts'
import { roundPoints } from '../round-points.ts'
import { jointMessage } from './joint-message.ts'
import { messageOf } from './messages.ts'
import { isHandedOn } from './who-acts.ts'
import { placeOf, places, questionStart } from './work-places.ts'

/**
 * Groups the actions that one person does in one place at one time: one visit to the files of the server, one edit of
 * the head of the page. A list of thirty steps looks like a month of work, and is ten visits. What an owner hands on is
 * one task, whose message has it all: the owner can neither judge these steps nor do them.
 *
 * Every action is in one task. What keeps agents out comes first and stands alone, then the question that all else hangs on,
 * then what is handed on. The tasks with the steps that a report names first follow, so that the plan begins as the report
 * does. The rest is ordered by what the steps of a task gain together.
 * @param titles the names of the checks by their ids, such as `core-snapshot/sitemap`, for the messages
 */
export function tasksOf(actions: readonly Action[], titles: ReadonlyMap<string, string> = new Map()): Task[] {
  const groups = new Map<string, Numbered[]>()
  for (const [at, action] of actions.entries()) {
    const key = action.keepsOut ? `gate ${action.id}` : isHandedOn(action) ? 'handed on' : placeOf(action)
    groups.set(key, [...(groups.get(key) ?? []), { action, step: at + 1 }])
  }
  return [...groups.values()]
    .flatMap((members) => taskOf(members, titles))
    .toSorted(
      (one, other) =>
        Number(other.keepsOut) - Number(one.keepsOut) ||
        Number(isQuestion(other)) - Number(isQuestion(one)) ||
        Number(other.message !== undefined) - Number(one.message !== undefined) ||
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

/** Which of two addresses is the true one is decided before anything is sent. */
function isQuestion({ title }: Task): boolean {
  return title.startsWith(questionStart)
}

function taskOf(members: readonly Numbered[], titles: ReadonlyMap<string, string>): Task[] {
  const [first] = members
  if (first === undefined) return []
  const { title, keepsOut, waits, gate } = first.action
  const message = members.every(({ action }) => isHandedOn(action))
    ? jointMessage(
        members.flatMap(({ action, step }) => {
          const own = messageOf(action, titles)
          return own === undefined ? [] : [{ step, message: own }]
        }),
      )
    : undefined
  const goal = keepsOut
    ? title
    : members.length === 1
      ? firstSentence(title)
      : message === undefined
        ? places[placeOf(first.action)]
        : 'Send one message to whoever looks after your website.'
  const workers = new Set(members.flatMap(({ action }) => action.who ?? []))
  const sum = (gain: (action: Action) => number) =>
    roundPoints(members.reduce((total, { action }) => total + gain(action), 0))
  return [
    {
      title:
        members.length === 1
          ? title
          : message === undefined
            ? goal
            : `${goal} It asks for ${members.length} changes.`,
      goal,
      ...(workers.size > 0 && { who: workers.size === 1 ? [...workers].join('') : shared }),
      steps: members.map(({ step }) => step),
      gain: sum((action) => action.gain),
      aeoGain: sum((action) => action.aeoGain),
      keepsOut,
      waits,
      ...(gate && { gate }),
      ...(message && { message }),
    },
  ]
}

const shared = 'Part of this is yours, and part is for whoever looks after your website.'
