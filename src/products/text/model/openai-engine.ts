import { countWords, wordLimits } from '../count-words.ts'
import type { TextEngine } from '../engine.ts'
import { analysisParts, type BlogParts, blogParts, rephrasedParts, researchParts } from '../parts.ts'
import { oneLine, presentText } from '../plain-text.ts'
import { renderAnalysis, renderBlog, renderResearch } from '../render.ts'
import { siteNote } from '../site-note.ts'
import { type Ask, createAsk, type ModelOptions } from './ask.ts'
import { analysisPrompt, blogPrompt, rephrasePrompt, researchPrompt } from './prompts.ts'

/**
 * Creates the engine that has a language model fill the parts and renders them like the local engine. The model gets
 * the caller's fields and nothing else: no address, no payment, no identity.
 * @throws GatewayError TEXT_ENGINE_FAILED from every method when no usable reply came within the budget of requests;
 *   the reason of the signal when the caller or a deadline aborted.
 */
export function createOpenAiEngine(options: ModelOptions): TextEngine {
  const ask: Ask = createAsk(options)
  return {
    id: options.model,

    async analyze(request, signal) {
      const asked = presentText(request.question) !== undefined
      const parts = await ask(
        {
          name: 'analysis',
          shape: analysisParts,
          prompt: analysisPrompt(request),
          findFault: ({ answer }) =>
            asked && answer.length === 0 ? 'The question was not answered.' : undefined,
        },
        signal,
      )
      return renderAnalysis(request, withNote(parts, request.website))
    },

    async research(request, signal) {
      const parts = await ask(
        {
          name: 'lead_research',
          shape: researchParts,
          prompt: researchPrompt(request),
          findFault: () => undefined,
        },
        signal,
      )
      return renderResearch(request, withNote(parts, request.website))
    },

    async blog(request, signal) {
      const parts = await ask(
        { name: 'article', shape: blogParts, prompt: blogPrompt(request), findFault: findLengthFault },
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

function withNote<Parts extends { readonly assumptions: readonly string[] }>(
  parts: Parts,
  website: string | undefined,
): Parts {
  return { ...parts, assumptions: [...parts.assumptions, siteNote(website)] }
}

function findLengthFault(parts: BlogParts): string | undefined {
  const words = countWords(renderBlog(parts).content)
  return words < wordLimits.min || words > wordLimits.max
    ? `The article had ${words} words; it needs ${wordLimits.min} to ${wordLimits.max}.`
    : undefined
}
