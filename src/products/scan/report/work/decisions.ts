import type { Block } from '../../findings/results.ts'
import type { Work } from '../../findings/work.ts'
import { contactAsks } from '../blocks/facts/asked-once.ts'
import { type Change, handOnBlock } from '../blocks/snippets/hand-on-block.ts'
import { titleAndDescription } from './texts/title-words.ts'
import type { Wording } from './texts/wording.ts'
import type { MakeSteps } from './texts/writing-steps.ts'
import { asksForCode } from './who-acts.ts'

/** What only the owner knows or may decide: how to come to it, and what the web person is then asked for. */
interface Decision {
  /** Where only one kind of work of the check leaves something to decide. */
  readonly only?: Work['kind']
  readonly steps: MakeSteps
  /** The order for the web person. Without one the fix itself is the order. */
  readonly order?: string
  /** What the owner adds to the message. */
  readonly asks?: readonly string[] | ((change: Change) => readonly string[])
}

/** How the owner comes to the decision. */
export function decidingSteps(id: string, work: Work | undefined): MakeSteps | undefined {
  return decisionFor(id, work)?.steps
}

function decisionFor(id: string, work: Work | undefined): Decision | undefined {
  const decision = asksForCode(work) ? undefined : decisions.get(id)
  return decision?.only !== undefined && decision.only !== work?.kind ? undefined : decision
}

/**
 * The message by which a decision is put in place; undefined for what is no decision. It asks for what the owner has
 * decided, because the web person cannot know it.
 */
export function decisionBlock(id: string, change: Change, { page }: Wording): Block | undefined {
  const decision = decisionFor(id, change.work)
  if (decision === undefined) return undefined
  const fix = decision.order?.replaceAll('PAGE', page) ?? change.fix
  const asks = typeof decision.asks === 'function' ? decision.asks(change) : decision.asks
  return handOnBlock({
    ...change,
    fix,
    asks,
    // The check stays open until the markup has the right one.
    ...(change.work?.kind === 'sample-address' && { titles: [] }),
    ...(decision.order !== undefined && { evidence: [] }),
  })
}

const profiles: Decision = {
  steps: ({ evidence, work }) => gatherEntries(evidence, work?.kind === 'one-more-profile'),
  order:
    'Add these addresses to sameAs in the description of us (JSON-LD) on PAGE. Keep what stands in it. If there is no such description yet, wait until it is in place.',
  asks: ['the addresses of your entries'],
}

/** What the owner has to know for it. */
export const stanceOnTraining: readonly string[] = [
  'Decide whether makers of AI models may train them with your texts. Both answers are common.',
  'Your decision does not change whether assistants may find and cite you.',
]

/**
 * How an owner finds the entries that the description of the business names.
 * @param isOneThere it names one already, and two are asked for
 */
export function gatherEntries(evidence: Wording['evidence'], isOneThere: boolean): readonly string[] {
  return [
    ...linkedEntries(evidence),
    'Write down where else you are listed: map services, networks, trade registers, chambers, portals of your trade.',
    `Open each entry and copy its full address from the browser. ${isOneThere ? 'One stands there already, and you need one more.' : 'You need two or more.'}`,
    'Check that name, address and telephone number are the same there as on your site. Then write the addresses into the message.',
  ]
}

/** What the pages link already need not be looked for. */
function linkedEntries(evidence: Wording['evidence']): string[] {
  const linked = evidence.flatMap(({ value }) => /^linked: (https?:\/\/\S+)$/.exec(value)?.[1] ?? [])
  return linked.length === 0
    ? []
    : [`Begin with what your pages link already: ${linked.join(', ')}. Check which of them are your own.`]
}

