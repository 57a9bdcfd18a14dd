import type { Action, Analysis, Challenge, Level, Opportunity } from '../findings/results.ts'
import { gainText } from '../report/key-findings.ts'
import { inPlainWords } from '../report/terms.ts'
import { isForWriter } from '../report/work/who-acts.ts'
import { effortOf, effortOfGate } from './area-skills.ts'

/** One thing to do: an action of the report, or work that could be automated. */
export interface Item {
  readonly id: string
  readonly kind: 'challenge' | 'opportunity'
  readonly title: string
  readonly why: string
  /** What it gains, in a sentence; empty for an opportunity, whose worth was not measured. */
  readonly gain: string
  readonly impact: Level
  readonly effort: Level
  /** The findings that are gone once it is done. */
  readonly relatedTo: readonly string[]
}

/**
 * Ranks everything there is to do as the report does: what keeps agents out, then the actions by what they gain, then
 * the opportunities, whose worth was not measured. Checks that could not be made are no findings and get no rank.
 */
export function rank(analysis: Analysis): Item[] {
  const { challenges, report } = analysis
  const byId = new Map(challenges.map((challenge) => [challenge.id, challenge]))
  const opportunities = report.opportunities.toSorted(
    (one, other) => (one.priority ?? unranked) - (other.priority ?? unranked),
  )
  return [
    ...actionsIn(analysis).map((action, place) => actionItem(action, place + 1, byId)),
    ...opportunities.map(opportunityItem),
  ]
}

const unranked = 1_000

/** Analyses of earlier versions have no actions; there each finding is one. */
export function actionsIn({
  report,
  challenges,
}: Pick<Analysis, 'report' | 'challenges'>): readonly Action[] {
  return (
    report.actions ??
    challenges.flatMap(({ id, severity, title, reason, fix = title }): Action[] =>
      severity === 'unmeasured'
        ? []
        : [
            {
              id,
              title: fix,
              why: reason,
              seen: '',
              gain: 0,
              aeoGain: 0,
              keepsOut: false,
              waits: true,
              settles: [id],
            },
          ],
    )
  )
}

/** The part of a challenge's id before the slash. */
export function agentOf({ id }: Pick<Challenge, 'id'>): string {
  return id.split('/', 1)[0] ?? id
}

/** @param step the number of the action in the results. */
function actionItem(action: Action, step: number, byId: ReadonlyMap<string, Challenge>): Item {
  const { id, title, why, who, terms = [], keepsOut, settles, block, steps = [] } = action
  const settled = settles.flatMap((one) => byId.get(one) ?? [])
  return {
    id,
    kind: 'challenge',
    title,
    why: [
      why,
      gainText(action),
      ...(who === undefined ? [] : [who]),
      ...(block === undefined
        ? []
        : [
            isForWriter(who)
              ? `A text to begin with stands in the report of the scan, under step ${step}.`
              : `The message to send stands in the report of the scan, under step ${step}.`,
          ]),
      ...(steps.length === 0 ? [] : ['How to do it:', ...steps]),
      ...inPlainWords(terms),
    ].join(' '),
    gain: gainText(action),
    impact: keepsOut ? 'high' : impactOf(settled),
    effort: effortOfAction(action, settled),
    relatedTo: settles,
  }
}

/**
 * What is ready to paste takes an hour, unless the block says otherwise. A decision or a text takes as long as without the
 * block.
 */
function effortOfAction({ id, who, block, steps }: Action, settled: readonly Challenge[]): Level {
  const isOneLink =
    id === 'freshness-index/internal-links' && settled.every(({ evidence }) => evidence.length === 1)
  if (isOneLink) return 'low'
  if (block?.effort !== undefined) return block.effort
  const isReady = block !== undefined && block.kind !== 'text' && steps === undefined && !isForWriter(who)
  return isReady ? 'low' : (effortOfGate(id) ?? effortOf(id))
}

function impactOf(settled: readonly Challenge[]): Level {
  return levels.find((level) => settled.some(({ severity }) => severity === level)) ?? 'low'
}

const levels: readonly Level[] = ['high', 'medium', 'low']

function opportunityItem({ id, title, description, impact, effort }: Opportunity): Item {
  return {
    id,
    kind: 'opportunity',
    title,
    why: description,
    gain: '',
    impact,
    effort: effortOfWork(id) ?? effort,
    relatedTo: [id],
  }
}

function effortOfWork(id: string): Level | undefined {
  const check = sameWork.get(id)
  return check === undefined ? undefined : effortOf(check)
}

/** Work that is also asked for by a check takes the same effort under both names. */
const sameWork: ReadonlyMap<string, string> = new Map([
  ['opp-self-service-scheduling', 'workflow-automation/booking'],
  ['opp-lead-intake', 'workflow-automation/lead-capture'],
])
