import type { Block, Gate } from '../../findings/results.ts'
import { isTextWork, type Work } from '../../findings/work.ts'
import type { ProvenBlock } from '../blocks/proven-blocks.ts'
import { type Change, handOnBlock } from '../blocks/snippets/hand-on-block.ts'
import { checksOfGate } from '../gates.ts'
import { costOf, faultsOf, type Issue, idOf } from '../scoring.ts'
import { leadersOf } from '../shared-causes.ts'
import { factsFor } from './asked-facts.ts'
import { failsVisitors } from './broken-first.ts'
import { decisionBlock } from './decisions.ts'
import type { FirstQuestion } from './first-question.ts'
import { alsoForPreview, withGivenWords } from './given-words.ts'
import { joinedToBlock, joinedToChange, withQuestions } from './joined-questions.ts'
import { ownerTitle } from './owner-titles.ts'
import { allSeen, everySeen, faultyPlaces, placeOf, seenIn } from './seen.ts'
import { stepsFor } from './steps.ts'
import { type TextJob, textJobOf } from './texts/text-job.ts'
import type { Wording } from './texts/wording.ts'
import { isForWriter, owner, webWorker, whoActs, writer } from './who-acts.ts'
import { inWordsOnly } from './words-only.ts'

/** What one action does: the findings that it settles, and how. */
export interface Group {
  readonly id: string
  readonly who: string
  readonly title: string
  readonly why: string
  readonly seen: string
  readonly settles: readonly string[]
  /** Checks that did not apply and pass once the block is pasted. */
  readonly brought?: readonly string[]
  readonly cost: number
  /** Before it is answered, the owner cannot tell whether the other steps are right. */
  readonly isFirst?: boolean
  /** Visitors meet it today, so an owner mends it before anything that is only missing. */
  readonly isBroken?: boolean
  /** The block of another action that does the rest of this one. */
  readonly rest?: Block
  readonly gate?: Gate
  readonly block?: Block
  /** How a person does it. */
  readonly steps?: readonly string[]
}

export interface GroupParts {
  /** Of the site, such as `de`: examples in steps are words of its language. */
  readonly language?: string | undefined
  /** What the owner of a walled site hands on. */
  readonly wallBlock?: Block | undefined
  /** What to paste for one finding that no other block settles. */
  readonly snippetFor?: ((id: string, change: Change) => Block | undefined) | undefined
  /** Scripts write the texts from lists of words. */
  readonly hasTextLists?: boolean | undefined
  /** What the owner has to decide before anything else. */
  readonly question?: FirstQuestion | undefined
}

