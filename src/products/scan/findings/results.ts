import { z } from 'zod'
import type { IndustrySlug } from '../../text/knowledge/industry.ts'

/**
 * The results of a finished scan, with the fields of the specification (2.2 to 2.7). The store keeps them
 * and the API returns them in this form.
 */

const score = z.number().min(0).max(100)
const level = z.enum(['high', 'medium', 'low'])
export type Level = z.infer<typeof level>

const explanation = z.string().describe('why: the worst checks, and where it was seen')
const share = z
  .number()
  .min(0)
  .max(100)
  .describe(
    'percent of its checks, by weight, that could be made; the area counts by this share of its weight',
  )

const scoreBreakdownSchema = z.object({
  category: z.string().describe('name of the category'),
  score: score.describe('0 to 100'),
  explanation,
  checked: share.optional(),
})

const unscoredAreaSchema = z.object({ category: z.string(), explanation, checked: share })

const gateId = z.enum(['wall', 'noindex', 'shell', 'bots'])

const gateSchema = z.object({
  id: gateId,
  cap: score.describe('neither score is higher than this'),
  reason: z.string(),
  fix: z.string(),
})

const workflowSchema = z.object({
  name: z.string(),
  description: z.string(),
  steps: z
    .array(z.object({ name: z.string(), description: z.string().optional(), isManual: z.boolean() }))
    .optional()
    .describe('in order'),
  isDeterministic: z.boolean().optional().describe('whether the sequence is fixed'),
  automationPotential: level,
  currentState: z.string().optional(),
})

const opportunitySchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  currentState: z.string().optional().describe('how the process works now'),
  potentialState: z.string().optional().describe('how it could work with automation'),
  impact: level,
  effort: level,
  category: z.string().describe('such as workflow, communication or data'),
  estimatedTimeSavingsHours: z.number().optional().describe('hours saved in a month'),
  estimatedTimeSavingsRange: z.string().optional().describe('the same, for people'),
  automationApproach: z.array(z.string()).optional().describe('suggested technologies'),
  priority: z.number().optional().describe('lower comes first'),
  recommendedTools: z.array(z.string()).optional(),
})

const blockSchema = z.object({
  kind: z.enum(['html', 'robots.txt', 'llms.txt', 'sitemap.xml', 'headers', 'text']),
  where: z.string().describe('where the owner of the site pastes it, or to whom a text goes'),
  text: z.string().describe('what to paste or to hand on, made only of facts that the site states'),
  says: z
    .array(z.string())
    .optional()
    .describe('what the text says of the business, in plain words, for its owner to check'),
  missing: z.array(z.string()).describe('facts that belong in it and were not found on the site'),
  conflicts: z
    .array(z.string())
    .optional()
    .describe('facts that were left out because pages of the site contradict each other, with these pages'),
  effort: level.optional().describe('where it is more work than such a block usually is'),
})

const termSchema = z.object({ term: z.string(), meaning: z.string().describe('in one plain clause') })

const actionSchema = z.object({
  id: z.string().describe('of the leading challenge'),
  title: z.string().describe('what to do'),
  why: z.string(),
  who: z.string().optional().describe('who does it; missing in older results'),
  terms: z
    .array(termSchema)
    .optional()
    .describe('words of the web trade in the action, explained; only for sites of other trades'),
  seen: z.string().describe('what was seen on the site, and where'),
  gain: z.number().describe('points of AI readiness, whole from 10 on, in tenths below'),
  aeoGain: z.number().describe('points of AEO, written in the same way'),
  keepsOut: z.boolean().describe('agents cannot use the site before this is done'),
  waits: z
    .boolean()
    .describe('it gains its points once nothing keeps agents out; 0 where the site could not be read'),
  gate: gateId
    .optional()
    .describe('what keeps agents out: the action opens it or waits for it; missing in older results'),
  settles: z.array(z.string()).describe('ids of the challenges that are gone once it is done'),
  block: blockSchema.optional(),
  steps: z
    .array(z.string())
    .optional()
    .describe('how a person does it, one step after the other; only where no code has to change'),
})

const messageSchema = z.object({
  to: z.string().describe('whom the owner sends it to'),
  says: z
    .array(z.string())
    .describe('what its lines say of the business, in plain words, for the owner to check'),
  asks: z.array(z.string()).describe('what only the owner knows; the text has room for each answer'),
  text: z.string(),
  checks: z.array(z.string()).describe('names of the checks that pass once it is done'),
})

