import type { Evidence } from '../../findings/check.ts'

/** What the steps of an action are made from. */
export interface Wording {
  /** What the finding asks for. One check may ask for a title, for a description, or for both. */
  readonly fix: string
  /** The page that the action names. */
  readonly page: string
  readonly evidence: readonly Evidence[]
  /** Of the site, such as `de`; undefined where it is not known. */
  readonly language: string | undefined
  /** The message of another action asks for the same facts. */
  readonly isAskedBefore?: boolean
  /** Scripts write the texts from lists of words. */
  readonly hasTextLists?: boolean | undefined
}

export type MakeSteps = (wording: Wording) => readonly string[]

/** “Do the same on 2 more such pages” names no page, and the evidence does. */
function open({ fix, page, evidence }: Wording): string {
  const pages = fix.includes('Do the same')
    ? [...new Set([page, ...evidence.map(({ url }) => url)])].slice(0, 60)
    : []
  return pages.length > 1
    ? `Open these pages where you edit your website, one after the other: ${pages.join(', ')}.`
    : 'Open PAGE where you edit your website. Do you not edit it yourself? Write the text, and send it.'
}

const save = 'Publish the page, or send the text to whoever looks after your website.'

/** How to do what needs words and no code. */
export const writingSteps: ReadonlyMap<string, MakeSteps> = new Map<string, MakeSteps>([
  ['core-snapshot/ssr-text', longerText],
  ['content-answerability/depth', longerText],
  ['core-snapshot/one-h1', mainHeading],
  ['content-answerability/answer-first', firstParagraph],
  ['content-answerability/hierarchy', headings],
  ['content-answerability/question-blocks', questions],
  ['workflow-automation/faq', questions],
  ['workflow-automation/support', questions],
  ['content-answerability/evidence', figures],
  [
    'content-answerability/lists-tables',
    (wording) => [
      open(wording),
      'Look for what is a list in truth: steps, prices, opening hours, what is included.',
      'Use the list or table of your website system for it, not commas or line breaks.',
      save,
    ],
  ],
  ['content-answerability/link-text', linkTexts],
  [
    'content-answerability/readability',
    (wording) => [
      open(wording),
      'Cut every sentence of more than 20 words in two.',
      'Use the words that you use when you speak with people.',
      save,
    ],
  ],
  ['entity-trust/about', about],
  [
    'entity-trust/citations',
    (wording) => [
      open(wording),
      'Find each statement that you took from elsewhere, such as a figure or a rule.',
      'Link the place where you read it, on the words of the statement.',
      save,
    ],
  ],
  [
    'entity-trust/authorship',
    () => [
      'Write the name of the author under the title of each article.',
      'Link the name to the page where you tell who that is.',
      'Most website systems have a field for the author, which also writes it for machines. Fill it in.',
      save,
    ],
  ],
  ['freshness-index/newest', news],
])

function longerText(wording: Wording): readonly string[] {
  const missing = Number(/^Write (\d+) more words/.exec(wording.fix)?.[1] ?? maxSentences + 1)
  if (missing <= maxSentences)
    return [
      open(wording),
      'Add one to three sentences that answer what visitors ask: how it works, what they have to bring or to know.',
      ...furtherPages(wording),
      save,
    ]
  return [
    open(wording),
    'Begin with a paragraph of 20 to 90 words that says who you are, what you do, for whom and where.',
    'Write one more paragraph for each thing that visitors ask: what it is, how it works, what they have to bring or to know.',
    ...furtherPages(wording),
    'Give each paragraph a heading that says what it is about. Write only what is true.',
    save,
  ]
}

/** "Write … Write 11 more on https://a.example/team." Each page has a subject of its own. */
function furtherPages({ fix }: Wording): readonly string[] {
  const pages = Array.from(
    fix.matchAll(/(\d+) more on (https?:\/\/[^\s,;]*[^\s,;.])/g),
    ([, words, url]) => `${url} (${words} more words)`,
  )
  return pages.length === 0 ? [] : [`Then add to ${pages.join(' and ')} what belongs there.`]
}

/** So many words are a few sentences, and no paragraph of their own. */
const maxSentences = 40

