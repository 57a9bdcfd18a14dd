import { listOf } from '../text/plain-text.ts'
import { counted } from './explain-area.ts'
import type { Phase, PlaybookContent } from './playbook-content.ts'
import type { Item } from './priorities.ts'
import type { Challenge, Level } from './results.ts'

/**
 * Ninety days in three parts: of the most useful things what is quickly done comes first, so that the
 * first month shows results and the long work has begun on a clean site.
 */
export function makeRoadmap(
  ranked: readonly Item[],
  challenges: readonly Challenge[],
): PlaybookContent['roadmap'] {
  const chosen = together(ranked).slice(0, 3 * mostInPhase)
  const eased = [...chosen].sort((one, other) => ease[one.effort] - ease[other.effort])
  const size = Math.max(leastInPhase, Math.ceil(eased.length / 3))
  const phase = (place: number) => makePhase(eased.slice(place * size, (place + 1) * size))
  const first = phase(0)
  const open = challenges.filter(({ severity }) => severity === 'unmeasured')
  return {
    days_1_30:
      open.length === 0 ? first : { goal: goalWith(first, open), tasks: [again(open), ...first.tasks] },
    days_31_60: phase(1),
    days_61_90: phase(2),
  }
}

/** More than this is not done in a month beside the daily work; the rest stays in the ranking. */
const mostInPhase = 8
const leastInPhase = 3
const ease: Readonly<Record<Level, number>> = { low: 0, medium: 1, high: 2 }

type Step = Item & { readonly relatedTo: readonly string[] }

/** Two agents can ask for the same line of robots.txt; that is one thing to do. */
function together(ranked: readonly Item[]): Step[] {
  const byTask = new Map<string, Step>()
  for (const item of ranked) {
    const same = byTask.get(item.task)
    byTask.set(item.task, { ...(same ?? item), relatedTo: [...(same?.relatedTo ?? []), item.id] })
  }
  return [...byTask.values()]
}

function makePhase(steps: readonly Step[]): Phase {
  return {
    goal: goalOf(steps),
    tasks: steps.map(({ task, why, effort, relatedTo }) => ({
      title: task,
      why,
      effort,
      relatedTo: [...relatedTo],
    })),
  }
}

const nothingLeft = 'Nothing is left of what this scan found; scan again to see whether the scores hold.'

function goalOf(steps: readonly Step[]): string {
  if (steps.length === 0) return nothingLeft
  const mended = steps.filter(({ kind }) => kind === 'challenge')
  const begun = steps.filter(({ kind }) => kind === 'opportunity')
  const findings = mended.flatMap(({ relatedTo }) => relatedTo).length
  const categories = [...new Set(mended.map(({ category }) => category))]
  return [
    ...(findings > 0
      ? [`Mend ${findings === 1 ? '1 finding' : `${findings} findings`} in ${listOf(categories)}.`]
      : []),
    ...(begun.length > 0 ? [`Put in place: ${listOf(begun.map(({ title }) => title))}.`] : []),
  ].join(' ')
}

function goalWith({ goal, tasks }: Phase, open: readonly Challenge[]): string {
  const measure = `Measure what this scan could not: ${counted(open.length)}.`
  return tasks.length === 0 ? measure : `${goal} ${measure}`
}

function again(open: readonly Challenge[]): Phase['tasks'][number] {
  const [first] = open
  return {
    title: `Clear what stood in the way of ${counted(open.length)}, then scan again`,
    why: `“${first?.title ?? ''}” could not be made: ${first?.reason ?? ''}`,
    effort: 'low',
    relatedTo: open.slice(0, 20).map(({ id }) => id),
  }
}
