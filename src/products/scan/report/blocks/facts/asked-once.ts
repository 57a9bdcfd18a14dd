import type { Block } from '../../../findings/results.ts'
import { answerLine, greeting, inOurWords } from '../snippets/hand-on-block.ts'

/**
 * The questions for the sentence that says what a business is and where. Several blocks have it, each in lines of its own,
 * and the owner writes it once.
 */
export const sayingAsks = {
  markup:
    'what you are and where, in one sentence, if the line “description” does not say it; the sentence will do for search engines, too (description)',
  head: 'a better description, if that in the lines does not say what you are and where',
  guide: 'a better line behind ">", if it does not say what you are and where',
  newMarkup: 'what you are and where, in one or two sentences of 50 to 170 characters (description)',
  newGuide: 'one sentence on what you offer and for whom (the line that begins with ">")',
} as const

/** The questions for the ways to reach a business: on its pages, and in the description that machines read. */
export const contactAsks = {
  all: 'what is right: telephone number, e-mail address, street address with postal code and town',
  phone: 'your telephone number',
  markedPhone: 'your telephone number (telephone)',
  pageMail: 'your e-mail address',
  mail: 'your e-mail address (email)',
  street: 'your street, postal code and town',
  place: 'your street address, or that of your main place if you have several (address)',
  visitedPlace: 'your street address, or that of your main place, if people come to you (address)',
} as const

/** The questions for the parts of a preview that no words of the page fill. */
export const previewAsks = {
  'og:title': 'the title for the preview, in up to 70 characters',
  'og:description': 'one or two sentences of 50 to 170 characters on what you offer, and for whom',
  'og:image':
    'a picture for the preview, in the attachment: about 1200 by 630 pixels, and one that you may publish',
} as const

/** What was read may be wrong, lack a day, or have changed in the course of the years. */
export const wrongFactsAsk = 'what in the lines is wrong or not complete, if anything is'

/** Stands behind the lines of a guide, where the question for its summary stands below. */
export const withoutAnswer = ' Without an answer for the line that begins with ">", leave this line out.'

/** How the question for the name begins (`asked-name.ts`). */
export const nameAsk = 'your name as it stands on your sign'

/** The sentences by which later messages take the answer to a question, each with "an earlier answer" in it. */
export function takingSentences(ask: string): readonly string[] {
  return shared.flatMap(({ brings, sentences }) => (brings(ask) ? sentences : []))
}

interface SharedFact {
  /** Whether a question brings it. */
  readonly brings: (ask: string) => boolean
  /** What a message says in place of the question, where it takes the answer from an earlier one. */
  readonly instead: (ask: string) => string | undefined
  /** All that may stand in place of one. */
  readonly sentences: readonly string[]
}

function fact(asks: readonly string[], instead: ReadonlyMap<string, string>): SharedFact {
  return {
    brings: (ask) => asks.includes(ask),
    instead: (ask) => instead.get(ask),
    sentences: [...instead.values()],
  }
}

const otherName = 'Does an earlier answer have another name? Then write that one here, too.'

