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

/** The questions for the ways to reach a business: on its pages, and in the description that machines read. */
export const contactAsks = {
  all: 'what is right: telephone number, e-mail address, street address with postal code and town',
  phone: 'your telephone number',
  markedPhone: 'your telephone number (telephone)',
  mail: 'your e-mail address (email)',
  street: 'your street, postal code and town',
  place: 'your street address, or that of your main place if you have several (address)',
  visitedPlace: 'your street address, or that of your main place, if people come to you (address)',
} as const

interface SharedFact {
  /** The questions that bring it. */
  readonly asks: readonly string[]
  /** What a message says that takes the answer from an earlier one, by the question that it would ask. */
  readonly instead: ReadonlyMap<string, string>
}

const shared: readonly SharedFact[] = [
  {
    asks: Object.values(sayingAsks),
    instead: new Map(
      Object.entries({
        [sayingAsks.markup]: 'in the line “description”',
        [sayingAsks.head]: 'in place of the descriptions in these lines',
        [sayingAsks.guide]: 'in place of the line behind ">"',
      }).map(([ask, place]) => [
        ask,
        `Has an earlier message a new sentence on what you are and where? Then write it ${place}.`,
      ]),
    ),
  },
  {
    asks: [contactAsks.all, contactAsks.phone, contactAsks.markedPhone],
    instead: new Map([
      [contactAsks.phone, 'Your telephone number stands in an earlier message.'],
      [contactAsks.markedPhone, 'Your telephone number stands in an earlier message: add it as "telephone".'],
    ]),
  },
  {
    asks: [contactAsks.all, contactAsks.mail],
    instead: new Map([
      [contactAsks.mail, 'Your e-mail address stands in an earlier message: add it as "email".'],
    ]),
  },
  {
    asks: [contactAsks.all, contactAsks.street, contactAsks.place, contactAsks.visitedPlace],
    instead: new Map(
      [contactAsks.place, contactAsks.visitedPlace].map((ask) => [
        ask,
        'Your street address stands in an earlier message: add it as "address".',
      ]),
    ),
  },
]

/** Asks for each of these facts in the first of the blocks alone; the others take the answer from there. */
export function askedOnce(blocks: readonly (Block | undefined)[]): readonly (Block | undefined)[] {
  return shared.reduce(askedInFirst, blocks)
}

function askedInFirst(
  blocks: readonly (Block | undefined)[],
  { asks, instead }: SharedFact,
): readonly (Block | undefined)[] {
  const first = blocks.findIndex((block) => block?.missing.some((ask) => asks.includes(ask)))
  return blocks.map((block, at) => {
    const ask = at <= first ? undefined : block?.missing.find((one) => instead.has(one))
    return block === undefined || ask === undefined
      ? block
      : {
          ...block,
          where: `${block.where} ${instead.get(ask)}`,
          missing: block.missing.filter((one) => one !== ask),
        }
  })
}
