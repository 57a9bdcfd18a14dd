import { inWords } from '../findings/in-words.ts'
import type { Action, Block, Gate } from '../findings/results.ts'
import type { Profile } from '../site/site.ts'
import { askedOnce, contactAsks } from './blocks/facts/asked-once.ts'
import type { ProvenBlock } from './blocks/proven-blocks.ts'
import { jointGain } from './gains.ts'
import { type Area, idOf, isIssue } from './scoring.ts'
import { termsIn } from './terms.ts'
import { type Group, type GroupParts, groupsOf } from './work/groups.ts'
import { shownOrder } from './work/tasks.ts'
import { isDoable, isForDevelopers, webWorker } from './work/who-acts.ts'

export interface ActionParts extends GroupParts {
  readonly areas: readonly Area[]
  readonly gates: readonly Gate[]
  readonly blocks: readonly ProvenBlock[]
  readonly profile: Profile
  /** Checks that the host of the site has no setting for. */
  readonly outOfReach?: ReadonlySet<string> | undefined
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
  hasTextLists,
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
    { wallBlock, snippetFor, language, isForOwners, question, hasTextLists },
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
  const asking = askedOnce(ordered.map(({ action }) => action.block))
  return ordered.map(({ action: one, rest }, at) => {
    const block = asking[at]
    const action =
      block === undefined
        ? one
        : { ...one, block, ...(isAnswered(one.block, block) && { steps: [answered] }) }
    const step = rest === undefined ? 0 : 1 + ordered.findIndex((other) => other.action.block === rest)
    return step === 0
      ? action
      : { ...action, title: `${action.title} The other part of it is in step ${step}.` }
  })
}

/** Whether all that the owner was asked for in it is asked for in an earlier message. */
function isAnswered(before: Block | undefined, after: Block): boolean {
  return before?.missing.includes(contactAsks.all) === true && !after.missing.includes(contactAsks.all)
}

const answered = 'Your answers in an earlier message hold for this one, too. Send it after that one.'

/** In words that owners of other trades know. */
function forOwners(text: string): string {
  return inWords(text)
    .replace(/^Paste (.+?) into /, 'Have $1 put into ')
    .replace(/\bcontrols\b/g, 'buttons and links')
    .replace(/\ba control\b/g, 'a button or link')
    .replace(/\b(\d+) Organization or Person nodes? of its own\b/g, '$1 descriptions of who runs the site')
    .replace(/\bno WebSite node\b/g, 'no entry for the site itself in the facts for machines')
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
