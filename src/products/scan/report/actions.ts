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
import { stepsFor } from './work/steps.ts'
import { whoActs } from './work/who-acts.ts'

export interface ActionParts {
  readonly areas: readonly Area[]
  readonly gates: readonly Gate[]
  readonly blocks: readonly ProvenBlock[]
  readonly profile: Profile
  /** What the owner of a walled site hands on. */
  readonly wallBlock?: Block | undefined
  /** What to paste for one finding that no other block settles. */
  readonly snippetFor?: ((id: string, change: Change) => Block | undefined) | undefined
}

/**
 * Lists what to do, the most useful first: what keeps agents out, then the rest by the points it gains. Results,
 * e-mail, comprehensive report and playbook render this one list, so they cannot disagree.
 *
 * One action may settle several findings: those with one cause, and those that one block settles. Behind a gate all
 * other gains are those that count once the gate is open; before that they would all be nothing.
 */
export function actionsOf({ areas, gates, blocks, profile, wallBlock, snippetFor }: ActionParts): Action[] {
  const findings = areas.flatMap((area) => area.findings)
  const issues = findings
    .filter(isIssue)
    .filter(({ agent, check, weight }) => weight > 0 && isFor(profile, `${agent}/${check}`))
  const known = new Set(findings.map(idOf))
  const groups = groupsOf(
    issues,
    gates,
    blocks.map((one) => ({ ...one, settles: one.settles.filter((id) => known.has(id)) })),
    { wallBlock, snippetFor },
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
  return withGains
    .toSorted(
      (one, other) =>
        Number(other.group.gate !== undefined) - Number(one.group.gate !== undefined) ||
        (one.group.gate === undefined ? other.gain + other.aeoGain - one.gain - one.aeoGain : 0) ||
        other.group.cost - one.group.cost,
    )
    .filter(({ group, gain, aeoGain }) => group.gate !== undefined || group.cost > 0 || gain + aeoGain > 0)
    .map(({ group, gain, aeoGain }, _place, all): Action => {
      const { id, settles, block, steps, gate, rest } = group
      const step = rest === undefined ? 0 : 1 + all.findIndex((other) => other.group.block === rest)
      const title = inWords(
        step === 0 ? group.title : `${group.title} The block of step ${step} brings the rest.`,
      )
      const [why, seen] = [inWords(group.why), inWords(group.seen)]
      const closed = gate ?? gates[0]
      const isForOwners = !(profile.api || profile.app)
      return {
        id,
        title,
        why,
        who: whoActs(id, block !== undefined && steps === undefined),
        ...(isForOwners && {
          terms: termsIn(title, why, seen, block?.where ?? '', ...(block?.missing ?? []), ...(steps ?? [])),
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
    })
}

const nothing = { gain: 0, aeoGain: 0 }

/** These checks speak of formats that only makers of software know. To others their findings are no advice. */
function isFor({ api, app }: Profile, id: string): boolean {
  return api || app || !/^(?:agent-protocols\/|agent-files\/md-)/.test(id)
}

interface Group {
  readonly id: string
  readonly title: string
  readonly why: string
  readonly seen: string
  readonly settles: readonly string[]
  /** Checks that did not apply and pass once the block is pasted. */
  readonly brought?: readonly string[]
  readonly cost: number
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
  { wallBlock, snippetFor }: Pick<ActionParts, 'wallBlock' | 'snippetFor'>,
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
      title: gate.fix,
      why: gate.reason,
      seen: seenIn(lead === undefined ? [] : [lead]),
      settles: taken.map(idOf),
      cost: costOfAll(taken),
      gate,
      block,
    }
  })
  const ofBlocks = blocks.flatMap(({ block, title, why, settles, pages }): Group[] => {
    const taken = take(settles)
    const brought = settles.filter((id) => !byId.has(id))
    const [first] = taken
    if (first === undefined && brought.length === 0) return []
    return [
      {
        id: first === undefined ? (brought[0] ?? '') : idOf(first),
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
    const steps = stepsFor(idOf(lead), placeOf(lead))
    const snippet = snippetFor?.(idOf(lead), lead)
    const block = snippet ?? (steps === undefined ? handOnBlock(lead) : undefined)
    return [
      {
        id: idOf(lead),
        ...leftOf(lead, blocks),
        why: lead.reason,
        seen: / Do the same |\d more(?:,|\.| )/.test(lead.fix) ? everySeen(lead) : seenIn([lead]),
        settles: taken.map(idOf),
        cost: costOfAll(taken),
        ...(block && { block }),
        ...(steps && { steps }),
      },
    ]
  })
  return [...ofGates, ...ofBlocks, ...ofRest]
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

/** The page that the fix names, else the one that was quoted. */
function placeOf({ fix, evidence }: Issue): string {
  return pageNamedIn(fix) ?? evidence[0]?.url ?? 'the page'
}

/** Where the fix has to be repeated, all places that were quoted, so that nobody has to look for them. */
function everySeen({ evidence }: Issue): string {
  return evidence.map(({ url, value }) => `${url}: ${value}`).join('; ')
}

/**
 * The evidence of up to three findings, one each: "https://example.com/: no WebSite node". It is that of a page of the
 * block, else of the page that the fix names, because evidence of another page proves nothing to the reader.
 */
function seenIn(issues: readonly Issue[], pages: ReadonlySet<string> = new Set()): string {
  const byPlace = new Map<string, Set<string>>()
  for (const issue of issues.slice(0, 3)) {
    const { evidence, fix } = issue
    const named = new Set(fix.split(/[\s,;]+/).map((word) => word.replace(/[.:]$/, '')))
    const first =
      evidence.find(({ url }) => pages.has(url)) ?? evidence.find(({ url }) => named.has(url)) ?? evidence[0]
    if (first !== undefined) byPlace.set(first.url, (byPlace.get(first.url) ?? new Set()).add(first.value))
  }
  return [...byPlace].map(([url, values]) => `${url}: ${[...values].join('; ')}`).join('. ')
}