/** The findings of each action: those with one cause, and those that one block settles. Each finding is in one group. */
export function groupsOf(
  issues: readonly Issue[],
  gates: readonly Gate[],
  blocks: readonly ProvenBlock[],
  {
    wallBlock,
    snippetFor,
    language,
    isForOwners,
    question,
    hasTextLists,
  }: GroupParts & { readonly isForOwners: boolean },
): Group[] {
  const leaders = new Map(leadersOf(faultsOf(issues)))
  const byId = new Map(issues.map((issue) => [idOf(issue), issue]))
  const isNoticeMissing = issues.some(({ work }) => work?.kind === 'notices' && work.isPrivacyAsked)
  const joined = new Map(
    issues.flatMap((issue) => {
      const question = joinedToChange(issue, issues)
      return question === undefined ? [] : [[idOf(issue), question] as const]
    }),
  )
  for (const [id, { issue }] of joined) leaders.set(idOf(issue), id)
  const leaderOf = (issue: Issue) => byId.get(leaders.get(idOf(issue)) ?? '')
  const open = new Set(byId.keys())
  const take = (ids: readonly string[]): Issue[] => {
    const leading = new Set(ids)
    const taken = issues.filter((issue) => {
      const id = idOf(issue)
      return open.has(id) && (leading.has(id) || leading.has(leaders.get(id) ?? ''))
    })
    for (const issue of taken) open.delete(idOf(issue))
    return taken
  }
  const ofGates = gates.map((gate): Group => {
    const taken = take(checksOfGate[gate.id])
    const lead = checksOfGate[gate.id].flatMap((id) => taken.find((issue) => idOf(issue) === id) ?? [])[0]
    const robots = blocks.find((one) => one.block.kind === 'robots.txt')?.block
    const own = gate.id === 'bots' ? robots : gate.id === 'wall' ? wallBlock : undefined
    const block =
      own ?? handOnBlock({ titles: taken.map(({ title }) => title), ...gate, evidence: lead?.evidence ?? [] })
    return {
      id: lead === undefined ? `gate/${gate.id}` : idOf(lead),
      who: webWorker,
      title: gate.fix,
      why: gate.reason,
      seen: seenIn(lead === undefined ? [] : [lead]),
      settles: taken.map(idOf),
      cost: costOfAll(taken),
      gate,
      block,
    }
  })
  const asked = question === undefined ? [] : take(question.settles)
  const ofQuestion = question === undefined ? [] : [questionGroup(question, asked)]
  const ofBlocks = blocks.flatMap(({ block, title, why, settles, pages }): Group[] => {
    const proven = take(settles)
    const questions = joinedToBlock(
      block,
      issues.filter((issue) => open.has(idOf(issue))),
    )
    const taken = [...proven, ...take(questions.map(({ issue }) => idOf(issue)))]
    const brought = settles.filter((id) => !byId.has(id))
    const [first] = taken
    if (first === undefined && brought.length === 0) return []
    return [
      {
        id: first === undefined ? (brought[0] ?? '') : idOf(first),
        who: webWorker,
        title,
        why,
        seen: seenIn(proven, pages),
        settles: taken.map(idOf),
        brought,
        cost: costOfAll(taken),
        block: withQuestions(block, questions),
        ...(questions.length > 0 && { steps: questions.flatMap(({ steps }) => steps) }),
      },
    ]
  })
  const wordingOf = (issue: Issue, fix: string): Wording => ({
    fix,
    work: issue.work,
    page: placeOf(issue),
    evidence: faultyPlaces(issue),
    isNoticeMissing,
    language,
    hasTextLists,
  })
  const job = textJobOf(
    issues
      // What another finding leads is done with that one.
      .filter((issue) => open.has(idOf(issue)) && isTextWork((leaderOf(issue) ?? issue).work))
      .map((issue) => ({ issue, wording: wordingOf(issue, issue.fix) })),
  )
  const ofTexts = job === undefined ? [] : [textGroup(job, take(job.members.map(idOf)), isForOwners)]
  const titleStep = byId.get('core-snapshot/title-desc')
  const titleToWrite =
    titleStep === undefined || leaders.has(idOf(titleStep)) ? undefined : leftOf(titleStep, blocks).work
  const previewStep = byId.get('structured-data/open-graph')
  const preview = previewStep === undefined ? undefined : leftOf(previewStep, blocks).work
  const ofRest = issues.flatMap((issue): Group[] => {
    if (!open.has(idOf(issue))) return []
    const lead = leaderOf(issue) ?? issue
    const alike = issues.filter(({ fix }) => fix === lead.fix).map(idOf)
    const taken = take([idOf(lead), idOf(issue), ...alike])
    const { title, rest, work } = withGivenWords(leftOf(lead, blocks), placeOf(lead), titleToWrite)
    const places = faultyPlaces(lead)
    const question = joined.get(idOf(lead))
    const fix = [title, ...(question?.order === undefined ? [] : [question.order])].join(' ')
    // Another step brings a part. An owner who does both must not write it twice.
    const change: Change = {
      titles: taken.map(({ title: check }) => check),
      fix: lead === titleStep ? `${fix}${alsoForPreview(work, preview)}` : fix,
      work,
      isNoticeMissing,
      evidence: rest === undefined ? places : [],
      asks: question?.asks === undefined ? factsFor(fix, places, work) : [question.asks],
    }
    const wording = { ...wordingOf(lead, fix), work }
    const steps = stepsFor(idOf(lead), wording)
    const snippet = snippetFor?.(idOf(lead), change)
    const own = snippet ?? decisionBlock(idOf(lead), change, wording)
    const who = whoActs(idOf(lead), steps === undefined, work)
    const block = own ?? (steps === undefined || who === webWorker ? handOnBlock(change) : undefined)
    const plain = isForOwners ? ownerTitle(idOf(lead), fix, wording.page, work) : undefined
    return [
      {
        id: idOf(lead),
        who,
        title: plain ?? fix,
        ...(rest && (steps === undefined || work?.kind === 'title') && { rest }),
        why: lead.reason,
        seen: allSeen(lead),
        settles: taken.map(idOf),
        cost: costOfAll(taken),
        isBroken: isForOwners && failsVisitors(lead),
        ...(block && { block: isForOwners && isForWriter(who) ? inWordsOnly(block) : block }),
        ...(steps && { steps }),
      },
    ]
  })
  return [...ofGates, ...ofQuestion, ...ofBlocks, ...ofTexts, ...ofRest]
}

function textGroup(
  { lead, members, title, why, steps }: TextJob,
  taken: readonly Issue[],
  isForOwners: boolean,
): Group {
  const id = idOf(lead)
  const plain = isForOwners ? ownerTitle(id, lead.fix, placeOf(lead), lead.work) : undefined
  return {
    id,
    who: writer,
    title: title ?? plain ?? lead.fix,
    why,
    // Lists, figures and long words are counted over all pages.
    seen: members.map((one) => (one.work?.kind === 'opening' ? allSeen(one) : everySeen(one))).join('. '),
    settles: taken.map(idOf),
    cost: costOfAll(taken),
    steps,
  }
}

function questionGroup({ settles: _, ...question }: FirstQuestion, asked: readonly Issue[]): Group {
  return { ...question, who: owner, settles: asked.map(idOf), cost: costOfAll(asked), isFirst: true }
}

type LeftToDo = Pick<Group, 'title' | 'rest'> & { readonly work: Work | undefined }

/** The fix of an issue, without what a block brings already, and that block. */
function leftOf(issue: Issue, blocks: readonly ProvenBlock[]): LeftToDo {
  for (const { block, leaves } of blocks) {
    const left = leaves.get(idOf(issue))
    if (left !== undefined && left.fix !== issue.fix) return { title: left.fix, rest: block, work: left.work }
  }
  return { title: issue.fix, work: issue.work }
}

function costOfAll(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + costOf(issue), 0)
}