function contactFacts(kind: Work['kind'] | undefined): readonly string[] {
  if (kind === 'one-way-of-contact')
    return ['Decide how strangers may write to you: one way is enough, and need not be your private one.']
  if (kind === 'sample-address')
    return [
      'Look for the address of the template on each page of your website, above all in the footer and on the page for contact.',
      'Write your own street, postal code and town into the message.',
    ]
  if (kind === 'first-contact-facts')
    return [
      'Write down the telephone number, e-mail address and street address under which you are reached.',
      'Decide which of them visitors shall see, and add these to the message.',
    ]
  return [
    'Write down the one telephone number, e-mail address and street address that are right today.',
    'Compare them with every page of your site, above all the footer, the contact page and the legal notice.',
    'Add what is right to the message.',
  ]
}

function mendedForms(isForBooking: boolean): readonly string[] {
  return [
    'Send a test through each form of your website, also those that are not named here. A form whose test arrives can stay as it is.',
    `${isForBooking ? 'Visitors may believe that they have an appointment. ' : ''}Until it works, take the form off the page, or write beside it how else you are reached.`,
    `Decide who reads ${isForBooking ? 'the bookings, and confirms them' : 'the enquiries'}. Do you want none in writing? Then write “take the form off” into the message.`,
  ]
}

/** The address of the form names its service. */
function isServiceNamed(work: Work | undefined): boolean {
  return work?.kind === 'finish-form' && work.isServiceNamed
}

/** A form stands there already, which an owner may want to be rid of. */
function isFormThere(
  work: Work | undefined,
): work is Extract<Work, { readonly kind: 'mend-forms' | 'mail-forms' | 'finish-form' }> {
  return work?.kind === 'mend-forms' || work?.kind === 'mail-forms' || work?.kind === 'finish-form'
}

const mailForms: readonly string[] = [
  'Decide who reads the enquiries. Do you want none in writing? Then write “take the form off” into the message.',
]

/** The form has a box for the consent, with a link to the notice. The notice has to name the service that sends it. */
function hasConsent(work: Work | undefined): boolean {
  return isFormThere(work) && !work.isConsentAsked
}

function consentStep(isThere: boolean, isNoticeMissing: boolean): string {
  const notice = isNoticeMissing
    ? 'Have the privacy notice, for which another step asks, tell of the form, too.'
    : ''
  if (isThere)
    return notice === ''
      ? 'Ask your association or lawyer what your privacy notice has to say about the form service. Write it into the message.'
      : notice
  return notice === ''
    ? 'Ask your association or lawyer for the sentence of consent, and for what your privacy notice has to say about the form. Write both into the message.'
    : `Ask your association or lawyer for the sentence of consent, and write it into the message. ${notice}`
}

function consentAsks(isThere: boolean, isNoticeMissing: boolean): readonly string[] {
  const asked = [
    ...(isThere ? [] : ['the sentence of consent for the form']),
    ...(isNoticeMissing ? [] : ['what is new in the privacy notice, if you have one']),
  ]
  return asked.length === 0 ? [] : [asked.join(', and ')]
}

const newForm: readonly string[] = [
  'Decide what the form shall ask: name, e-mail address and the message are enough.',
  'Decide who reads the enquiries. Do you want none in writing? Then leave this out.',
]

/** The beginning of the order that takes out what counts nothing any more. */
const oldScript = 'Take the old script'

