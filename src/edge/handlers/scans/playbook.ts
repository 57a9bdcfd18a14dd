import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { GatewayError } from '../../../core/errors.ts'
import { flag } from '../../../core/input/query-fields.ts'
import { json } from '../../../core/reply.ts'
import { playbookSchema as contentSchema } from '../../../products/scan/playbook/playbook-content.ts'
import { findPlaybook } from '../../../products/scan/scans/playbooks.ts'
import type { Scans } from '../../../products/scan/scans/scans.ts'
import { playbookStatus } from './replies.ts'
import { exampleScanId, namedScan, orScansUnavailable, privateNoStore, scanParams } from './view.ts'

/** A playbook that is still generated has neither roadmap nor skills. */
const playbookSchema = contentSchema.partial().extend({
  id: z.string(),
  scanId: z.uuid(),
  status: playbookStatus,
  skillCount: z.int(),
  topPrioritySkills: z.array(z.string()),
})

/** GET /api/insights/playbook/{scanId} (specification 4.7). */
export const playbookRows = {
  getPlaybook: {
    ...noInput,
    isPrivate: true,
    method: 'GET',
    path: '/api/insights/playbook/{scanId}',
    params: scanParams,
    query: z.strictObject({ include_skills: flag.default(true).describe('whether the skills come along') }),
    response: playbookSchema,
    docs: {
      summary: 'Read the playbook of a scan',
      details:
        'The scan must be complete. While status is generating, there is neither a roadmap nor skills: ask again in a moment.',
      tag: 'scans',
      errors: ['SCAN_NOT_FOUND', 'PLAYBOOK_NOT_FOUND', 'SCAN_NOT_COMPLETE', 'SCANS_UNAVAILABLE'],
      example: {
        params: { scanId: exampleScanId },
        reply: {
          id: '0b7d9f7c-3f0a-4d58-9a52-6f8d2f1c7e11',
          scanId: exampleScanId,
          status: 'generating',
          skillCount: 0,
          topPrioritySkills: [],
        },
      },
    },
  },
} satisfies EndpointRows

export function playbookHandlers(scans: Scans): Handlers<typeof playbookRows> {
  return {
    async getPlaybook({ params, query }, context) {
      const row = await namedScan(scans, params, context)
      if (row.status === 'error') throw new GatewayError('PLAYBOOK_NOT_FOUND', { field: 'scanId' })
      const playbook =
        row.status === 'complete' ? await orScansUnavailable(findPlaybook(scans, row.id)) : undefined
      if (!playbook)
        throw new GatewayError('SCAN_NOT_COMPLETE', { status: row.status, progress: row.progress })
      const { id, status, content } = playbook
      const { skills, ...described } = content ?? { skillCount: 0, topPrioritySkills: [] }
      const shown: z.infer<typeof playbookSchema> = {
        id,
        scanId: row.id,
        status,
        ...described,
        ...(query.include_skills && { skills: skills ?? [] }),
      }
      return json(200, shown, privateNoStore)
    },
  }
}
