import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json, type Reply, text } from '../../../core/reply.ts'
import { findListingOf } from '../../../products/directory/find-listings.ts'
import { challengeSchema } from '../../../products/scan/findings/results.ts'
import { findPlaybook } from '../../../products/scan/scans/playbooks.ts'
import type { Scan } from '../../../products/scan/scans/scan-rows.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { industrySlugs } from '../../../products/text/knowledge/industry.ts'
import { prefersHtml } from '../service/prefers-html.ts'
import { playbookStatus, scanResultsSchema } from './replies.ts'
import {
  describeResults,
  exampleScanId,
  namedScan,
  orScansUnavailable,
  privateNoStore,
  scanParams,
} from './view.ts'

/** The result of one scan: the report alone (specification 4.4), or with all that was made of it (4.5). */

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
    .object({ businessName: z.string(), slug: z.string(), industry: z.string() })
    .optional()
    .describe('there while the site is listed in the directory'),
  challenges: z
    .array(challengeSchema)
    .optional()
    .describe('every check that did not pass or could not be made, with what was seen'),
})

const exampleScan = {
  id: exampleScanId,
  domain: 'example.com',
  url: 'https://example.com/',
  depth: 'basic',
  status: 'complete',
  createdAt: 1_777_636_800,
  completedAt: 1_777_636_920,
} as const

const exampleResults = {
  scan: exampleScan,
  results: {
    scanId: exampleScanId,
    domain: 'example.com',
    coverage: 92,
    readinessScore: 62,
    aeoScore: 71,
    readinessBreakdown: [{ category: 'Contact', score: 80, explanation: 'A form and a phone number.' }],
    aeoBreakdown: [{ category: 'Structured data', score: 55, explanation: 'No FAQ markup on /faq.' }],
    executiveSummary: 'The site answers most questions of its visitors, and few of them by machine.',
    keyFindings: ['Appointments are made by phone only.'],
    totalTimeSavingsPotential: '20 to 30 hours a month',
    workflows: [],
    opportunities: [],
  },
}

export const resultsRows = {
  getScanResults: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/scan/{scanId}/results',
    params: scanParams,
    response: scanResultsSchema,
    docs: {
      summary: 'Read the results of a scan',
      details:
        'Call it once the status is complete: until then there is no results field. Over HTTP, a caller that prefers text/html gets them as a page for people, which says how far the scan is while it runs. A scan that failed has `errorMessage`.',
      tag: 'scans',
      mediaTypes: ['application/json', 'text/html'],
      errors: ['SCAN_NOT_FOUND', 'SCANS_UNAVAILABLE'],
      example: { params: { scanId: exampleScanId }, reply: exampleResults },
    },
  },
  getComprehensiveScan: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/scan/{scanId}/comprehensive',
    params: scanParams,
    response: comprehensiveSchema,
    docs: {
      summary: 'Read everything about a scan',
      details: 'One call instead of results, playbook and listing.',
      tag: 'scans',
      errors: ['SCAN_NOT_FOUND', 'SCANS_UNAVAILABLE'],
      example: {
        params: { scanId: exampleScanId },
        reply: {
          ...exampleResults,
          aeoBoost: { aeoScore: 71, companyName: 'Example', industry: 'technology' },
          directoryListing: { businessName: 'Example', slug: 'example-com', industry: 'technology' },
          challenges: [],
        },
      },
    },
  },
} satisfies EndpointRows

export function resultsHandlers(scans: Scans): Handlers<typeof resultsRows> {
  return {
    async getScanResults({ params }, context) {
      const row = await namedScan(scans, params, context)
      return prefersHtml(context.headers.accept) ? await asPage(row) : json(200, describeResults(row), varied)
    },

    async getComprehensiveScan({ params }, context) {
      const row = await namedScan(scans, params, context)
      const { analysis } = row
      if (!analysis) return json(200, describeResults(row), privateNoStore)
      const [playbook, listing] = await orScansUnavailable(
        Promise.all([findPlaybook(scans, row.id), findListingOf(scans, row.domain)]),
      )
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
        ...(listing && {
          directoryListing: {
            businessName: listing.businessName,
            slug: listing.slug,
            industry: listing.industry,
          },
        }),
        challenges: [...challenges],
      }
      return json(200, whole, privateNoStore)
    },
  }
}

/** The same address serves programs and people: the e-mail of a scan leads people here. */
const varied = { ...privateNoStore, vary: 'Accept' }

async function asPage(scan: Scan): Promise<Reply> {
  // Most gateways show none for a long time, and a start would load a hundred modules for it.
  const { reportPage, unfinishedPage } = await import('../../../products/scan/report/report-page.ts')
  const { domain, status, progress, errorMessage, analysis } = scan
  const { html, csp } = analysis
    ? reportPage(scan, analysis)
    : unfinishedPage(domain, progress, status === 'error' ? (errorMessage ?? 'The scan has failed.') : null)
  return text(200, 'text/html; charset=utf-8', html, {
    ...varied,
    'content-security-policy': csp,
    // Its address is all that is needed to read a scan without a key.
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
}