const decisions: ReadonlyMap<string, Decision> = new Map<string, Decision>([
  [
    'core-snapshot/title-desc',
    {
      only: 'title',
      steps: titleAndDescription,
      asks: ({ work }) =>
        work?.kind === 'title'
          ? [
              ...(work.title ? ['the title of the page'] : []),
              ...(work.description ? ['the description of the page'] : []),
            ]
          : [],
    },
  ],
  [
    'core-snapshot/one-h1',
    {
      only: 'one-main-heading',
      steps: () => [
        'Read the lines behind “Seen”. PAGE has each of them as its main heading.',
        'Choose the one that says what the page is about, or write a better one: your name, what you do, and the place.',
        'Add it to the message.',
      ],
      asks: ['the words of the main heading'],
    },
  ],
  [
    'accessibility-actionability/lang',
    {
      only: 'choose-language',
      steps: () => ['Write into the message in which language your pages are: Serbian, Croatian or Bosnian.'],
      asks: ['the language of the pages: Serbian, Croatian or Bosnian'],
    },
  ],
  [
    'crawl-access/training-stance',
    {
      steps: () => [
        ...stanceOnTraining,
        'Two lines stand in the message: “ai-train=no” forbids it, “ai-train=yes” allows it. Delete the line that you do not want.',
      ],
    },
  ],
  [
    'entity-trust/legal',
    {
      steps: ({ work }) => [
        'Ask your association or lawyer which notices you need. Many of them have texts to start from.',
        ...(work?.kind === 'notices' && work.isPrivacyAsked
          ? [
              'Ask whoever looks after your website which services it uses, such as maps, fonts and counting. The notice has to name them.',
            ]
          : ['Fill in what is about you: name, address, and who is responsible.']),
        'Add the texts to the message.',
      ],
      asks: ({ work }) => [
        work?.kind === 'notices' && work.count > 1 ? 'the text of each notice' : 'the text of the notice',
      ],
    },
  ],
  [
    'entity-trust/proof',
    {
      steps: ({ work }) => [
        ...(work?.kind === 'review-pictures'
          ? [
              'Look at the pictures that stand behind “Seen”. Are they something else? Then leave this out.',
              'Find these reviews where they were written, and copy their words and their addresses.',
            ]
          : work?.kind === 'review-frames'
            ? [
                'Look at the posts in the frames that stand behind “Seen”. Did you write all of them yourself? Then leave this out.',
                'Choose one or two of them. Copy their words, the name and the address of the post.',
              ]
            : ['Look for reviews that others have written about you, on maps, portals or in a newspaper.']),
        'Does your profession have rules for advertising? Ask who watches over them whether you may show them.',
        ...(work?.kind === 'review-pictures' || work?.kind === 'review-frames'
          ? [
              `May you show none? Then have the ${work.kind === 'review-pictures' ? 'pictures' : 'frames'} taken down.`,
            ]
          : [
              'Have you none yet? Ask people whether they would write what they thought. Never write one yourself.',
            ]),
      ],
      order: 'Link these reviews from PAGE, or quote them there as text, with their source.',
      asks: ({ work }) => [
        work?.kind === 'review-pictures'
          ? 'the words and the addresses of the reviews, or “take the pictures down”'
          : work?.kind === 'review-frames'
            ? 'the words of one or two reviews in the frames, with their names and addresses, or “take the frames down”'
            : 'the addresses of the reviews, copied from the browser',
      ],
    },
  ],
  ['entity-trust/profiles', profiles],
  ['structured-data/same-as', profiles],
  [
    'entity-trust/nap',
    {
      steps: ({ work }) => contactFacts(work?.kind),
      asks: ({ work }) => [
        work?.kind === 'one-way-of-contact'
          ? 'the e-mail address, or the address of the form or profile'
          : work?.kind === 'sample-address'
            ? contactAsks.street
            : contactAsks.all,
      ],
    },
  ],
  [
    'entity-trust/accountability',
    {
      only: 'who-answers',
      steps: () => [
        'Decide who answers for the site, and under which address that person is written to.',
        'Does the law of your country ask for a legal notice? Then the step for your notices settles this as well.',
      ],
      asks: ['the name of the one who answers for the site', 'the address to write to'],
    },
  ],
  [
    'workflow-automation/lead-capture',
    {
      steps: ({ work, isNoticeMissing }) => [
        ...(work?.kind === 'mend-forms'
          ? mendedForms(work.isForBooking)
          : isFormThere(work)
            ? mailForms
            : newForm),
        ...(isServiceNamed(work)
          ? [
              'Have you an account with the service that the address of the form names? Then copy the identifier of your form there.',
            ]
          : [
              'Websites such as yours often send forms through a form service. Ask whoever looks after your website which one.',
            ]),
        consentStep(hasConsent(work), isNoticeMissing === true),
      ],
      asks: ({ work, isNoticeMissing }) => [
        `the e-mail address to which enquiries go, for each form if they differ${isFormThere(work) ? ', or “take the form off”' : ''}`,
        isServiceNamed(work)
          ? 'the identifier of the form at its service; if none stands here, please have the form registered there'
          : 'the form service; if none stands here, please suggest one first',
        ...consentAsks(hasConsent(work), isNoticeMissing === true),
      ],
    },
  ],
  [
    'workflow-automation/booking',
    {
      steps: () => [
        'Decide whether you want bookings through the website. If not, leave this out.',
        'Ask the maker of the program that holds your calendar whether it offers booking on a website. Many do. Without such a program, a form that asks for a day and a time is enough.',
        'Choose what may be booked there without a call, and how long each takes.',
        'Copy the address of the booking page into the message, or write there that you want a form.',
      ],
      order:
        'Is a form wanted? Then add day and time to a form for enquiries, if there is one. Else make a form that asks for name, telephone number, day and time. Send it by the form service of another form, or suggest one. Give it the consent and the link to the privacy notice that the law asks for, and tell me if there is no such notice. Put a link to the booking page, or to the form, on every page. Let the buttons for booking lead there, too, except those that dial a number or open a messenger. Make each an ordinary link that stands in the page without a script.',
      asks: [
        'the address of the booking page, or “a form with day and time” and the page that shall have it',
        'the words of the link, such as “Book online”',
        'for a form: its e-mail address, form service and consent, if they differ from those of another form',
      ],
    },
  ],
  [
    'workflow-automation/pricing',
    {
      steps: () => [
        'Does your profession have rules for advertising? Ask who watches over them whether you may publish prices. If you may not, leave this out: the check then stays open, and that is right.',
        'Write down what you offer most, each with its price or the price from which it starts.',
        'Add this list to the message.',
      ],
      asks: ['the list of prices with the currency'],
    },
  ],
  [
    'workflow-automation/commerce',
    {
      steps: () => [
        'Choose how people shall order: a basket, or a payment link for each product.',
        'Ask whoever looks after your website what your website system offers for it.',
        'Add your choice to the message.',
      ],
      asks: ['how people shall order'],
    },
  ],
  [
    'workflow-automation/newsletter',
    {
      steps: () => [
        'Decide whether you have news to send, at least four times a year. If not, leave this out.',
        'Choose a mailing service that keeps the addresses where the law of your country allows it.',
        'Add the name of the service to the message.',
      ],
      asks: ['the mailing service'],
    },
  ],
  [
    'workflow-automation/crm-tags',
    {
      steps: ({ fix }) => [
        fix.startsWith(oldScript)
          ? 'Decide whether you want to know how many people come to the site, write or call. If not, write “none” into the message: then only the old script is taken out.'
          : 'Decide whether you want to know how many people come to the site, write or call. If not, leave this out.',
        'Choose a service that counts without following people. Its maker says what a privacy notice has to say of it.',
        'Add the name of the service to the message.',
      ],
      asks: ({ fix, isNoticeMissing }) => [
        fix.startsWith(oldScript)
          ? 'the counting service, “please suggest one”, or “none”'
          : 'the counting service; if none stands here, please suggest one first',
        ...(isNoticeMissing === true ? [] : ['the sentence on it for the privacy notice, if you have one']),
      ],
    },
  ],
  [
    'workflow-automation/hiring',
    {
      steps: () => [
        'Write down the questions that you ask everybody who applies.',
        'Decide who reads the applications.',
        'Add both to the message.',
      ],
      asks: ['the questions of the form', 'the e-mail address to which applications go'],
    },
  ],
  [
    'workflow-automation/integrations',
    {
      steps: () => [
        'Write down with which other programs yours can exchange data, and how.',
        'Ask whoever made your program whether the list is complete.',
        'Add the list to the message.',
      ],
      asks: ['the list of programs'],
    },
  ],
])
