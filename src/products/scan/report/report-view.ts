import { namedChecks } from '../findings/named-checks.ts'
import type { Action, Analysis, Block, Message } from '../findings/results.ts'
import { counted } from '../findings/share.ts'
import { isDoneWhen } from './blocks/snippets/hand-on-block.ts'
import { gainText } from './key-findings.ts'
import { createExplainer, termsIn } from './terms.ts'
import { hoursBasis, maxWork } from './time-savings.ts'
import { gapsIn } from './work/clearable-checks.ts'
import { jointMessage } from './work/joint-message.ts'
import { messageOf } from './work/messages.ts'
import { mainSteps, tasksOf } from './work/tasks.ts'
import { isForDevelopers, webWorker } from './work/who-acts.ts'

/** What e-mail and page show of a report: the same steps in the same order and words. */
export interface ReportView {
  /** What the site can do today, what it lacks most and what to do first; empty in analyses of earlier versions. */
  readonly verdict: string
  /** What keeps agents out. */
  readonly barriers: readonly string[]
  /** The three that help most. */
  readonly steps: readonly Step[]
  /** All actions, grouped by where one person does them. */
  readonly tasks: readonly TaskView[]
  /** Addresses of the pages that the statements are about; empty in analyses of earlier versions. */
  readonly pagesRead: readonly string[]
  /** Faults that are too small to be a step, in a sentence; empty when there are none. */
  readonly small: string
  /** What the host of the site has no setting for, in a sentence; empty when nothing. */
  readonly later: string
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
  /** What the owner uses alone; undefined where it is part of the message. */
  readonly block: Block | undefined
  /** What pages of the site say in different ways. */
  readonly conflicts: readonly string[]
  /** What the owner sends to the person who does it. */
  readonly message: Message | undefined
  /** The number of the task whose one message has it, so that it is not sent alone. */
  readonly sentWith: number | undefined
  /** How a person does it. */
  readonly how: readonly string[]
  /** How its owner sees that it is done; empty where a message says it. */
  readonly done: string
}

interface TaskView {
  readonly title: string
  readonly gain: string
  readonly who: string
  /** It is one step, whose gain and title are those of the task. */
  readonly isAlone: boolean
  readonly words: string
  /** As `words`, where its steps are not shown. */
  readonly titleWords: string
  /** Its steps that stand above already, by their numbers. */
  readonly above: readonly number[]
  readonly steps: readonly Step[]
  /** The one message by which all its steps are handed on. */
  readonly handedOn: HandedOn | undefined
  /** The one message for several of its steps, where others of them are no part of it. */
  readonly joint: { readonly steps: readonly number[]; readonly message: Message } | undefined
}

interface HandedOn {
  readonly message: Message
  /** Its steps in the order of its parts. */
  readonly parts: readonly Step[]
}

/** Work that could be automated. It stands last, because its hours were not measured. */
interface Appendix {
  readonly work: readonly { readonly title: string; readonly description: string; readonly hours: string }[]
  /** How the hours were estimated; empty when none are named. */
  readonly basis: string
}

export function viewOf({ report, challenges, audience }: Analysis): ReportView {
  const actions = report.actions ?? []
  const isForOwners = audience === 'owners'
  const titles = new Map(challenges.map(({ id, title }) => [id, title]))
  // Once in a report: a reader who meets the same words eight times reads none of them.
  const explain = createExplainer()
  const grouped = report.tasks ?? tasksOf(actions, titles)
  const sentWith = new Map(
    grouped.flatMap((task, at) =>
      task.message === undefined ? [] : task.steps.map((step) => [step, at + 1] as const),
    ),
  )
  const stepAt = (action: Action, number: number) =>
    stepOf(action, { number, sentWith: sentWith.get(number), explain, titles })
  const steps = actions.slice(0, mainSteps).map((action, at) => stepAt(action, at + 1))
  // An e-mail names the steps of a task by numbers alone, so its words are those of the titles.
  const explainTitle = createExplainer()
  for (const { terms = [] } of actions.slice(0, mainSteps)) explainTitle(terms)
  const tasks = grouped.map((task): TaskView => {
    const isAlone = task.steps.length === 1
    // Before the words of its steps, because a reader meets it first.
    const words = isForOwners && !isAlone ? explain(termsIn(task.title)) : ''
    const own = task.steps.flatMap((step) => {
      const action = actions[step - 1]
      return step <= mainSteps || action === undefined ? [] : [stepAt(action, step)]
    })
    const above = task.steps.flatMap((step) => steps[step - 1] ?? [])
    return {
      title: task.title,
      gain: gainText(task),
      who: task.who ?? '',
      isAlone,
      words,
      titleWords: isForOwners ? explainTitle(termsIn(task.title, ...(task.message?.asks ?? []))) : '',
      above: above.map(({ number }) => number),
      steps: own,
      handedOn: task.message && { message: task.message, parts: [...above, ...own] },
      joint: task.message === undefined ? jointOf(own) : undefined,
    }
  })
  const isWalled = (report.gates ?? []).some(({ id }) => id === 'wall')
  return {
    verdict: report.verdict ?? '',
    barriers: (report.gates ?? []).map(({ reason }) => reason),
    steps,
    tasks,
    pagesRead: report.pagesRead ?? [],
    small: isForOwners ? smallFaults(challenges, [...actions, ...(report.later ? [report.later] : [])]) : '',
    later: report.later?.text ?? '',
    gaps: gapsIn(challenges, isWalled),
    appendix: appendixOf(report.opportunities),
  }
}

/** What goes to the web person as it is. What the owner has to decide first is sent when it is decided. */
function jointOf(steps: readonly Step[]): TaskView['joint'] {
  const sent = steps.flatMap(({ who, message, number: step }) =>
    who === webWorker && message !== undefined ? [{ message, step }] : [],
  )
  const alike = sent.filter(({ message }) => message.to === sent[0]?.message.to)
  const message = jointMessage(alike)
  return message && { steps: alike.map(({ step }) => step), message }
}

function stepOf(
  action: Action,
  { number, sentWith, explain, titles }: Pick<Step, 'number' | 'sentWith'> & StepParts,
): Step {
  const { title, why, who = '', seen, terms = [], block, steps: how = [], settles } = action
  const message = messageOf(action, titles)
  return {
    number,
    title,
    why,
    who,
    // It is told once. An owner who has to decide between two facts needs both, and the message has them apart.
    seen: message === undefined || (how.length > 0 && !message.text.includes(seen)) ? seen : '',
    gain: gainText(action),
    words: explain(terms),
    block: message === undefined ? block : undefined,
    conflicts: block?.conflicts ?? [],
    message,
    sentWith,
    how,
    done:
      message === undefined && how.length > 0
        ? isDoneWhen(settles.flatMap((id) => titles.get(id) ?? []))
        : '',
  }
}

interface StepParts {
  readonly explain: ReturnType<typeof createExplainer>
  readonly titles: ReadonlyMap<string, string>
}

/** Checks that found something too small to be a step: an owner may want to know, and need not act. */
function smallFaults(
  challenges: Analysis['challenges'],
  actions: readonly Pick<Action, 'settles'>[],
): string {
  const settled = new Set(actions.flatMap(({ settles }) => settles))
  const small = challenges.filter(
    ({ id, severity }) => severity !== 'unmeasured' && !settled.has(id) && !isForDevelopers(id),
  )
  if (small.length === 0) return ''
  return `${counted(small.length, 'fault')} so small that you can leave ${small.length === 1 ? 'it' : 'them'}: ${namedChecks(small)}.`
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
