import { listOf } from '../../../../text/plain-text.ts'
import { longPassageBegins } from '../../../agents/content-answerability/heading-order.ts'
import type { Evidence } from '../../../findings/check.ts'
import { counted } from '../../../findings/share.ts'
import type { TextWork } from '../../../findings/work.ts'

/** What one check asks of running text, and where. */
export interface TextPart {
  readonly work: TextWork
  /** The page that the finding names first. */
  readonly page: string
  readonly evidence: readonly Evidence[]
}

/** What all parts of the work on the texts do together. */
export interface WholeText {
  /** How many words longer each page gets, by its address. */
  readonly added: ReadonlyMap<string, number>
  readonly kinds: ReadonlySet<TextWork['kind']>
  /** The page that gets another first paragraph. */
  readonly opened?: string | undefined
}

/** What the text needs, as the end of a sentence: "99 more words". */
export function needsOf({ work }: TextPart): string {
  switch (work.kind) {
    case 'opening':
      return work.change === 'add-sentence'
        ? 'a plain sentence in the first paragraph'
        : 'a first paragraph of 20 to 90 words'
    case 'length': {
      const count = work.pages.length + (work.blank ?? []).length
      return count > 1 ? `more text on ${count} pages` : counted(work.pages[0]?.more ?? 300, 'more word')
    }
    case 'first-text':
      return '150 words or more'
    case 'share':
      return 'more text beside menu and footer'
    case 'people':
      return 'a part on who runs it'
    case 'subheadings':
      return 'subheadings'
    case 'lists':
      return 'lists or tables'
    case 'figures':
      return 'figures'
    case 'plain-words':
      return work.areSentencesLong ? 'shorter sentences and words' : 'shorter words'
  }
}

/** How it is done, one step after the other. */
export function stepsOf({ work, page, evidence }: TextPart, whole: WholeText): readonly string[] {
  switch (work.kind) {
    case 'opening':
      return firstParagraph(work.change, page)
    case 'length':
      return [...blankText(work.blank ?? []), ...longerText(work.pages, whole)]
    case 'first-text':
      return [paragraphsOn(page, '150 words or more are wanted there.', whole), ...headedAndCounted(whole)]
    case 'share':
      return [
        `Write more text on ${listOf(placesOf(page, evidence))}. Does a program fill a page, such as a calendar? Then leave that page as it is.`,
        'What stands around it, such as menu and footer, can also be made shorter. The text has to be 40 % or more of all words.',
      ]
    case 'people':
      return aboutPeople(work, page, whole)
    case 'subheadings':
      return headings(work.isSkipping, evidence)
    case 'lists':
      return [
        `Look for what is a list in truth: steps, prices, opening hours, what is included. One list or table in 500 words is enough; “Seen” names the pages that lack most. ${leaveOut}`,
        'Does something look like a list already? Then ask whoever looks after your website to mark it as one in the code.',
        'Use the list or table of your website system for it, not commas or line breaks.',
      ]
    case 'figures':
      return addedFigures
    case 'plain-words':
      return [
        ...(work.areSentencesLong
          ? ['Cut every sentence of more than 20 words in two.']
          : ['Look for long words, and write a short one wherever there is one.']),
        'Use the words that you use when you speak with people.',
      ]
  }
}

/** The pages to work on. */
export function pagesOf({ work, page, evidence }: TextPart): readonly string[] {
  switch (work.kind) {
    case 'length':
      return [...work.pages.map(({ url }) => url), ...(work.blank ?? [])]
    case 'share':
    case 'subheadings':
    case 'plain-words':
      return placesOf(page, evidence)
    case 'lists':
    case 'figures':
      // They may stand on any page, and the owner knows which ones have something to count.
      return []
    default:
      return [page]
  }
}

function placesOf(page: string, evidence: readonly Evidence[]): readonly string[] {
  return [...new Set([page, ...evidence.map(({ url }) => url)])]
}

function firstParagraph(
  change: Extract<TextWork, { readonly kind: 'opening' }>['change'],
  page: string,
): readonly string[] {
  switch (change) {
    case 'extend':
    case 'add-sentence':
      return [
        `Read the paragraph behind “Seen” as a stranger would. It is the first one with whole sentences on ${page}.`,
        'Add one or two sentences: who you are, what you do, for whom and where. The old and the new words together are 20 to 90. The paragraph may stay where it is.',
      ]
    case 'shorten':
      return [
        `Read the paragraph behind “Seen” as a stranger would. It is the first one with whole sentences on ${page}.`,
        'Keep in it who you are, what you do, for whom and where, in 20 to 90 words. Begin a new paragraph with the rest.',
      ]
    case 'replace':
      return [
        `Look on ${page} for text that came with the template, such as the one behind “Seen”. Delete all of it.`,
        `Write in place of the first one a paragraph of two or three sentences, of 20 to 90 words: ${whoAndWhat}.`,
      ]
    case 'write':
      return [
        `Read the first lines of ${page} as a stranger would.`,
        `Write one paragraph of two or three sentences, of 20 to 90 words: ${whoAndWhat}.`,
        'Put it right below the main heading, the title of the page, before other texts. Is there no such heading? Then put it at the top.',
      ]
  }
}

