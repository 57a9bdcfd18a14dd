import { listOf } from '../../text/plain-text.ts'
import type { Challenge, Level } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { leadersOf } from '../report/shared-causes.ts'
import { hoursAreEstimates } from '../report/time-savings.ts'
import type { Phase, PlaybookContent } from './playbook-content.ts'
import type { Item } from './priorities.ts'

/**
 * Plans ninety days in three phases. Of the most useful tasks the easiest come first, so that the first
 * month shows results. Unmeasured checks come last, because there may be nothing to fix.
 */
export function makeRoadmap(
  ranked: readonly Item[],
  challenges: readonly Challenge[],
): PlaybookContent['roadmap'] {
  const chosen = mergeTasks(ranked, leadersOf(challenges)).slice(0, 3 * maxInPhase)
  const byEffort = [...chosen].sort((one, other) => effortRank[one.effort] - effortRank[other.effort])
  const size = Math.max(minInPhase, Math.ceil(byEffort.length / 3))
  const last = Math.max(0, Math.ceil(byEffort.length / size) - 1)
  const firstHours = byEffort.findIndex(({ hasHours }) => hasHours)
  const open = challenges.filter(({ severity }) => severity === 'unmeasured')
  const phase = (place: number): Phase => {
    const [start, end] = [place * size, (place + 1) * size]
    const own = makePhase(byEffort.slice(start, end))
    const isFirstWithHours = start <= firstHours && firstHours < end
    const withHours = isFirstWithHours ? { ...own, goal: `${own.goal} ${hoursAreEstimates}` } : own
    return place === last && open.length > 0 ? addUnmeasured(withHours, open) : withHours
  }
  return { days_1_30: phase(0), days_31_60: phase(1), days_61_90: phase(2) }
}

/** A site owner does no more in a month beside daily work; the rest stays in the ranking. */
const maxInPhase = 8
const minInPhase = 3
const effortRank: Readonly<Record<Level, number>> = { low: 0, medium: 1, high: 2 }

type Step = Item & { readonly relatedTo: readonly string[]; readonly categories: readonly string[] }

/**
 * Makes one task of items with the same task or the same cause: two agents may ask for the same line of
 * robots.txt.
 */
function mergeTasks(ranked: readonly Item[], leaders: ReadonlyMap<string, string>): Step[] {
  const byId = new Map(ranked.map((item) => [item.id, item]))
  const byTask = new Map<string, Step>()
  for (const item of ranked) {
    const leader = byId.get(leaders.get(item.id) ?? '') ?? item
    const { relatedTo = [], categories = [] } = byTask.get(leader.task) ?? {}
    byTask.set(leader.task, {
      ...(byTask.get(leader.task) ?? leader),
      relatedTo: [...relatedTo, item.id],
      categories: [...categories, item.category],
    })
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
  const fixes = steps.filter(({ kind }) => kind === 'challenge')
  const projects = steps.filter(({ kind }) => kind === 'opportunity')
  const findings = fixes.flatMap(({ relatedTo }) => relatedTo).length
  const categories = [...new Set(fixes.flatMap((step) => step.categories))]
  return [
    ...(findings > 0
      ? [`Mend ${findings === 1 ? '1 finding' : `${findings} findings`} in ${listOf(categories)}.`]
      : []),
    ...(projects.length > 0 ? [`Put in place: ${listOf(projects.map(({ title }) => title))}.`] : []),
  ].join(' ')
}

function addUnmeasured({ goal, tasks }: Phase, open: readonly Challenge[]): Phase {
  const measure = `Measure what this scan could not: ${counted(open.length, 'check')}.`
  return { goal: tasks.length === 0 ? measure : `${goal} ${measure}`, tasks: [...tasks, rescanTask(open)] }
}

function rescanTask(open: readonly Challenge[]): Phase['tasks'][number] {
  const [first] = open
  return {
    title: `Clear what stood in the way of ${counted(open.length, 'check')}, then scan again`,
    why: `“${first?.title ?? ''}” could not be made: ${first?.reason ?? ''}`,
    effort: 'low',
    relatedTo: open.slice(0, 20).map(({ id }) => id),
  }
}
