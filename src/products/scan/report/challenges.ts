import type { Finding } from '../findings/check.ts'
import type { Action, Challenge } from '../findings/results.ts'
import type { OutOfReach } from './blocks/hosting/out-of-reach.ts'
import { type Area, costOf, idOf, isIssue, severityOf } from './scoring.ts'

/**
 * Lists every check that did not pass or could not be made, in the order of the actions that settle them. What no
 * action settles follows, the most costly first, and the unmeasured ones come last. The playbook is made from these
 * and the opportunities alone. An unmeasured check of weight 0 is left out, because it is only information.
 * @param beyond what the host has no setting for
 */
export function challengesOf(
  areas: readonly Area[],
  actions: readonly Pick<Action, 'settles'>[],
  beyond?: OutOfReach,
): Challenge[] {
  const places = new Map(actions.flatMap(({ settles }, place) => settles.map((id) => [id, place] as const)))
  const placeOf = ({ id }: Challenge) => places.get(id) ?? actions.length
  return areas
    .flatMap(({ name, findings }) => findings.flatMap((finding) => challenge(name, finding)))
    .sort((one, other) => placeOf(one) - placeOf(other) || other.cost - one.cost)
    .map(({ cost: _, ...rest }) =>
      rest.fix !== undefined && beyond?.checks.has(rest.id)
        ? { ...rest, fix: `${rest.fix} ${beyond.host}, ${noSetting}${inMarkup.get(rest.id) ?? ''}` }
        : rest,
    )
}

/** What an element of the page can do in place of a header. */
const inMarkup: ReadonlyMap<string, string> = new Map([
  ['security-safety/csp', ' A meta element of the page can hold script-src, but not frame-ancestors.'],
  ['security-safety/headers', ' A meta element named referrer can hold the policy for referrers.'],
])

const noSetting =
  'which serves this site, has no setting for it: it takes another host, or a service in front of this one.'

function challenge(category: string, finding: Finding): (Challenge & { cost: number })[] {
  const { title, reason, weight } = finding
  const place = { id: idOf(finding), category, title, reason }
  if (isIssue(finding)) {
    const evidence = finding.evidence.map(({ url, value }) => ({ url, value }))
    const isExtra = (finding.isExtra === true || weight === 0) && { isExtra: true }
    return [
      {
        ...place,
        severity: severityOf(finding),
        fix: finding.fix,
        evidence,
        ...isExtra,
        cost: costOf(finding),
      },
    ]
  }
  if (finding.result !== 'unmeasured' || weight === 0) return []
  return [{ ...place, severity: 'unmeasured', evidence: [], cost: -1 }]
}
