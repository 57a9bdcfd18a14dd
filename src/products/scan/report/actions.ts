import { inWords } from '../findings/in-words.ts'
import type { Action, Block, Gate } from '../findings/results.ts'
import type { Profile } from '../site/site.ts'
import type { ProvenBlock } from './blocks/proven-blocks.ts'
import { type Change, handOnBlock, pageNamedIn } from './blocks/snippets/hand-on-block.ts'
import { jointGain } from './gains.ts'
import { checksOfGate } from './gates.ts'
import { type Area, costOf, faultsOf, type Issue, idOf, isIssue } from './scoring.ts'
import { leadersOf } from './shared-causes.ts'
import { termsIn } from './terms.ts'
import { factsFor } from './work/asked-facts.ts'
import { failsVisitors } from './work/broken-first.ts'
import { decisionBlock } from './work/decisions.ts'
import type { FirstQuestion } from './work/first-question.ts'
import { ownerTitle } from './work/owner-titles.ts'
import { everySeen, faultyPlaces, seenIn } from './work/seen.ts'
import { stepsFor } from './work/steps.ts'
import { shownOrder } from './work/tasks.ts'
import { isDoable, isForDevelopers, isForWriter, owner, webWorker, whoActs } from './work/who-acts.ts'
import { inWordsOnly } from './work/words-only.ts'

export interface ActionParts {
  readonly areas: readonly Area[]
  readonly gates: readonly Gate[]
  readonly blocks: readonly ProvenBlock[]
  readonly profile: Profile
  /** Of the site, such as `de`: examples in steps are words of its language. */
  readonly language?: string | undefined
  /** What the owner of a walled site hands on. */
  readonly wallBlock?: Block | undefined
  /** What to paste for one finding that no other block settles. */
  readonly snippetFor?: ((id: string, change: Change) => Block | undefined) | undefined
  /** Checks that the host of the site has no setting for. */
  readonly outOfReach?: ReadonlySet<string> | undefined
  /** What the owner has to decide before anything else. */
  readonly question?: FirstQuestion | undefined
}

/**
 * Lists what to do, the most useful first: what keeps agents out, then the rest by the points it gains. Results,
 * e-mail, comprehensive report and playbook render this one list, so they cannot disagree.
 *
 * One action may settle several findings: those with one cause, and those that one block settles. Behind a gate all
 * other gains are those that count once the gate is open; before that they would all be nothing.
 *
 * For owners, what fails their visitors today comes first, what they can do themselves comes before code of about the same
 * gain, and what gains next to nothing is left out.
 */
export function actionsOf({
  areas,
  gates,
  blocks,
  profile,
  language,
  wallBlock,
  snippetFor,
  outOfReach = new Set(),
  question,
}: ActionParts): Action[] {
  const isForOwners = !(profile.api || profile.app)
  const findings = areas.flatMap((area) => area.findings)
  const issues = findings
    .filter(isIssue)
    .filter(
      ({ agent, check, weight }) =>
        weight > 0 &&
        !outOfReach.has(`${agent}/${check}`) &&
        !(isForOwners && isForDevelopers(`${agent}/${check}`)),
    )
  const known = new Set(findings.map(idOf))
  const groups = groupsOf(
    issues,
    gates,
    blocks.map((one) => ({ ...one, settles: one.settles.filter((id) => known.has(id)) })),
    { wallBlock, snippetFor, language, isForOwners, question },
  )
  // Of a site that could not be read, too little is known to say what anything else gains.
  const isUnread = gates.some(({ id }) => id === 'wall')
  let shut = gates
  const opened: string[] = []
  const withGains = groups.map((group) => {
    const ids = [...group.settles, ...(group.brought ?? [])]
    if (group.gate === undefined) return { group, ...(isUnread ? nothing : jointGain(areas, ids, [], [])) }
    const before = shut
    shut = shut.filter((gate) => gate !== group.gate)
    opened.push(...ids)
    return { group, ...jointGain(areas, opened, before, shut) }
  })
  const drafted = withGains
    .toSorted(
      (one, other) =>
        Number(other.group.gate !== undefined) - Number(one.group.gate !== undefined) ||
        Number(other.group.isFirst === true) - Number(one.group.isFirst === true) ||
        Number(other.group.isBroken === true) - Number(one.group.isBroken === true) ||
        (one.group.gate === undefined ? worthOf(other, isForOwners) - worthOf(one, isForOwners) : 0) ||
        other.group.cost - one.group.cost,
    )
    .filter(({ group, gain, aeoGain }) =>
      group.gate !== undefined || group.isFirst === true || isUnread
        ? true
        : isForOwners
          ? gain + aeoGain >= minGain
          : group.cost > 0 || gain + aeoGain > 0,
    )
    .map(({ group, gain, aeoGain }): { readonly action: Action; readonly rest: Block | undefined } => {
      const { id, settles, block, steps, gate, rest } = group
      const said = isForOwners ? forOwners : inWords
      const [title, why, seen] = [said(group.title), said(group.why), said(group.seen)]
      const closed = gate ?? gates[0]
      const action: Action = {
        id,
        title,
        why,
        who: group.who,
        ...(isForOwners && {
          // What only the message to the web person says is not explained.
          terms: termsIn(
            title,
            why,
            ...(group.who === webWorker ? [] : [seen]),
            ...(block?.missing ?? []),
            ...(steps ?? []),
          ),
        }),
        seen,
        gain,
        aeoGain,
        keepsOut: gate !== undefined,
        waits: gate === undefined && gates.length > 0,
        ...(closed && { gate: closed.id }),
        settles: [...settles],
        ...(block && { block }),
        ...(steps && { steps: [...steps] }),
      }
      return { action, rest }
    })
  const ordered = shownOrder(drafted.map(({ action }) => action)).flatMap((at) => drafted[at] ?? [])
  return ordered.map(({ action, rest }) => {
    const step = rest === undefined ? 0 : 1 + ordered.findIndex((other) => other.action.block === rest)
    return step === 0 ? action : { ...action, title: `${action.title} Step ${step} brings the rest.` }
  })
}