const shared: readonly SharedFact[] = [
  fact(
    [sayingAsks.markup, sayingAsks.head, sayingAsks.guide],
    new Map(
      Object.entries({
        [sayingAsks.markup]: 'in the line “description”',
        [sayingAsks.head]: 'in place of the descriptions in these lines',
        [sayingAsks.guide]: 'in place of the line behind ">"',
      }).map(([ask, place]) => [
        ask,
        `Does an earlier answer have a new sentence on what you are and where? Then write it ${place}.`,
      ]),
    ),
  ),
  // Where the site says nothing of itself, one answer fills all three.
  fact(
    [sayingAsks.newMarkup, sayingAsks.newGuide, previewAsks['og:description']],
    new Map([
      [
        sayingAsks.newMarkup,
        'The sentence on what you are and where stands in an earlier answer: add it as "description".',
      ],
      [
        sayingAsks.newGuide,
        'The sentence on what you are and where stands in an earlier answer: write it behind ">", below the title.',
      ],
      [
        previewAsks['og:description'],
        'The sentence on what you are and where stands in an earlier answer: it is og:description.',
      ],
    ]),
  ),
  {
    brings: (ask) => ask.startsWith(nameAsk),
    instead: (ask) => (ask.startsWith(nameAsk) ? otherName : undefined),
    sentences: [otherName],
  },
  fact(
    [contactAsks.all, contactAsks.phone, contactAsks.markedPhone],
    new Map([
      [contactAsks.phone, 'Your telephone number stands in an earlier answer.'],
      [contactAsks.markedPhone, 'Your telephone number stands in an earlier answer: add it as "telephone".'],
    ]),
  ),
  fact(
    [contactAsks.all, contactAsks.pageMail, contactAsks.mail],
    new Map([
      [contactAsks.pageMail, 'Your e-mail address stands in an earlier answer.'],
      [contactAsks.mail, 'Your e-mail address stands in an earlier answer: add it as "email".'],
    ]),
  ),
  fact(
    [contactAsks.all, contactAsks.street, contactAsks.place, contactAsks.visitedPlace],
    new Map([
      [contactAsks.street, 'Your street address stands in an earlier answer.'],
      [contactAsks.place, 'Your street address stands in an earlier answer: add it as "address".'],
      [contactAsks.visitedPlace, 'Your street address stands in an earlier answer: add it as "address".'],
    ]),
  ),
]

/** Asks for each of these facts in the first of the blocks alone; the others take the answer from there. */
export function askedOnce(blocks: readonly (Block | undefined)[]): readonly (Block | undefined)[] {
  return withoutKnownContacts(shared.reduce(askedInFirst, blocks))
}

/** The three ways of contact, where earlier blocks have asked for each. */
function withoutKnownContacts(blocks: readonly (Block | undefined)[]): readonly (Block | undefined)[] {
  const { all, phone, markedPhone, pageMail, mail, street, place, visitedPlace } = contactAsks
  const ways: readonly (readonly string[])[] = [
    [phone, markedPhone],
    [pageMail, mail],
    [street, place, visitedPlace],
  ]
  return blocks.map((block, at) => {
    const before = blocks.slice(0, at).flatMap((one) => one?.missing ?? [])
    return block?.missing.includes(all) === true &&
      ways.every((asks) => asks.some((ask) => before.includes(ask)))
      ? taken(
          withoutMarkup(block),
          all,
          'Telephone number, e-mail address and street address stand in an earlier answer.',
        )
      : block
  })
}

/** The earlier message brings the markup. */
function withoutMarkup(block: Block): Block {
  return {
    ...block,
    text: block.text.replace(
      /\n\d\. Repeat what applies as telephone, email and address of the \w+ node\./,
      '',
    ),
  }
}

/** The block without one of its questions. In a message that is written already, the sentence takes the place of the question. */
function taken(block: Block, ask: string, sentence: string): Block {
  const missing = block.missing.filter((one) => one !== ask)
  const line = answerLine(ask)
  // In lines that are to be pasted, the same words would be those of the site.
  const start = block.text.startsWith(greeting) ? block.text.lastIndexOf(line) : -1
  if (start < 0) return { ...block, where: `${block.where.replace(withoutAnswer, '')} ${sentence}`, missing }
  const before = block.text.slice(0, start)
  const rest = block.text.slice(start + line.length)
  const said = inOurWords(sentence)
  // The line that asks for answers goes with the only question.
  const text =
    missing.length === 0 ? `${before.replace(/[^\n]+:\n$/, '')}${said}${rest}` : `${before}- ${said}${rest}`
  return { ...block, text, missing }
}

function askedInFirst(
  blocks: readonly (Block | undefined)[],
  { brings, instead }: SharedFact,
): readonly (Block | undefined)[] {
  const first = blocks.findIndex((block) => block?.missing.some(brings))
  return blocks.map((block, at) => {
    const ask = at <= first ? undefined : block?.missing.find((one) => instead(one) !== undefined)
    return block === undefined || ask === undefined ? block : taken(block, ask, instead(ask) ?? '')
  })
}
