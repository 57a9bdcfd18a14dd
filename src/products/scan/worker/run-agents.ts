import type { Agent, Check } from '../agents/agent.ts'
import { isExtra } from '../agents/extras.ts'
import { type Evidence, type Finding, type Outcome, unmeasured } from '../findings/check.ts'
import { isRefusal } from '../findings/document.ts'
import { inWords } from '../findings/in-words.ts'
import { maxPlaces } from '../findings/share.ts'
import type { Signals } from '../signals/signals.ts'
import { shown } from '../site/addresses.ts'
import type { Site } from '../site/site.ts'

export interface Run {
  readonly findings: readonly Finding[]
  /**
   * Checks that threw an error, for the log. That is a fault of ours; the report shows them as not measured.
   */
  readonly faults: readonly string[]
}

/** Runs every check of some agents. A check that throws does not affect the others. */
export function runAgents(site: Site, signals: Signals, agents: readonly Agent[]): Run {
  const faults: string[] = []
  const findings = agents.flatMap(({ id: agent, checks }) =>
    checks.map((check): Finding => {
      const { id, title, weight } = check
      const outcome = bounded(outcomeOf(check, site, signals, agent, faults))
      const extra = isExtra(`${agent}/${id}`, site) && { isExtra: true }
      return { ...outcome, agent, check: id, title, weight, ...extra }
    }),
  )
  return { findings, faults }
}

function outcomeOf(check: Check, site: Site, signals: Signals, agent: string, faults: string[]): Outcome {
  try {
    const outcome = check.run(site, signals)
    return outcome.result === 'pass' && isOfRefusals(site, outcome.evidence)
      ? unmeasured('The server refused the page, so what it sent says nothing of the site.')
      : outcome
  } catch (error) {
    faults.push(`${agent}/${check.id}: ${shown(String(error), 300)}`)
    return unmeasured('This check could not be evaluated on this site.')
  }
}

/**
 * Whether every quote is from an address that was refused to us. A page of refusal has no captcha, no broken
 * link and no leaked key, and the site would be praised for its wall.
 */
function isOfRefusals({ capture }: Site, evidence: readonly Evidence[]): boolean {
  const isRefused = (url: string) => {
    const answers = capture.exchanges.filter(
      (exchange) =>
        exchange.outcome === 'replied' &&
        exchange.purpose !== 'home-browser' &&
        (exchange.url === url || exchange.finalUrl === url),
    )
    return answers.length > 0 && answers.every((one) => one.outcome === 'replied' && isRefusal(one.status))
  }
  return evidence.length > 0 && evidence.every(({ url }) => isRefused(url))
}

/**
 * The last guard before text of a scanned site reaches reports, e-mails and logs. It shortens quotes, makes
 * invisible characters visible and removes repetitions. Tags in sentences become words; quotes keep them.
 */
function bounded(outcome: Outcome): Outcome {
  const reason = inWords(shown(outcome.reason, maxSentences))
  if (outcome.result === 'na' || outcome.result === 'unmeasured') return { ...outcome, reason }
  const limit = outcome.result === 'pass' ? 5 : maxPlaces
  const evidence = asFits(
    onceEach(
      outcome.evidence.slice(0, Math.max(20, limit)).map(({ url, value }) => ({
        url: shown(url, maxUrl).replace(/^https?:\/\/[^/?#]{1,500}$/, '$&/'),
        value: shown(value, maxValue).replace(/("[^"]{1,200}")(?:, \1){1,99}/g, '$1'),
      })),
    ),
  ).slice(0, limit)
  if (outcome.result === 'pass') return { ...outcome, reason, evidence }
  return { ...outcome, reason, evidence, fix: inWords(shown(outcome.fix, maxSentences)) }
}

/**
 * The slash behind a bare host was added before, so `https://a.example` and `https://a.example/` are one
 * address. Of elements the number is kept, so that all of them can be found.
 */
function onceEach(evidence: readonly Evidence[]): Evidence[] {
  const byText = new Map<string, { readonly seen: Evidence; times: number }>()
  for (const seen of evidence) {
    const known = byText.get(`${seen.url} ${seen.value}`)
    if (known === undefined) byText.set(`${seen.url} ${seen.value}`, { seen, times: 1 })
    else known.times += 1
  }
  return Array.from(byText.values(), ({ seen, times }) =>
    times > 1 && /<[a-z]/i.test(seen.value) ? { ...seen, value: `${seen.value} (${times} times)` } : seen,
  )
}

/** The first places of a finding, as far as they are short enough together. A hostile site has long ones. */
function asFits(evidence: readonly Evidence[]): Evidence[] {
  let room = maxTogether
  return evidence.filter(({ url, value }, at) => {
    room -= url.length + value.length
    return at < 5 || room >= 0
  })
}

const maxTogether = 10_000
const maxSentences = 1_000
const maxUrl = 500
const maxValue = 400
