/**
 * What a finding asks for, in values. Its `fix` says the same in one sentence; the report joins what several checks ask of
 * one text, and reads the numbers here. All lengths are in words.
 */
export type Work = TextWork | OtherWork

/** Work on the running text of pages that are there. */
export type TextWork =
  /** The paragraph that opens a page: 20 to 90 words. */
  | { readonly kind: 'opening'; readonly change: 'write' | 'extend' | 'add-sentence' | 'shorten' | 'replace' }
  /** `blank`: addresses of pages between whose header and footer nothing stands. */
  | { readonly kind: 'length'; readonly pages: readonly PageText[]; readonly blank?: readonly string[] }
  /** A page that is nearly empty: 150 words in all. */
  | { readonly kind: 'first-text' }
  /** More text than menus around it. */
  | { readonly kind: 'share' }
  /** A part about the people, below a heading where it has one; 150 words in all where `more` is not said. */
  | { readonly kind: 'people'; readonly heading?: string | undefined; readonly more?: number | undefined }
  /** Long passages without one. Some headings there may skip a level besides. */
  | { readonly kind: 'subheadings'; readonly isSkipping: boolean }
  /** One per 500 words. How many are wanted is not told: what is a list to readers may be none in the code. */
  | { readonly kind: 'lists' }
  /** One figure per hundred words. How many are wanted is not told: no list of units knows all that people count. */
  | { readonly kind: 'figures' }
  /** `areSentencesLong`: its sentences, and not its words alone. */
  | { readonly kind: 'plain-words'; readonly areSentencesLong: boolean }

interface PageText {
  readonly url: string
  readonly more: number
  /** It has few words and a picture, which may show the text. */
  readonly hasPicture?: true
}

/** Work on titles, headings and pages of their own. */
type OtherWork =
  | {
      readonly kind: 'title'
      readonly title?: WordsWanted
      readonly description?: WordsWanted
      /** A word of the title that is misspelled. */
      readonly slip?: { readonly written: string; readonly right: string }
      /** An empty title element stands before the true one, and is to be taken out. */
      readonly isBehindEmpty?: true
    }
  /** Open Graph properties that are missing or empty. One text serves as the description of the page and of its preview. */
  | { readonly kind: 'preview'; readonly lacks: readonly string[]; readonly isDescriptionShared: boolean }
  /** Several lines are main headings, and one of them stays. */
  | { readonly kind: 'one-main-heading'; readonly lines: readonly string[] }
  /** The name in the header is a main heading, and another one stands in the text. */
  | { readonly kind: 'logo-heading' }
  /** Each heading that gets another level is listed. */
  | { readonly kind: 'heading-order' }
  | { readonly kind: 'people-page'; readonly change: 'new' | 'replace' }
  /** Pages share one title. Of those without a name it is not known what they are about. */
  | { readonly kind: 'own-titles'; readonly unnamed: readonly string[] }
  /** A part for questions is there and has fewer than four. `areHeadings`: those that stand there are marked as headings. */
  | {
      readonly kind: 'more-questions'
      readonly more: number
      readonly heading: string
      readonly areHeadings: boolean
    }
  /** A form that is there sends nothing. */
  | { readonly kind: 'mend-forms'; readonly isForBooking: boolean; readonly isConsentAsked: boolean }
  /** A form that is there is sent to the placeholder of a template. `isServiceNamed`: at a form service. */
  | { readonly kind: 'finish-form'; readonly isServiceNamed: boolean; readonly isConsentAsked: boolean }
  /** A form that is there opens the mail program of its visitor. */
  | { readonly kind: 'mail-forms'; readonly isConsentAsked: boolean }
  /** Notices that the law asks for. */
  | { readonly kind: 'notices'; readonly isPrivacyAsked: boolean; readonly count: number }
  /** Links that lead to no page. */
  | {
      readonly kind: 'dead-links'
      readonly areNotices: boolean
      /** Those of which only the owner knows where they shall lead. */
      readonly asked: readonly DeadLink[]
    }
  /** Pictures that pages show are not there. */
  | {
      readonly kind: 'gone-pictures'
      readonly count: number
      /** On how many pages visitors miss them. */
      readonly pages: number
      /** So many of all that visitors take the pages for broken. */
      readonly isMany: boolean
      /** Those of which no other address is known, so that the owner may have to send them. */
      readonly asked: readonly AskedPicture[]
    }
  /** Only the owner knows where links shall lead that have no address. Some show the icon of a service. */
  | { readonly kind: 'empty-links'; readonly named: readonly string[] }
  | { readonly kind: Task }

export interface DeadLink {
  readonly url: string
  /** The words of the link; empty where it has none, or where no page that was read has the link. */
  readonly text: string
  /** Of other links to the same address, which may be meant to lead elsewhere. */
  readonly otherTexts?: readonly string[]
  /** The file of its picture, where it has no words. */
  readonly picture?: string
  /** `at “Whitening”`, where its words do not tell it from other links. */
  readonly where?: string
  /** A page with nearly the same address. */
  readonly guess?: string
}

export interface AskedPicture {
  /** The name of the file; empty where it is none, as of `/placeholder/200`. */
  readonly file: string
  /** The address of the page where it is missing. */
  readonly page: string
  /** `at “Whitening”`, `picture 2 of 3 below “Our team”`: an owner does not know what a file shows. */
  readonly place: string
}

/** What two fixes of one check are told apart by, where there is nothing to count. */
type Task =
  /** Dates are there for readers, and programs do not see them. */
  | 'mark-dates'
  /** No line of the page is its main heading. */
  | 'no-main-heading'
  /** Questions are there, and their answers are too short or too long. */
  | 'other-answers'
  /** Of a person or a project neither a street nor a telephone number is asked. */
  | 'one-way-of-contact'
  /** The pages show no way of contact at all. */
  | 'first-contact-facts'
  /** They show the address of a template. */
  | 'sample-address'
  /** What the pages show is missing from the markup. */
  | 'contact-markup'
  | 'left-open-text'
  /** Only the owner knows which of three similar languages the pages are in. */
  | 'choose-language'
  /** The markup names one profile elsewhere, and two are wanted. */
  | 'one-more-profile'
  | 'security-file'
  /** Nobody is named who answers for the site. */
  | 'who-answers'
  | 'take-out-feed'
  /** A rating stands in the markup alone. */
  | 'unseen-rating'
  /** Pictures are called reviews. */
  | 'review-pictures'
  /** Posts of another service stand in frames. */
  | 'review-frames'
  /** Visitors see the pages without their design. */
  | 'missing-styles'

export interface WordsWanted {
  readonly change: 'write' | 'shorten' | 'leave-out'
  /** A shorter text that was made of the one that is there. */
  readonly such?: string | undefined
}

/** In the order in which a writer does them: figures are counted when the text is there. */
export const textKinds: readonly TextWork['kind'][] = [
  'opening',
  'length',
  'first-text',
  'share',
  'people',
  'subheadings',
  'lists',
  'figures',
  'plain-words',
]

export function isTextWork(work: Work | undefined): work is TextWork {
  return textKinds.some((kind) => kind === work?.kind)
}
