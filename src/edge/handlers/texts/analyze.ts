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
  businessName: companyName
    .describe('Name of the business to analyse')
    .meta({ examples: ['Bright Smile Dental'] }),
  industry: industry.optional().describe('Industry, in your own words or one of the directory’s values'),
  website: website.optional().describe('Website of the business: a domain or an http(s) address'),
  question: z.string().trim().min(1).max(1000).optional().describe('What you want to know in particular'),
})

const response = z.object({
  success: z.literal(true),
  analysis: z.object({
    businessName: z.string().describe('as you sent it'),
    industry: z.string().describe('as you sent it, or as the text and the website tell it'),
    insights: z.string().describe('markdown'),
    generatedAt: z.iso.datetime().describe('ISO 8601'),
  }),
})

/** POST /api/analyze (specification 4.15). */
export const analyzeRows = {
  analyzeBusiness: {
    ...noInput,
    method: 'POST',
    path: '/api/analyze',
    body: request,
    response,
    docs: {
      summary: 'Analyze a business',
      details: `Name the business; industry, website and a question make the analysis more particular. ${engineNote}`,
      tag: 'texts',
      errors: ['TEXT_NOT_KNOWN', 'TEXT_DECLINED', 'TEXT_ENGINE_FAILED'],
      example: {
        body: { businessName: 'Bright Smile Dental', industry: 'healthcare', website: 'example.com' },
        reply: {
          success: true,
          analysis: {
            businessName: 'Bright Smile Dental',
            industry: 'healthcare',
            insights: '## Three automation opportunities\n\n1. **Appointment reminders** …',
            generatedAt: '2026-05-01T12:00:00.000Z',
          },
        },
      },
    },
  },
} satisfies EndpointRows

export function analyzeHandlers({ text, readSite, clock }: BusinessTextParts): Handlers<typeof analyzeRows> {
  return {
    analyzeBusiness: {
      check: (body) => text.refusals.analysis(body),
      async handle({ body }, { holder, signal }) {
        const site = await readSite(body.website, holder?.subject, signal)
        const { industry, insights } = await text.analyze({ ...body, site }, signal)
        const analysis = {
          businessName: body.businessName,
          industry,
          insights,
          generatedAt: new Date(clock.now()).toISOString(),
        }
        return json(
          200,
          { success: true, analysis } satisfies z.infer<typeof response>,
          textEngineHeader(text),
        )
      },
    },
  }
}
