import type { Block } from '../../../findings/results.ts'

/**
 * The questions for the sentence that says what a business is and where. Several blocks have it, each in lines of its own,
 * and the owner writes it once.
 */
export const sayingAsks = {
  markup:
    'what you are and where, in one sentence, if the line “description” does not say it; the sentence will do for search engines, too (description)',
  head: 'a better description, if that in the lines does not say what you are and where',
  guide: 'a better line behind ">", if it does not say what you are and where',
} as const

/** The same for the telephone number. */
export const phoneAsks = {
  page: 'your telephone number',
  markup: 'your telephone number (telephone)',
} as const

/** The questions for one fact, and what a message says that takes the answer from an earlier one. */
const shared: readonly ReadonlyMap<string, string>[] = [
  new Map(
    Object.entries({
      [sayingAsks.markup]: 'in the line “description”',
      [sayingAsks.head]: 'in place of the descriptions in these lines',
      [sayingAsks.guide]: 'in place of the line behind ">"',
    }).map(([ask, place]) => [
      ask,
      `Has an earlier message a new sentence on what you are and where? Then write it ${place}.`,
    ]),
  ),
  new Map([
    [phoneAsks.page, 'Your telephone number stands in an earlier message.'],
    [phoneAsks.markup, 'Your telephone number stands in an earlier message: add it as "telephone".'],
  ]),
]

/** Asks for each of these facts in the first of the blocks alone; the others take the answer from there. */
export function askedOnce(blocks: readonly (Block | undefined)[]): readonly (Block | undefined)[] {
  return shared.reduce(askedInFirst, blocks)
}

function askedInFirst(
  blocks: readonly (Block | undefined)[],
  sentences: ReadonlyMap<string, string>,
): readonly (Block | undefined)[] {
  const first = blocks.findIndex((block) => block?.missing.some((ask) => sentences.has(ask)))
  return blocks.map((block, at) => {
    const ask = at === first ? undefined : block?.missing.find((one) => sentences.has(one))
    return block === undefined || ask === undefined
      ? block
      : {
          ...block,
          where: `${block.where} ${sentences.get(ask)}`,
          missing: block.missing.filter((one) => one !== ask),
        }
  })
}
