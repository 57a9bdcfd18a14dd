import { z } from 'zod'
import { industrySlugs } from './knowledge/industry.ts'

/**
 * The content of the products before any markdown. Both engines fill these shapes and the same functions render them,
 * so both sell the same form. They are also the structured output asked of a model: a strict JSON schema has no
 * optional fields, so absent content is an empty list. All strings are plain text.
 */

const text = z.string().refine((value) => value.trim() !== '', { error: 'must not be blank' })
const level = z.enum(['high', 'medium', 'low'])
const hours = z.int().min(0).max(2000)

const opportunityParts = z
  .object({
    title: text,
    description: text.describe('What it is, in one or two sentences.'),
    currentState: text.describe('How the work is usually done today.'),
    potentialState: text.describe('How it runs once the routine part is automated.'),
    hoursMin: hours.describe('Hours saved per month, cautious estimate.'),
    hoursMax: hours.describe('Hours saved per month, optimistic estimate.'),
    volume: z
      .object({
        count: z.int().min(1).max(100_000).describe('How many cases there are.'),
        unit: text.describe('What is counted, in the plural: "invoices".'),
        per: z.enum(['day', 'week', 'month']),
        minutes: z.number().min(0.1).max(2_400).describe('The minutes that one case takes today.'),
        removedFrom: z.int().min(1).max(99).describe('Percent of that work that falls away, cautious.'),
        removedTo: z.int().min(1).max(99).describe('Percent of that work that falls away, optimistic.'),
      })
      .describe('What the hours are computed from; a month has 21 days or 4.33 weeks.'),
    impact: level,
    effort: level,
    approach: z.array(text).min(1).max(5).describe('Building blocks, a short noun phrase each.'),
    tools: z.array(text).min(1).max(5).describe('Names of real products.'),
    seen: z
      .string()
      .describe(
        'What the website says about this work, as a quotation in “…”. Empty when there is no site or it says nothing.',
      ),
    caution: text.describe('What must stay with a person or what goes wrong when done carelessly.'),
  })
  .refine((opportunity) => opportunity.hoursMin <= opportunity.hoursMax, {
    error: 'hoursMin must not exceed hoursMax',
  })

export const analysisParts = z.object({
  industry: z.enum(industrySlugs).describe('The industry the analysis was written for.'),
  summary: text.describe('Two to four sentences on where the hours are.'),
  answer: z
    .array(text)
    .max(5)
    .describe('Paragraphs that answer the question; an empty list when no question was asked.'),
  opportunities: z.array(opportunityParts).length(3).describe('The best three, best first.'),
  quickWin: z.object({
    title: text,
    why: text,
    steps: z.array(text).min(2).max(7).describe('Imperative sentences, doable within a week.'),
  }),
  assumptions: z.array(text).min(1).max(6).describe('What was assumed because it was not known.'),
})

export const researchParts = z.object({
  overview: z.array(text).min(1).max(4).describe('Paragraphs.'),
  painPoints: z
    .array(
      z.object({
        title: text,
        detail: text.describe('Why it hurts, in one to three sentences.'),
        check: text.describe('Where an outsider can see whether this company has it.'),
      }),
    )
    .min(3)
    .max(5),
  outreach: z.object({
    role: text.describe('The person the angle is written for.'),
    angle: z
      .array(text)
      .min(1)
      .max(4)
      .describe('Paragraphs: what this person cares about and how to approach.'),
    objection: text.describe('The objection to expect.'),
    message: z.array(text).min(2).max(5).describe('A short first message, as paragraphs.'),
  }),
  starters: z.array(text).min(4).max(7).describe('Open questions for a first conversation.'),
  assumptions: z.array(text).min(1).max(5).describe('What this rests on and what was not verified.'),
})

export const blogParts = z.object({
  title: text,
  introduction: z.array(text).min(1).max(3).describe('Paragraphs.'),
  sections: z
    .array(
      z.object({
        heading: text,
        paragraphs: z.array(text).min(1).max(5),
        steps: z.array(text).max(8).describe('A numbered list after the paragraphs, or an empty list.'),
        after: z.array(text).max(2).describe('Paragraphs after the list, or an empty list.'),
      }),
    )
    .min(4)
    .max(8),
  faq: z
    .array(z.object({ question: text.describe('Ends with a question mark.'), answer: text }))
    .min(3)
    .max(6),
})

export const rephrasedParts = z.object({
  text: text.describe('The whole text in other words, one paragraph.'),
})

export type AnalysisParts = z.infer<typeof analysisParts>
export type OpportunityParts = z.infer<typeof opportunityParts>
export type ResearchParts = z.infer<typeof researchParts>
export type BlogParts = z.infer<typeof blogParts>
