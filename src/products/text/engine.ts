/**
 * Writes the texts of the three paid endpoints and of scan reports. The endpoints know only this interface, so a
 * gateway without a model key sells the same products in the same form as one with a model.
 */
export interface TextEngine {
  /** Sent to callers in the X-Text-Engine header: "local" or the name of the model. */
  readonly id: string
  /** Writes markdown about the three best automation opportunities of a business. */
  analyze(request: AnalysisRequest, signal: AbortSignal): Promise<Analysis>
  /** Writes markdown that prepares a first conversation with a company. */
  research(request: ResearchRequest, signal: AbortSignal): Promise<Research>
  /** Writes an article of 800 to 1,200 words, counted by `countWords`. */
  blog(request: BlogRequest, signal: AbortSignal): Promise<Blog>
  /** Rewords a text as one paragraph. The result is not verified: the caller must check that no fact has changed. */
  rephrase(text: string, signal: AbortSignal): Promise<string>
}

export interface AnalysisRequest {
  readonly businessName: string
  readonly industry?: string | undefined
  readonly website?: string | undefined
  readonly question?: string | undefined
}

export interface Analysis {
  /** The industry that the caller named, or the slug of the inferred one when the field was blank. */
  readonly industry: string
  /** Markdown. */
  readonly insights: string
}

export interface ResearchRequest {
  readonly companyName: string
  readonly website?: string | undefined
  readonly industry?: string | undefined
  readonly targetRole?: string | undefined
}

export interface Research {
  /** Markdown. */
  readonly research: string
}

export interface BlogRequest {
  readonly topic: string
  readonly targetKeyword?: string | undefined
  readonly industry?: string | undefined
  readonly tone?: string | undefined
}

export interface Blog {
  /** Plain text, without markdown escapes. */
  readonly title: string
  /** Markdown whose only first-level heading is the title. */
  readonly content: string
}