/** The first paragraph can stand below a main heading only where the page has one. */
function firstParagraph({ fix }: Wording): readonly string[] {
  if (fix.startsWith('Extend') || fix.startsWith('Add '))
    return [
      'Read the first paragraph of PAGE as a stranger would. It stands behind “Seen”.',
      'Add one or two sentences: who you are, what you do, for whom and where. The old and the new words together are 20 to 90. The paragraph may stay where it is.',
      save,
    ]
  return [
    'Read the first lines of PAGE as a stranger would.',
    'Write one paragraph of two or three sentences: who you are, what you do, for whom and where.',
    'Put it at the top of the text, before pictures and greetings.',
    save,
  ]
}

function mainHeading(wording: Wording): readonly string[] {
  return [
    open(wording),
    'Choose the one line that says what the page is about, and mark it as “Heading 1”.',
    save,
  ]
}

/** Each page with its own fault: on one a heading is missing, on another a level is skipped. */
function headings(wording: Wording): readonly string[] {
  const isSkipping = wording.evidence.some(({ value }) => / becomes (?:h\d$|a paragraph)/.test(value))
  return [
    open(wording),
    'Put a subheading, “Heading 2”, before every long stretch of text. It says what the next lines are about.',
    ...(isSkipping
      ? [
          'Send what stands behind “Seen” to whoever looks after your website: it says what each other heading becomes.',
        ]
      : []),
    'Do you not see kinds of heading? Write the words of each new one into the text, on a line of its own between stars.',
    save,
  ]
}

function questions(wording: Wording): readonly string[] {
  if (wording.fix.startsWith('Give "'))
    return [
      open(wording),
      'Look for each heading that asks a question, and read the text right below it.',
      'Make it two to four sentences, as you would answer on the telephone. That makes 20 to 80 words.',
      save,
    ]
  return [
    'Write down what you are asked most, by telephone, by e-mail and at the door. You need four questions or more.',
    'Answer each in two to four sentences, as you would on the telephone. That makes 20 to 80 words.',
    'Put all of them on one page that is about questions only. Each question becomes a heading, and its answer stands right below.',
    linkIt(wording),
    save,
  ]
}

function figures(wording: Wording): readonly string[] {
  const places = wording.evidence.flatMap(({ url, value }) => {
    const wanted = /; about (\d+) more wanted$/.exec(value)?.[1]
    return wanted === undefined ? [] : [`${url} (about ${wanted})`]
  })
  return [
    places.length < 2
      ? open(wording)
      : `Open the pages that lack most of them, where you edit your website: ${places.join(', ')}. The rest may stand on any page.`,
    'Choose things that you tell there, such as a service, a product or your beginnings.',
    'Add to each a figure that you know: how long it takes, how often, since when. Write digits and a unit: “45 minutes”, “20 years”, “since 1998”.',
    'Does the page tell little? Write its text first. A longer text needs more of them: about one per 100 words.',
    'Leave out what you cannot prove. Reviews stay as they are. Has your profession rules for advertising? Ask who watches over them what figures are allowed.',
    save,
  ]
}

function linkTexts(wording: Wording): readonly string[] {
  const words = emptyLinks[wording.language ?? '']
  return [
    open(wording),
    words === undefined
      ? 'Look for links whose words do not say where they lead.'
      : `Look for links that say ${words.map((word) => `“${word}”`).join(' or ')}.`,
    'Write in their place what the reader finds there.',
    save,
  ]
}

/** Examples in the language of the site. In another language they would be found on none of its pages. */
const emptyLinks: Readonly<Record<string, readonly string[]>> = {
  en: ['here', 'more'],
  de: ['hier', 'mehr'],
  fr: ['ici', 'plus'],
  es: ['aquí', 'más'],
  it: ['qui', 'altro'],
}

/** Only what the fix asks for, which is another page or more words on one that is there. */
function about(wording: Wording): readonly string[] {
  const [, more] = /^Write (\d+ more words?) on /.exec(wording.fix) ?? []
  return [
    `Write ${more ?? '150 words or more'}: who runs it, since when, where, and what they have learned or done before.`,
    'Name the people. Say what each of them does.',
    ...(more !== undefined || wording.fix.startsWith('Tell on ')
      ? ['Put it on PAGE.']
      : ['Put it on a page of its own.', linkIt(wording)]),
    save,
  ]
}

/** A site of one page may have no menu. */
function linkIt({ fix, page }: Wording): string {
  return /(?:from|in) the menu/.test(fix) ? 'Link the page from the menu.' : `Link the page on ${page}.`
}

function news(): readonly string[] {
  return [
    'Write about something that is new: a service, an event, a change of hours, an answer to a frequent question.',
    'Put the day on it, where readers see it.',
    'Do this once every three months.',
    save,
  ]
}
