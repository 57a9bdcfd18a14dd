import { counted } from '../../../findings/share.ts'
import { aboutPeople } from './text-parts.ts'
import type { Wording } from './wording.ts'

export type MakeSteps = (wording: Wording) => readonly string[]

/** Where the work begins, on one page or on several. */
export function openPages(pages: readonly string[]): string {
  return pages.length > 1
    ? `Open these pages where you edit your website, one after the other: ${pages.slice(0, 60).join(', ')}. Do you not edit it yourself? Write the texts, and send them.`
    : `Open ${pages[0] ?? 'the page'} where you edit your website. Do you not edit it yourself? Write the text, and send it.`
}

/** “Do the same on 2 more such pages” names no page, and the evidence does. */
function open({ fix, page, evidence }: Wording): string {
  return openPages([
    ...new Set([page, ...(fix.includes('Do the same') ? evidence.map(({ url }) => url) : [])]),
  ])
}

export const save = 'Publish the page, or send the text to whoever looks after your website.'

/** The last step where scripts write the texts. */
export const alsoInLists =
  'A script of your pages takes their texts from a list for each language. Visitors may read other words there than those that this report names. Words that you change have to be changed in that list as well, or visitors will not see them.'

/** How to do what needs words and no code. The work on running text has its own place, `text-job.ts`. */
export const writingSteps: ReadonlyMap<string, MakeSteps> = new Map<string, MakeSteps>([
  ['core-snapshot/one-h1', mainHeading],
  ['content-answerability/question-blocks', questions],
  ['workflow-automation/faq', questions],
  ['workflow-automation/support', questions],
  ['content-answerability/link-text', linkTexts],
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
      'Has yours no such field? Then ask whoever looks after your website to write the names into the markup of each article.',
      save,
    ],
  ],
  ['freshness-index/newest', news],
])

function mainHeading(wording: Wording): readonly string[] {
  return [
    open(wording),
    'Choose the one line that says what the page is about. Is there none? Write one: your name, what you do, and the place.',
    'Mark it as “Heading 1”.',
    save,
  ]
}

function questions(wording: Wording): readonly string[] {
  if (wording.work?.kind === 'other-answers')
    return [
      open(wording),
      'Look for each heading that asks a question, and read the text right below it.',
      'Make it two to four sentences, as you would tell a visitor. That makes 20 to 80 words.',
      save,
    ]
  if (wording.work?.kind === 'more-questions')
    return [
      `Write down what people ask you most, wherever they ask it. You need ${counted(wording.work.more, 'question')} or more that ${wording.work.more === 1 ? 'does' : 'do'} not stand there yet.`,
      'Answer each in two to four sentences, as you would tell a visitor. That makes 20 to 80 words.',
      `Put them below “${wording.work.heading}” on ${wording.page}. Each question becomes a heading, and its answer stands right below.`,
      ...(wording.work.areHeadings
        ? []
        : [
            'The questions that stand there already are no headings yet. Ask whoever looks after your website to make each of them one (h3).',
          ]),
      save,
    ]
  return [
    'Write down what people ask you most, wherever they ask it. You need four questions or more.',
    'Answer each in two to four sentences, as you would tell a visitor. That makes 20 to 80 words.',
    'Put all of them on one page that is about questions only. Each question becomes a heading, and its answer stands right below.',
    linkIt(wording),
    save,
  ]
}

function linkTexts(wording: Wording): readonly string[] {
  const words = emptyLinks[wording.language ?? '']
  return [
    open(wording),
    words === undefined
      ? 'Look for links whose words do not say where they lead.'
      : `Look for links that do not say where they lead, such as ${words.map((word) => `“${word}”`).join(' or ')}.`,
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

/** On another page, or more words on one that is there. */
function about(wording: Wording): readonly string[] {
  const { work, page } = wording
  if (work?.kind === 'people') return [open(wording), ...aboutPeople(work, page, { added: new Map() }), save]
  return [
    'Write 150 words or more: who runs it, since when, where, and what they have learned or done before.',
    'Name the people. Say what each of them does.',
    ...(work?.kind === 'people-page' && work.change === 'replace'
      ? ['Put it on PAGE, in place of what stands there.']
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
    'Does your sitemap give days (lastmod)? Have that of the page renewed, too. Most website systems do it by themselves.',
    'Do this once every three months.',
    save,
  ]
}
