import { z } from 'zod'
import { type Endpoint, endpointWith, noBody, noParams, noQuery } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { challengeSchema } from '../../../products/scan/findings/results.ts'
import { playbookSchema as contentSchema } from '../../../products/scan/playbook/playbook-content.ts'
import { listScans } from '../../../products/scan/scans/find-scans.ts'
import { findPlaybook } from '../../../products/scan/scans/playbooks.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { industrySlugs } from '../../../products/text/knowledge/industry.ts'
import { scanResultsSchema, scanStatus, scanSummarySchema } from './replies.ts'
import { describeResults, describeScan, lookUp, namedScan, scanParams, unshared } from './view.ts'

/** GET /api/insights/scan/{scanId}/results (specification 4.4). */
export function resultsEndpoint(scans: Scans): Endpoint {
  return endpointWith({
    id: 'getScanResults',
    method: 'GET',
    path: '/api/insights/scan/{scanId}/results',
    params: scanParams,
    query: noQuery,
    body: noBody,
    response: scanResultsSchema,
    async handle({ params }, context) {
      const row = await namedScan(scans, params, context)
      return json(200, describeResults(row), unshared)
    },
  })
}

const playbookStatus = z.enum(['generating', 'complete'])

const comprehensiveSchema = scanResultsSchema.extend({
  playbook: z
    .object({
      id: z.string(),
      status: playbookStatus,
      skillCount: z.int(),
      topPrioritySkills: z.array(z.string()),
    })
    .optional(),
  aeoBoost: z
    .object({ aeoScore: z.number(), companyName: z.string(), industry: z.enum(industrySlugs) })
    .optional(),
  directoryListing: z
    .object({ businessName: z.string(), slug: z.string(), industry: z.enum(industrySlugs) })
    .optional(),
  challenges: z
    .array(challengeSchema)
    .optional()
    .describe('every check that did not pass or could not be made, with what was seen'),
})

/** GET /api/insights/scan/{scanId}/comprehensive (4.5). */
export function comprehensiveEndpoint(scans: Scans): Endpoint {
  return endpointWith({
    id: 'getComprehensiveScan',
    method: 'GET',
    path: '/api/insights/scan/{scanId}/comprehensive',
    params: scanParams,
    query: noQuery,
    body: noBody,
    response: comprehensiveSchema,
    async handle({ params }, context) {
      const row = await namedScan(scans, params, context)
      const { analysis } = row
      if (!analysis) return json(200, describeResults(row), unshared)
      const playbook = await lookUp(findPlaybook(scans, row.id))
      const { companyName, industry, challenges, report } = analysis
      const whole: z.infer<typeof comprehensiveSchema> = {
        ...describeResults(row),
        ...(playbook && {
          playbook: {
            id: playbook.id,
            status: playbook.status,
            skillCount: playbook.content?.skillCount ?? 0,
            topPrioritySkills: [...(playbook.content?.topPrioritySkills ?? [])],
          },
        }),
        aeoBoost: { aeoScore: report.aeoScore, companyName, industry },
        directoryListing: { businessName: companyName, slug: slugOf(row.domain), industry },
        challenges: [...challenges],
      }
      return json(200, whole, unshared)
    },
  })
}

/** A site has one listing, so its domain names it: two businesses of one name stay apart. */
function slugOf(domain: string): string {
  return domain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

const listSchema = z.object({
  scans: z.array(scanSummarySchema.extend({ results: scanResultsSchema.shape.results })),
  total: z.int(),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
})

const flag = z.enum(['true', 'false']).transform((word) => word === 'true')

/** GET /api/insights/scans (4.6). */
export function listEndpoint(scans: Scans): Endpoint {
  return endpointWith({
    id: 'listScans',
    method: 'GET',
    path: '/api/insights/scans',
    params: noParams,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      status: scanStatus.optional(),
      // The store takes no NUL, and no domain has a control character.
      domain: z
        .string()
        .trim()
        .regex(/^[^\p{Cc}]{1,253}$/u, 'must be 1 to 253 characters of a domain')
        .optional()
        .describe('part of the domain'),
      cursor: z.string().max(500).optional().describe('nextCursor of the page before'),
      include_results: flag.default(false),
    }),
    body: noBody,
    response: listSchema,
    async handle({ query }, { holder }) {
      const viewer = holder?.subject
      const { include_results: hasAnalysis, ...filter } = query
      const { rows, total, nextCursor } = await lookUp(listScans(scans, { ...filter, viewer, hasAnalysis }))
      const page: z.infer<typeof listSchema> = {
        scans: rows.map((row) => ({
          ...describeScan(row, viewer),
          ...(hasAnalysis ? { results: describeResults(row).results } : {}),
        })),
        total,
        hasMore: nextCursor !== null,
        nextCursor,
      }
      return json(200, page, unshared)
    },
  })
}

/** While it is generating there is neither roadmap nor skill. */
const playbookSchema = contentSchema.partial().extend({
  id: z.string(),
  scanId: z.uuid(),
  status: playbookStatus,
  skillCount: z.int(),
  topPrioritySkills: z.array(z.string()),
})

/** GET /api/insights/playbook/{scanId} (4.7). */
export function playbookEndpoint(scans: Scans): Endpoint {
  return endpointWith({
    id: 'getPlaybook',
    method: 'GET',
    path: '/api/insights/playbook/{scanId}',
    params: scanParams,
    query: z.object({ include_skills: flag.default(true) }),
    body: noBody,
    response: playbookSchema,
    async handle({ params, query }, context) {
      const row = await namedScan(scans, params, context)
      if (row.status === 'error') throw new GatewayError('PLAYBOOK_NOT_FOUND', { field: 'scanId' })
      const playbook = row.status === 'complete' ? await lookUp(findPlaybook(scans, row.id)) : undefined
      if (!playbook)
        throw new GatewayError('SCAN_NOT_COMPLETE', { status: row.status, progress: row.progress })
      const { id, status, content } = playbook
      const { skills, ...told } = content ?? { skillCount: 0, topPrioritySkills: [] }
      const answer: z.infer<typeof playbookSchema> = {
        id,
        scanId: row.id,
        status,
        ...told,
        ...(query.include_skills && { skills: skills ?? [] }),
      }
      return json(200, answer, unshared)
    },
  })
}