const taskSchema = z.object({
  title: z.string().describe('what to do'),
  goal: z.string().describe('the same in one short sentence'),
  who: z.string().optional().describe('who does it'),
  steps: z.array(z.number()).describe('numbers of the actions that belong to it, the first action is 1'),
  gain: z.number().describe('points of AI readiness that its steps gain together'),
  aeoGain: z.number().describe('points of AEO, written in the same way'),
  keepsOut: z.boolean().describe('agents cannot use the site before this is done'),
  waits: z.boolean().describe('it gains its points once nothing keeps agents out'),
  gate: gateId.optional(),
  message: messageSchema
    .optional()
    .describe(
      'the one message by which all its steps are handed on, where none of them is for the owner; only for sites of other trades',
    ),
})

/** `results` of ScanResults (2.2), without the scan's own id and domain. */
export const reportSchema = z.object({
  readinessScore: score.describe('how ready the business is for AI, 0 to 100'),
  aeoScore: score.describe('how well answer engines can use the site, 0 to 100'),
  readinessBreakdown: z.array(scoreBreakdownSchema),
  aeoBreakdown: z.array(scoreBreakdownSchema),
  unscoredAreas: z
    .array(unscoredAreaSchema)
    .optional()
    .describe('areas of which less than half of the checks could be made; missing in older results'),
  gates: z
    .array(gateSchema)
    .optional()
    .describe('what keeps agents out and caps both scores, the lowest cap first; missing in older results'),
  verdict: z
    .string()
    .optional()
    .describe(
      'what programs can do with the site, what it lacks most and what to do first; missing in older results',
    ),
  executiveSummary: z.string(),
  keyFindings: z.array(z.string()),
  actions: z
    .array(actionSchema)
    .optional()
    .describe('what to do, the most useful first; not in scans of earlier versions'),
  tasks: z
    .array(taskSchema)
    .optional()
    .describe(
      'the actions again, grouped by where one person does them at one time; missing in older results',
    ),
  later: z
    .object({ text: z.string(), settles: z.array(z.string()).describe('ids of the challenges') })
    .optional()
    .describe('what the host of the site has no setting for: nothing to do unless the site moves'),
  pagesRead: z.array(z.string()).optional().describe('addresses of the pages whose text was read'),
  totalTimeSavingsPotential: z.string().describe('estimate for a month'),
  timeSavingsBasis: z.string().optional().describe('how the hours were estimated, where any are named'),
  workflows: z.array(workflowSchema),
  opportunities: z.array(opportunitySchema),
})

/** The report with what the scan could measure of the site, as the API shows it. */
export const shownReportSchema = reportSchema.extend({
  coverage: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('percent of what applies to the site that could be measured'),
})

/** A check that did not pass or could not be made, as `challenges` of a comprehensive scan returns it. */
export const challengeSchema = z.object({
  id: z.string().describe('agent and check: core-snapshot/one-h1'),
  category: z.string(),
  title: z.string(),
  severity: z.enum(['high', 'medium', 'low', 'unmeasured']),
  reason: z.string(),
  fix: z.string().optional().describe('what to do about it'),
  evidence: z.array(z.object({ url: z.string(), value: z.string() })).describe('what was seen, and where'),
  isExtra: z
    .boolean()
    .optional()
    .describe('the site may do without it: it adds to the score, and costs nothing where it is missing'),
})

export type Gate = z.infer<typeof gateSchema>
export type UnscoredArea = z.infer<typeof unscoredAreaSchema>
export type ScoreBreakdown = z.infer<typeof scoreBreakdownSchema>
export type Term = z.infer<typeof termSchema>
export type Block = z.infer<typeof blockSchema>
export type Action = z.infer<typeof actionSchema>
/** What the owner of a site sends to another person, with nothing left to put together. */
export type Message = z.infer<typeof messageSchema>
export type Task = z.infer<typeof taskSchema>
export type Workflow = z.infer<typeof workflowSchema>
export type Opportunity = z.infer<typeof opportunitySchema>
export type Report = z.infer<typeof reportSchema>
export type Challenge = z.infer<typeof challengeSchema>

/** Everything that is kept of a finished scan. */
export interface Analysis {
  readonly report: Report
  readonly challenges: readonly Challenge[]
  /** The name that the site gives itself, or else its domain. */
  readonly companyName: string
  readonly industry: IndustrySlug
  /** The site's own description for a directory entry; empty when it has none. */
  readonly description: string
  /** The part of the applicable checks' weight that could be measured, 0 to 100. */
  readonly coverage: number
  /** Whether trade terms help its readers; undefined in analyses of earlier versions. */
  readonly audience?: 'developers' | 'owners'
  /** What the site says of a listing; undefined in analyses of earlier versions. */
  readonly listing?: ListingWish
}

/**
 * Whether the directory may list the site. `unread`: the home page could not be read, so it says nothing. `unwanted`:
 * it asks not to be listed, or redirects to another site.
 */
export type ListingWish =
  | {
      readonly kind: 'welcome'
      /** The name from its markup or title, or else its domain. */
      readonly businessName: string
    }
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'unread' }
