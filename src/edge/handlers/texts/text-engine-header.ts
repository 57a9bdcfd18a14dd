import type { TextEngine } from '../../../products/text/engine.ts'

/** Tells the caller who wrote the text: "local", or the model's name. */
export function textEngineHeader(engine: TextEngine): Record<string, string> {
  return { 'x-text-engine': engine.id }
}
