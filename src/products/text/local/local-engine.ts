import type { TextEngine } from '../engine.ts'
import { renderAnalysis, renderBlog, renderResearch } from '../render.ts'
import { analysis } from './analysis.ts'
import { article } from './article.ts'
import { research } from './research.ts'

/**
 * Writes all three products from the knowledge base, without a network, a clock or chance: the same
 * request gives the same bytes. It keeps a gateway without a model key able to sell something real,
 * and tests able to compare whole replies.
 */
export function createLocalEngine(): TextEngine {
  return {
    id: 'local',

    async analyze(request, signal) {
      signal.throwIfAborted()
      return renderAnalysis(request, analysis(request))
    },

    async research(request, signal) {
      signal.throwIfAborted()
      return renderResearch(request, research(request))
    },

    async blog(request, signal) {
      signal.throwIfAborted()
      return renderBlog(article(request))
    },

    async rephrase(text, signal) {
      signal.throwIfAborted()
      return text
    },
  }
}
