import { z } from 'zod'
import type { Clock } from '../../../core/clock.ts'
import type { TextEngine } from '../../../products/text/engine.ts'
import type { ReadSite } from '../../../products/text/site.ts'

/** What writes a text about a business. */
export interface BusinessTextParts {
  readonly text: TextEngine
  readonly readSite: ReadSite
  readonly clock: Clock
}

/** Request fields that more than one paid endpoint takes, with the lengths the specification leaves open. */
export const companyName = z.string().trim().min(1).max(200)

export const industry = z.string().trim().min(1).max(100)

const domain = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

export const website = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .refine((text) => domain.test(text) || isHttpAddress(text), {
    error: 'must be a domain like example.com or an http(s) address',
  })

function isHttpAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
}

/** Stands where the endpoint is described. Callers would otherwise learn it only from a 422. */
export const engineNote =
  'The built-in engine (X-Text-Engine: local) writes in English on work that its knowledge covers; it refuses anything else with 422 and charges nothing.'

/** Names the writer of the text to the caller: `local`, or the model's name. */
export function textEngineHeader(engine: TextEngine): Record<string, string> {
  return { 'x-text-engine': engine.id }
}