/** In words that owners of other trades know. */
function forOwners(text: string): string {
  return inWords(text)
    .replace(/^Paste (.+?) into /, 'Have $1 put into ')
    .replace(/\bcontrols\b/g, 'buttons and links')
    .replace(/\ba control\b/g, 'a button or link')
    .replace(/\b(\d+) Organization or Person nodes? of its own\b/g, '$1 descriptions of who runs the site')
    .replace(/\bno WebSite node\b/g, 'no name of the site for machines')
}

const nothing = { gain: 0, aeoGain: 0 }

/** Points of both scores. An owner has no time for steps that gain less. */
const minGain = 0.2

/** By this an owner's own work counts more, because it can begin today. */
const doableWorth = 1.4

function worthOf(
  { group, gain, aeoGain }: { readonly group: Group; readonly gain: number; readonly aeoGain: number },
  isForOwners: boolean,
): number {
  return (gain + aeoGain) * (isForOwners && isDoable(group.who) ? doableWorth : 1)
}

interface Group {
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

function groupsOf(
  issues: readonly Issue[],
  gates: readonly Gate[],
  blocks: readonly ProvenBlock[],
  {
    wallBlock,
    snippetFor,
    language,
    isForOwners,
    question,
  }: Pick<ActionParts, 'wallBlock' | 'snippetFor' | 'language' | 'question'> & {
    readonly isForOwners: boolean
  },
): Group[] {
  const leaders = leadersOf(faultsOf(issues))
  const byId = new Map(issues.map((issue) => [idOf(issue), issue]))
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
    const block = own ?? handOnBlock({ title: lead?.title, ...gate, evidence: lead?.evidence ?? [] })
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
    const taken = take(settles)
    const brought = settles.filter((id) => !byId.has(id))
    const [first] = taken
    if (first === undefined && brought.length === 0) return []
    return [
      {
        id: first === undefined ? (brought[0] ?? '') : idOf(first),
        who: webWorker,
        title,
        why,
        seen: seenIn(taken, pages),
        settles: taken.map(idOf),
        brought,
        cost: costOfAll(taken),
        block,
      },
    ]
  })
  const ofRest = issues.flatMap((issue): Group[] => {
    if (!open.has(idOf(issue))) return []
    const lead = byId.get(leaders.get(idOf(issue)) ?? '') ?? issue
    const alike = issues.filter(({ fix }) => fix === lead.fix).map(idOf)
    const taken = take([idOf(lead), idOf(issue), ...alike])
    const { title: fix, rest } = leftOf(lead, blocks)
    const places = faultyPlaces(lead)
    // Another step brings a part. An owner who does both must not write it twice.
    const change: Change = {
      title: lead.title,
      fix,
      evidence: rest === undefined ? places : [],
      asks: factsFor(fix, places),
    }
    const wording = { fix, page: placeOf(lead), evidence: places, language }
    const steps = stepsFor(idOf(lead), wording)
    const snippet = snippetFor?.(idOf(lead), change)
    const own = snippet ?? decisionBlock(idOf(lead), change, wording)
    const who = whoActs(idOf(lead), steps === undefined, fix)
    const block = own ?? (steps === undefined || who === webWorker ? handOnBlock(change) : undefined)
    const plain = isForOwners ? ownerTitle(idOf(lead), fix, wording.page) : undefined
    return [
      {
        id: idOf(lead),
        who,
        title: plain ?? fix,
        ...(rest && steps === undefined && { rest }),
        why: lead.reason,
        seen: / Do the same |\d more(?:,|\.| )/.test(lead.fix) ? everySeen(lead) : seenIn([lead]),
        settles: taken.map(idOf),
        cost: costOfAll(taken),
        isBroken: isForOwners && failsVisitors(lead),
        ...(block && { block: isForOwners && isForWriter(who) ? inWordsOnly(block) : block }),
        ...(steps && { steps }),
      },
    ]
  })
  return [...ofGates, ...ofQuestion, ...ofBlocks, ...ofRest]
}

function questionGroup({ settles: _, ...question }: FirstQuestion, asked: readonly Issue[]): Group {
  return { ...question, who: owner, settles: asked.map(idOf), cost: costOfAll(asked), isFirst: true }
}

/** The fix of an issue, without what a block brings already, and that block. */
function leftOf(issue: Issue, blocks: readonly ProvenBlock[]): Pick<Group, 'title' | 'rest'> {
  for (const { block, leaves } of blocks) {
    const left = leaves.get(idOf(issue))
    if (left !== undefined && left !== issue.fix) return { title: left, rest: block }
  }
  return { title: issue.fix }
}

function costOfAll(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + costOf(issue), 0)
}

/** The page that the fix names and the evidence quotes, else the first that either has. */
function placeOf(issue: Issue): string {
  const quoted = new Set(issue.evidence.map(({ url }) => url))
  const named = issue.fix.match(/https?:\/\/[^\s,;]*[^\s,;.:]/g) ?? []
  return (
    named.find((url) => quoted.has(url)) ??
    pageNamedIn(issue.fix) ??
    faultyPlaces(issue)[0]?.url ??
    'the page'
  )
}