const whoAndWhat = 'who you are, what you do, for whom and where'

function blankText(pages: readonly string[]): readonly string[] {
  return pages.length === 0
    ? []
    : [
        `${pages.length === 1 ? 'A page has' : 'Some pages have'} no text of ${pages.length === 1 ? 'its' : 'their'} own: ${listOf(pages)}. Write there what the title promises, in 300 words. Or take out the links to ${pages.length === 1 ? 'it' : 'those that you do not write'}.`,
      ]
}

function longerText(
  pages: Extract<TextWork, { readonly kind: 'length' }>['pages'],
  whole: WholeText,
): readonly string[] {
  const [first, ...others] = pages
  if (first === undefined) return []
  const isShort = first.more <= maxSentences
  return [
    ...(pages.some(({ hasPicture }) => hasPicture) ? [drawnText] : []),
    isShort
      ? `Add one to three sentences to ${first.url}, ${first.more} words in all. They answer what visitors ask: how it works, what they have to bring or to know.`
      : paragraphsOn(first.url, `${first.more} more words are wanted there.`, whole),
    ...others.slice(0, maxNamed).map(lengthOf),
    ...(others.length > maxNamed
      ? [`Then do the same on ${others.length - maxNamed} more short pages, until each has 300 words.`]
      : []),
    ...(isShort ? [] : headedAndCounted(whole)),
  ]
}

/** The text of a page may be there, as a picture that programs do not read. */
const drawnText =
  'Does a picture show the text of such a page? Then have its words put into the page as text: you need not write them anew.'

function lengthOf({ url, more }: { readonly url: string; readonly more: number }): string {
  return `Add ${more} words to ${url}, about the subject of that page.`
}

/** So many words are a few sentences, and no paragraph of their own. */
const maxSentences = 40

/** So many further pages are named one by one; the step would grow too long with more. */
const maxNamed = 5

function paragraphsOn(page: string, wanted: string, { opened }: WholeText): string {
  return `Write on ${page} one paragraph for each thing that visitors ask: what it is, how it works, what they have to bring or to know. ${wanted}${opened === page ? ' The words of a new first paragraph count.' : ''}`
}

/** What new paragraphs need, where no other part asks for it. */
function headedAndCounted({ kinds }: WholeText): readonly string[] {
  return [
    ...(kinds.has('subheadings')
      ? []
      : ['Give each paragraph a heading that says what it is about. Write only what is true.']),
    ...(kinds.has('figures')
      ? []
      : ['Where you can, tell it with a figure that you know, about one in 100 words.']),
  ]
}

/** The part of a page on the people. */
export function aboutPeople(
  { heading, more }: Extract<TextWork, { readonly kind: 'people' }>,
  page: string,
  { added }: Pick<WholeText, 'added'>,
): readonly string[] {
  return [
    `Tell on ${page}${heading === undefined ? '' : `, below “${heading}”,`} who runs it, since when, where, and what they have learned or done before: ${more === undefined ? '150 words or more, with what stands there' : counted(more, 'more word')}.`,
    `Where people are not named there yet, name them, and say what each of them does.${added.has(page) ? ' These words count among the new ones of the page.' : ''}`,
  ]
}

/** Each page with its own fault: on one a heading is missing, on another a level is skipped. */
function headings(isSkipping: boolean, evidence: readonly Evidence[]): readonly string[] {
  const stretches = evidence.filter(({ value }) => value.startsWith(longPassageBegins))
  const places = [...Map.groupBy(stretches, ({ url }) => url)].map(
    ([url, ones]) =>
      `on ${url} after ${listOf(ones.map(({ value }) => value.slice(longPassageBegins.length)))}`,
  )
  return [
    'Put a subheading, “Heading 2”, into every long stretch of text. It says what the next lines are about. Are they reviews or slides, of which readers see one at a time? Then leave them as they are: the check stays open, and that is right.',
    ...(places.length === 0
      ? []
      : [
          `Such stretches begin ${listOf(places)}. Does a line there look like a title already? Then ask whoever looks after your website to make it a heading in the code, and write no second one.`,
        ]),
    ...(isSkipping
      ? [
          `Send this line to whoever looks after your website. Headings to correct: ${evidence
            .filter((one) => !stretches.includes(one))
            .slice(0, maxNamed)
            .map(({ url, value }) => `on ${url}, ${value}`)
            .join('; ')}.`,
        ]
      : []),
    'Do you not see kinds of heading? Write the words of each new one into the text, on a line of its own between stars.',
  ]
}

/** A scan cannot tell whether a text has any. */
const leaveOut = 'Do you find none? Then leave this out: the check stays open, and that is right.'

const addedFigures: readonly string[] = [
  `Put figures that you know into the text: how long something takes, how often, since when. Write digits and a unit: “45 minutes”, “20 years”, “since 1998”. One in 100 words is enough, on whatever page; “Seen” names those that lack most. ${leaveOut}`,
  'Leave out what you cannot prove. Reviews stay as they are. Does your profession have rules for advertising? Ask who watches over them what figures are allowed.',
]
