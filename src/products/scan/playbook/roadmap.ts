import type { Analysis, Challenge } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { inPlainWords, termsIn } from '../report/terms.ts'
import { clearableChecks } from '../report/work/clearable-checks.ts'
import { type Planned, plannedTasks } from './planned-tasks.ts'
import type { Phase, PlaybookContent } from './playbook-content.ts'
import type { Item } from './priorities.ts'

/**
 * Plans ninety days in three phases, by the tasks of the report: a wall before everything, then what gains most, then
 * work that could be automated. Unmeasured checks come last, because there may be nothing to fix.
 */
export function makeRoadmap(
  ranked: readonly Item[],
  analysis: Pick<Analysis, 'challenges' | 'audience' | 'report'>,
): PlaybookContent['roadmap'] {
  const { challenges, audience, report } = analysis
  const chosen = plannedTasks(ranked, analysis).slice(0, 3 * maxInPhase)
  const size = Math.max(minInPhase, Math.ceil(chosen.length / 3))
  const last = Math.max(0, Math.ceil(chosen.length / size) - 1)
  // What needs a language that a check does not know is nothing that the owner could clear.
  const open = clearableChecks(challenges)
  const all = challenges.filter(({ severity }) => severity === 'unmeasured').length
  // Behind a wall nothing else could be read, so the second scan comes right after the wall.
  const isWalled = (report.gates ?? []).some(({ id }) => id === 'wall')
  const phase = (place: number): Phase => {
    const own = makePhase(chosen.slice(place * size, (place + 1) * size))
    if (place !== (isWalled ? 0 : last) || open.length === 0) return own
    return addUnmeasured(own, open, { isForOwners: audience === 'owners', isWalled, all })
  }
  return { days_1_30: phase(0), days_31_60: phase(1), days_61_90: phase(2) }
}

/** A site owner does no more in a month beside daily work. */
const maxInPhase = 8
const minInPhase = 3

function makePhase(tasks: readonly Planned[]): Phase {
  return {
    goal: tasks.length === 0 ? nothingLeft : tasks.map(({ goal }) => goal).join(' '),
    tasks: tasks.map(({ goal: _, ...task }) => task),
  }
}

const nothingLeft = 'Nothing is left of what this scan found; scan again to see whether the scores hold.'

function addUnmeasured(
  { goal, tasks }: Phase,
  open: readonly Challenge[],
  {
    isForOwners,
    isWalled,
    all,
  }: { readonly isForOwners: boolean; readonly isWalled: boolean; readonly all: number },
): Phase {
  const which = open.length === all ? counted(all, 'check') : `${open.length} of ${counted(all, 'check')}`
  const measure = `Measure what this scan could not: ${which}.`
  return {
    goal: tasks.length === 0 ? measure : `${goal} ${measure}`,
    tasks: isWalled
      ? [...tasks.slice(0, 1), rescanTask(open, isForOwners), ...tasks.slice(1)]
      : [...tasks, rescanTask(open, isForOwners)],
  }
}

function rescanTask(open: readonly Challenge[], isForOwners: boolean): Phase['tasks'][number] {
  const [first] = open
  const why = `“${first?.title ?? ''}” could not be made. ${first?.reason ?? ''}`
  return {
    title: `Clear what stood in the way of ${counted(open.length, 'check')}, then scan again`,
    why: [why, ...(isForOwners ? inPlainWords(termsIn(why)) : [])].join(' '),
    effort: 'low',
    relatedTo: open.slice(0, 20).map(({ id }) => id),
  }
}
