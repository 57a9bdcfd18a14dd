import { listOf } from '../../../../text/plain-text.ts'
import { counted } from '../../../findings/share.ts'
import { asksForCode } from '../who-acts.ts'
import type { Wording } from './wording.ts'

/** What one check asks of running text. */
export interface TextPart {
  readonly id: string
  /** What the text needs, as the end of a sentence: "99 more words". */
  readonly needs: (wording: Wording, whole: WholeText) => string
  readonly steps: (wording: Wording, whole: WholeText) => readonly string[]
  /** The pages to work on. */
  readonly pages: (wording: Wording) => readonly string[]
}

/** What all parts of the work on the texts do together. */
export interface WholeText {
  /** How much longer each page gets, by its address: words, or characters where `perWord` is more than 1. */
  readonly added: ReadonlyMap<string, number>
  readonly perWord: number
  /** The ids of the parts. */
  readonly parts: ReadonlySet<string>
}

/** Whether the finding asks for running text, and not for code or for a text elsewhere. */
export function isOfText(id: string, fix: string): boolean {
  if (id === share) return fix.includes('write more text')
  if (id === about) return !fix.includes('page of its own') && !fix.startsWith('Replace')
  return textParts.some((part) => part.id === id) && !asksForCode(id, fix)
}

/** How much longer a fix wants which pages: "Write 99 more words on https://a.example/, …". */
export function lengthsIn(fix: string): ReadonlyMap<string, number> {
  return new Map(
    Array.from(
      fix.matchAll(/(\d+) more (?:words? |characters )?on (https?:\/\/[^\s,;]*[^\s,;.:])/g),
      ([, count, url = '']) => [url, Number(count)] as const,
    ),
  )
}

const [opening, words, text, share, about, subheadings, lists, figures, prose] = [
  'content-answerability/answer-first',
  'content-answerability/depth',
  'core-snapshot/ssr-text',
  'content-answerability/boilerplate',
  'entity-trust/about',
  'content-answerability/hierarchy',
  'content-answerability/lists-tables',
  'content-answerability/evidence',
  'content-answerability/readability',
] as const

/** In the order in which a writer does them: figures are counted when the text is there. */
export const textParts: readonly TextPart[] = [
  { id: opening, needs: firstWords, steps: firstParagraph, pages: named },
  { id: words, needs: moreWords, steps: longerText, pages: ({ fix }) => [...lengthsIn(fix).keys()] },
  { id: text, needs: () => '150 words or more', steps: longerText, pages: named },
  {
    id: share,
    needs: () => 'more text beside long menus',
    steps: ({ page, evidence }) => [
      `Write more text on ${listOf([...new Set([page, ...evidence.map(({ url }) => url)])])}.`,
      'You can also have menus and lists of links made shorter there. The text has to be 40 % or more of all words.',
    ],
    pages: everywhere,
  },
  { id: about, needs: () => 'a part on who runs it', steps: aboutPeople, pages: named },
  { id: subheadings, needs: () => 'subheadings', steps: headings, pages: everywhere },
  {
    id: lists,
    needs: ({ reason = '' }, { perWord }) => {
      const [, has = 0, length = 0] = / (\d+) in (\d+) (?:words|characters)/.exec(reason) ?? []
      return counted(
        Math.max(1, Math.ceil(Number(length) / (500 * perWord)) - Number(has)),
        'more list or table',
        'more lists or tables',
      )
    },
    steps: () => [
      'Look for what is a list in truth: steps, prices, opening hours, what is included.',
      'Use the list or table of your website system for it, not commas or line breaks.',
    ],
    pages: everywhere,
  },
  {
    id: figures,
    needs: (wording, whole) => `about ${counted(figuresWanted(wording, whole), 'figure')}`,
    steps: addedFigures,
    pages: ({ evidence }) => evidence.filter(({ value }) => wantedAt(value) > 0).map(({ url }) => url),
  },
  {
    id: prose,
    needs: () => 'shorter sentences and words',
    steps: () => [
      'Cut every sentence of more than 20 words in two.',
      'Use the words that you use when you speak with people.',
    ],
    pages: named,
  },
]

function named({ page }: Wording): readonly string[] {
  return [page]
}

function everywhere({ page, evidence }: Wording): readonly string[] {
  return [page, ...evidence.map(({ url }) => url)]
}

function firstWords({ fix }: Wording): string {
  return fix.startsWith('Add ')
    ? 'a plain sentence in the first paragraph'
    : 'a first paragraph of 20 to 90 words'
}

/** The first paragraph can stand below a main heading only where the page has one. */
function firstParagraph({ fix }: Wording): readonly string[] {
  if (fix.startsWith('Extend') || fix.startsWith('Add '))
    return [
      'Read the first paragraph of PAGE as a stranger would. It stands behind “Seen”.',
      'Add one or two sentences: who you are, what you do, for whom and where. The old and the new words together are 20 to 90. The paragraph may stay where it is.',
    ]
  return [
    'Read the first lines of PAGE as a stranger would.',
    'Write one paragraph of two or three sentences, of 20 to 90 words: who you are, what you do, for whom and where.',
    'Put it at the top of the text, before pictures and greetings.',
  ]
}

