import { estimateTokenCount } from 'tokenx'

/**
 * Estimates the tokens of a text for calls whose upstream reports no usage. The estimate fits one tokenizer
 * and English text. Characters beyond the limit count in proportion: estimating one long prompt in full would
 * block the process for everyone else.
 */
export function estimateTokens(text: string): number {
  if (text.length <= maxCharacters) return estimateTokenCount(text)
  return Math.ceil((estimateTokenCount(text.slice(0, maxCharacters)) * text.length) / maxCharacters)
}

const maxCharacters = 200_000

/**
 * Estimates the tokens of a text that comes in pieces, often parts of words. It joins the pieces to blocks
 * before it counts, and keeps one block.
 */
export class StreamedEstimate {
  #counted = 0
  #pieces: string[] = []
  #length = 0

  add(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length < blockCharacters) return
    this.#counted += estimateTokens(this.#pieces.join(''))
    this.#pieces = []
    this.#length = 0
  }

  total(): number {
    return this.#counted + estimateTokens(this.#pieces.join(''))
  }
}

const blockCharacters = 65_536
