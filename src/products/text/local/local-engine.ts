import type { TextEngine } from '../engine.ts'
import { renderAnalysis, renderBlog, renderResearch } from '../render.ts'
import { composeAnalysis } from './analysis.ts'
import { composeArticle } from './article.ts'
import { refusals } from './refusals.ts'
import { composeResearch } from './research.ts'

/**
 * Creates the engine that writes all products from the knowledge base, without network, clock or chance: the same
 * request gives the same bytes. With it a gateway without a model key can sell, and tests can compare whole replies.
 */
export function createLocalEngine(): TextEngine {
  return {
    id: 'local',
    refusals,

    async analyze(request, signal) {
      signal.throwIfAborted()
      return renderAnalysis(request, composeAnalysis(request))
    },

    async research(request, signal) {
      signal.throwIfAborted()
      return renderResearch(request, composeResearch(request))
    },

    async blog(request, signal) {
      signal.throwIfAborted()
      return renderBlog(composeArticle(request))
    },

    async rephrase(text, signal) {
      signal.throwIfAborted()
      return text
    },
  }
}
