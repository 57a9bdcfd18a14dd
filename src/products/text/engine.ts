/**
 * What the three paid text endpoints and the report of a scan ask of whoever writes the text. They know
 * only this, so a gateway without a model key sells the same products in the same form as one with a
 * model behind it.
 */
export interface TextEngine {
  /** Named to callers in the X-Text-Engine reply header: "local" or the model's name. */
  readonly id: string
  /** Markdown on the three best automation opportunities, with the industry it was written for. */
  analyze(request: AnalysisRequest, signal: AbortSignal): Promise<Analysis>
  /** Markdown that prepares a first conversation with a company. */
  research(request: ResearchRequest, signal: AbortSignal): Promise<Research>
  /** An article of 800 to 1,200 words, counted by `countWords`. */
  blog(request: BlogRequest, signal: AbortSignal): Promise<Blog>
  /** The same statements in one paragraph that reads better. Whoever asks checks that they are the same. */
  rephrase(text: string, signal: AbortSignal): Promise<string>
}

export interface AnalysisRequest {
  readonly businessName: string
  readonly industry?: string | undefined
  readonly website?: string | undefined
  readonly question?: string | undefined
}

export interface Analysis {
  /** What the caller sent if it was not blank, otherwise the slug of the industry that was inferred. */
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