function moreWords({ fix }: Wording, { perWord }: WholeText): string {
  const lengths = [...lengthsIn(fix).values()]
  const [first = 0] = lengths
  return lengths.length > 1
    ? `more text on ${lengths.length} pages`
    : perWord > 1
      ? `${first} more characters`
      : counted(first, 'more word')
}

function longerText({ fix, page }: Wording, { added, parts, perWord }: WholeText): readonly string[] {
  const unit = perWord > 1 ? 'characters' : 'words'
  const lengths = [...lengthsIn(fix)]
  const [[first = page, missing = undefined] = [page]] = lengths
  const isShort = missing !== undefined && missing <= maxSentences * perWord
  return [
    ...(isShort
      ? [
          `Add one to three sentences to ${first}, ${missing} ${unit} in all. They answer what visitors ask: how it works, what they have to bring or to know.`,
        ]
      : [
          `Write on ${first} one paragraph for each thing that visitors ask: what it is, how it works, what they have to bring or to know. ${missing === undefined ? '150 words or more are wanted there.' : `${missing} more ${unit} are wanted there.`}${parts.has(opening) && (missing === undefined || added.has(first)) ? ' The words of a new first paragraph count.' : ''}`,
        ]),
    ...lengths
      .slice(1)
      .map(([url, count]) => `Add ${count} ${unit} to ${url}, about the subject of that page.`),
    ...(isShort || parts.has(subheadings)
      ? []
      : ['Give each paragraph a heading that says what it is about. Write only what is true.']),
    ...(isShort || parts.has(figures)
      ? []
      : [`Where you can, tell it with a figure that you know, about one in ${100 * perWord} ${unit}.`]),
  ]
}

/** So many words are a few sentences, and no paragraph of their own. */
const maxSentences = 40

/** The part of a page on the people. */
export function aboutPeople({ fix, page }: Wording, { added }: Pick<WholeText, 'added'>): readonly string[] {
  const [, more] = /^Write (\d+ more (?:words?|characters)) on /.exec(fix) ?? []
  const [, heading] = / below "([^"]+)"/.exec(fix) ?? []
  return [
    `Tell on ${page}${heading === undefined ? '' : `, below “${heading}”,`} who runs it, since when, where, and what they have learned or done before: ${more ?? '150 words or more, with what stands there'}.`,
    `Name the people. Say what each of them does.${added.has(page) ? ' These words count among the new ones of the page.' : ''}`,
  ]
}

/** Each page with its own fault: on one a heading is missing, on another a level is skipped. */
function headings({ evidence }: Wording): readonly string[] {
  const isSkipping = evidence.some(({ value }) => / becomes (?:h\d$|a paragraph)/.test(value))
  return [
    'Put a subheading, “Heading 2”, before every long stretch of text. It says what the next lines are about.',
    ...(isSkipping
      ? [
          'Send what stands behind “Seen” to whoever looks after your website: it says what each other heading becomes.',
        ]
      : []),
    'Do you not see kinds of heading? Write the words of each new one into the text, on a line of its own between stars.',
  ]
}

function addedFigures(wording: Wording, whole: WholeText): readonly string[] {
  const places = new Map<string, number>()
  for (const { url, value } of wording.evidence)
    if (wantedAt(value) > 0) places.set(url, wantedAt(value) + figuresFor(whole.added.get(url) ?? 0, whole))
  for (const [url, length] of whole.added)
    if (!places.has(url) && figuresFor(length, whole) > 0) places.set(url, figuresFor(length, whole))
  const total = figuresWanted(wording, whole)
  const where = [...places].map(([url, count]) => `${url} (about ${count})`)
  return [
    `Put figures that you know into the text, about ${total} in all: how long something takes, how often, since when. Write digits and a unit: “45 minutes”, “20 years”, “since 1998”.${whole.added.size === 0 ? ' A longer text needs more of them: about one per 100 words.' : ' The new text is counted in.'}`,
    ...(where.length < 2
      ? []
      : [`Most of them are wanted on these pages: ${where.join(', ')}. The rest may stand on any page.`]),
    'Leave out what you cannot prove. Reviews stay as they are. Has your profession rules for advertising? Ask who watches over them what figures are allowed.',
  ]
}

/** One for each hundred words of the text as it will be, without those that it has. */
function figuresWanted({ reason = '' }: Wording, whole: WholeText): number {
  const [, figuresNow = 0, length = 0] = / (\d+) figures? .* in (\d+) (?:words|characters)/.exec(reason) ?? []
  const added = [...whole.added.values()].reduce((sum, one) => sum + one, Number(length))
  return Math.max(1, Math.ceil(added / (100 * whole.perWord)) - Number(figuresNow))
}

function figuresFor(length: number, { perWord }: WholeText): number {
  return Math.round(length / (100 * perWord))
}

function wantedAt(value: string): number {
  return Number(/; about (\d+) more wanted$/.exec(value)?.[1] ?? 0)
}
