import { countWords, wordLimits } from '../count-words.ts'
import type { TextEngine } from '../engine.ts'
import { analysisParts, type BlogParts, blogParts, rephrasedParts, researchParts } from '../parts.ts'
import { oneLine, presentText } from '../plain-text.ts'
import { renderAnalysis, renderBlog, renderResearch } from '../render.ts'
import { siteNote } from '../site-note.ts'
import { type Ask, createAsk, type ModelOptions } from './ask.ts'
import { analysisPrompt, blogPrompt, rephrasePrompt, researchPrompt } from './prompts.ts'

/**
 * Has a language model fill the parts and renders them like the local engine does. The model is told
 * the caller's fields and nothing else: no address, no payment, no identity. It writes no log.
 * Every method throws GatewayError TEXT_ENGINE_FAILED when no usable answer came within the budget of
 * requests, and the signal's reason when the caller or a deadline aborted.
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
          fault: ({ answer }) =>
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
          fault: () => undefined,
        },
        signal,
      )
      return renderResearch(request, withNote(parts, request.website))
    },

    async blog(request, signal) {
      const parts = await ask(
        { name: 'article', shape: blogParts, prompt: blogPrompt(request), fault: wrongLength },
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
          fault: () => undefined,
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

function wrongLength(parts: BlogParts): string | undefined {
  const words = countWords(renderBlog(parts).content)
  return words < wordLimits.least || words > wordLimits.most
    ? `The article had ${words} words; it needs ${wordLimits.least} to ${wordLimits.most}.`
    : undefined
}
