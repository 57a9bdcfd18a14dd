import { domainToUnicode } from 'node:url'
import { storable } from '../../core/text/storable.ts'
import type { Analysis, Opportunity, Workflow } from '../scan/findings/results.ts'
import { bareTsvectorOf, tsvectorOf, type WeightedText } from './tsvector.ts'
import { fold } from './words.ts'

/**
 * What search finds of a scan: its domain, and each finding, opportunity and workflow of its results. Only what every
 * caller who sees the scan may read is in here, which leaves out the challenges, because they need a key.
 */
export const entryTypes = ['domain', 'finding', 'opportunity', 'workflow'] as const
export type EntryType = (typeof entryTypes)[number]

interface Entry {
  readonly type: EntryType
  readonly title: string
  /** What the snippet is cut from. */
  readonly body: string
  /** A tsvector. */
  readonly words: string
}

export interface SearchableScan {
  readonly entries: readonly Entry[]
  /** The words of all entries, as a tsvector. */
  readonly words: string
}

/** @param domain as the scan has it: in ASCII and lower case. */
export function searchableScan(domain: string, analysis: Analysis): SearchableScan {
  const { report, companyName, description, industry } = analysis
  const unicode = domainToUnicode(domain) || domain
  const names = unicode === domain ? [domain] : [domain, unicode]
  const marks = domainMarks(names)
  const aboutSite = [companyName, industry, description]
  const texts: Text[] = [
    { type: 'domain', title: unicode, parts: aboutSite },
    ...[report.executiveSummary, ...report.keyFindings].map(findingText),
    ...report.opportunities.map(opportunityText),
    ...report.workflows.map(workflowText),
  ]
  const entries = texts.map(({ type, title, parts }): Entry => {
    const body = storable(parts.filter((part) => part !== '').join(' · ')).slice(0, maxCharacters)
    const own: WeightedText[] = [
      { text: title, weight: 'A' },
      { text: body, weight: 'C' },
    ]
    // The domain belongs to every entry, so that `shop.example booking` finds what the scan says of bookings.
    const site = names.map((text): WeightedText => ({ text, weight: type === 'domain' ? 'A' : 'D' }))
    const words = tsvectorOf([...own, ...site], type === 'domain' ? marks : [])
    return { type, title: storable(title).slice(0, maxTitle), body, words }
  })
  const all = [...names, ...texts.flatMap(({ title }) => title), ...entries.map(({ body }) => body)]
  return { entries, words: bareTsvectorOf(all, marks) }
}

interface Text {
  readonly type: EntryType
  readonly title: string
  readonly parts: readonly string[]
}

function findingText(finding: string): Text {
  const [sentence = ''] = /^.{1,160}?(?:[.!?](?=\s|$)|[。！？]|$)/su.exec(finding) ?? [finding.slice(0, 160)]
  return { type: 'finding', title: sentence, parts: [finding] }
}

function opportunityText(opportunity: Opportunity): Text {
  const { title, description, currentState = '', potentialState = '', category } = opportunity
  const { automationApproach = [], recommendedTools = [] } = opportunity
  const lists = [category, automationApproach.join(', '), recommendedTools.join(', ')]
  return { type: 'opportunity', title, parts: [description, currentState, potentialState, ...lists] }
}

function workflowText({ name, description, currentState = '', steps = [] }: Workflow): Text {
  const done = steps.map((step) => [step.name, step.description].filter(Boolean).join(': '))
  return { type: 'workflow', title: name, parts: [description, currentState, done.join(', ')] }
}

/**
 * Marks of a domain, which a query asks for by their beginning: `@shop.example` and `@example` of `shop.example`.
 * No word of a text begins with the sign.
 */
function domainMarks(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const labels = fold(name).split('.')
    return labels.map((_, index) => domainMark(labels.slice(index).join('.')))
  })
}

export function domainMark(start: string): string {
  return `@${start}`
}

const maxTitle = 200
/** Of one entry. The texts of a report are much shorter. */
const maxCharacters = 4_000
