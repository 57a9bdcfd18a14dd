import { z } from 'zod'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { type BusinessTextParts, companyName, industry, textEngineHeader, website } from './fields.ts'

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
    businessName: z.string(),
    industry: z.string(),
    insights: z.string().describe('markdown'),
    generatedAt: z.iso.datetime(),
  }),
})

/** POST /api/analyze (specification 4.15). */
export const analyzeRows = {
  analyzeBusiness: { ...noInput, method: 'POST', path: '/api/analyze', body: request, response },
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
