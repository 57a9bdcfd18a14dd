import { z } from 'zod'
import type { Refusals, TextEngine } from '../engine.ts'
import { analysisParts, blogParts, rephrasedParts, researchParts } from '../parts.ts'
import { oneLine, presentText } from '../plain-text.ts'
import { renderAnalysis, renderBlog, renderResearch } from '../render.ts'
import { type SiteReading, siteNote } from '../site.ts'
import { declined, findUnprintable } from '../unprintable.ts'
import { type Ask, createAsk, type ModelOptions } from './ask.ts'
import { findAnalysisFault, findBlogFault, findResearchFault } from './faults.ts'
import { languageOf } from './languages.ts'
import { analysisPrompt, blogPrompt, type Prompt, rephrasePrompt, researchPrompt } from './prompts.ts'

/**
 * Creates the engine that has a language model fill the parts and renders them like the local engine. The model gets
 * the caller's fields and what was read of the website: no address of the caller, no payment, no identity.
 * @throws GatewayError TEXT_ENGINE_FAILED from every method when no usable reply came within the budget of requests;
 *   TEXT_DECLINED for what no serious publisher prints; the reason of the signal when the caller or a deadline aborted.
 */
export function createOpenAiEngine(options: ModelOptions): TextEngine {
  const ask: Ask = createAsk(options)

  async function write<Parts>(
    name: string,
    shape: z.ZodType<Parts>,
    prompt: Prompt,
    findFault: (parts: Parts) => string | undefined,
    signal: AbortSignal,
  ): Promise<Parts> {
    const { reason, text } = await ask(
      {
        name,
        shape: declinable(shape),
        prompt,
        findFault: (reply) => {
          if (presentText(reply.reason ?? '') !== undefined) return undefined
          return reply.text === null
            ? 'It had neither a text nor a reason to decline.'
            : findFault(reply.text)
        },
      },
      signal,
    )
    const why = presentText(reason ?? '', 200)
    if (why !== undefined || text === null) throw declined(why ?? 'a text that is not written')
    return text
  }

  return {
    id: options.model,
    refusals,

    async analyze(request, signal) {
      throwRefusal(refusals.analysis(request))
      const language = languageOf(request.question, request.industry)
      const parts = await write(
        'analysis',
        analysisParts,
        analysisPrompt(request, language),
        (answer) => findAnalysisFault(answer, request, language),
        signal,
      )
      return renderAnalysis(request, withNote(parts, request))
    },

    async research(request, signal) {
      throwRefusal(refusals.research(request))
      const language = languageOf(request.targetRole, request.industry)
      const parts = await write(
        'lead_research',
        researchParts,
        researchPrompt(request, language),
        (answer) => findResearchFault(answer, request, language),
        signal,
      )
      return renderResearch(request, withNote(parts, request))
    },

    async blog(request, signal) {
      throwRefusal(refusals.blog(request))
      const language = languageOf(request.topic, request.targetKeyword)
      const parts = await write(
        'article',
        blogParts,
        blogPrompt(request, language),
        (answer) => findBlogFault(answer, request, language),
        signal,
      )
      return renderBlog(parts)
    },

    async rephrase(text, signal) {
      const parts = await ask(
        {
          name: 'rephrased',
          shape: rephrasedParts,
          prompt: rephrasePrompt(text),
          findFault: () => undefined,
        },
        signal,
      )
      return oneLine(parts.text)
    },
  }
}

/** What the fixed rules refuse. A model knows every subject, and declines the rest by itself. */
const refusals: Refusals = {
  analysis: ({ businessName, industry, question }) => findUnprintable(businessName, industry, question),
  research: ({ companyName, industry, targetRole }) => findUnprintable(companyName, industry, targetRole),
  blog: ({ topic, targetKeyword, industry, tone }) => findUnprintable(topic, targetKeyword, industry, tone),
}

function throwRefusal(refusal: Error | undefined): void {
  if (refusal) throw refusal
}

interface Declinable<Parts> {
  readonly reason: string | null
  readonly text: Parts | null
}

/** Gives the model a way to decline: without it, a model that must not write fills the fields with excuses. */
function declinable<Parts>(shape: z.ZodType<Parts>): z.ZodType<Declinable<Parts>> {
  return z.object({
    reason: z
      .string()
      .nullable()
      .describe(
        'null, or why no serious publisher would print this text, as the end of the sentence "This is a request for …". Then text is null.',
      ),
    text: shape.nullable(),
  })
}

function withNote<Parts extends { readonly assumptions: readonly string[] }>(
  parts: Parts,
  { website, site }: { readonly website?: string | undefined; readonly site?: SiteReading | undefined },
): Parts {
  return { ...parts, assumptions: [...parts.assumptions, siteNote(website, site)] }
}
