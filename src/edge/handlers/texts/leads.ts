import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import {
  type BusinessTextParts,
  companyName,
  engineNote,
  industry,
  textEngineHeader,
  website,
} from './fields.ts'

const request = z.strictObject({
  companyName: companyName
    .describe('Name of the company to research')
    .meta({ examples: ['Northwind Logistics'] }),
  website: website.optional().describe('Website of the company: a domain or an http(s) address'),
  industry: industry.optional().describe('Industry, in your own words or one of the directory’s values'),
  targetRole: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Whom you want to reach, such as "head of operations"'),
})

const response = z.object({
  success: z.literal(true),
  lead: z.object({
    company: z.string().describe('as you sent it'),
    research: z.string().describe('markdown'),
    researchedAt: z.iso.datetime().describe('ISO 8601'),
  }),
})

/** POST /api/leads/research (specification 4.15). */
export const leadRows = {
  researchLead: {
    ...noInput,
    method: 'POST',
    path: '/api/leads/research',
    body: request,
    response,
    docs: {
      summary: 'Research a lead',
      details: `Name the company; website, industry and the role you want to reach make the research more particular. ${engineNote}`,
      tag: 'texts',
      errors: ['TEXT_NOT_KNOWN', 'TEXT_DECLINED', 'TEXT_ENGINE_FAILED'],
      example: {
        body: {
          companyName: 'Northwind Logistics',
          website: 'example.com',
          targetRole: 'head of operations',
        },
        reply: {
          success: true,
          lead: {
            company: 'Northwind Logistics',
            research: '## Who they are\n\nNorthwind Logistics moves goods …',
            researchedAt: '2026-05-01T12:00:00.000Z',
          },
        },
      },
    },
  },
} satisfies EndpointRows

export function leadHandlers({ text, readSite, clock }: BusinessTextParts): Handlers<typeof leadRows> {
  return {
    researchLead: {
      check: (body) => text.refusals.research(body),
      async handle({ body }, { holder, signal }) {
        const site = await readSite(body.website, holder?.subject, signal)
        const { research } = await text.research({ ...body, site }, signal)
        const lead = {
          company: body.companyName,
          research,
          researchedAt: new Date(clock.now()).toISOString(),
        }
        return json(200, { success: true, lead } satisfies z.infer<typeof response>, textEngineHeader(text))
      },
    },
  }
}
