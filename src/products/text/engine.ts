import type { GatewayError } from '../../core/errors.ts'
import type { SiteReading } from './site.ts'

/**
 * Writes the texts of the three paid endpoints and of scan reports. The endpoints know only this interface, so a
 * gateway without a model key sells the same products in the same form as one with a model.
 */
export interface TextEngine {
  /** Sent to callers in the X-Text-Engine header: "local" or the name of the model. */
  readonly id: string
  /** Says by the request alone whether it would be refused, so that no payment is claimed for it. */
  readonly refusals: Refusals
  /** Writes markdown about the three best automation opportunities of a business. */
  analyze(request: AnalysisRequest, signal: AbortSignal): Promise<Analysis>
  /** Writes markdown that prepares a first conversation with a company. */
  research(request: ResearchRequest, signal: AbortSignal): Promise<Research>
  /** Writes an article of 800 to 1,200 words, counted by `countWords`. */
  blog(request: BlogRequest, signal: AbortSignal): Promise<Blog>
  /** Rewords a text as one paragraph. The result is not verified: the caller must check that no fact has changed. */
  rephrase(text: string, signal: AbortSignal): Promise<string>
}

/**
 * TEXT_DECLINED for what no serious publisher prints, TEXT_NOT_KNOWN for what the engine cannot write well, undefined
 * for what it takes. A request with a website that is not read yet gets the benefit of the doubt: the engine's method
 * throws the same errors once it has the site.
 */
export interface Refusals {
  readonly analysis: (request: AnalysisRequest) => GatewayError | undefined
  readonly research: (request: ResearchRequest) => GatewayError | undefined
  readonly blog: (request: BlogRequest) => GatewayError | undefined
}

export interface AnalysisRequest {
  readonly businessName: string
  readonly industry?: string | undefined
  readonly website?: string | undefined
  readonly question?: string | undefined
  /** What was read of the website. */
  readonly site?: SiteReading | undefined
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
  /** What was read of the website. */
  readonly site?: SiteReading | undefined
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
