import type { QuickWin } from './industry.ts'

/** First steps for a financial firm that leave every decision where it is. */
export const financeQuickWins: readonly QuickWin[] = [
  {
    title: 'Reconcile one bank account every morning',
    opportunity: 'month-end-close',
    why: 'A single account is enough to show how much smaller a fresh exception is than one that is a month old.',
    steps: [
      'Choose the account with the most lines and switch on its bank feed.',
      'Write matching rules for the five most frequent kinds of transaction.',
      'Give one person fifteen minutes each morning for what did not match.',
      'Note the cause of each exception in one word.',
      'At the end of the month compare the open items with those of the month before.',
    ],
  },
  {
    title: 'Publish a checklist of papers before the application starts',
    opportunity: 'kyc-onboarding',
    why: 'Most delays are missing pages, and a list by type of client prevents many of them without any new system.',
    steps: [
      'Take the last thirty applications and count which papers were asked for afterwards.',
      'Write one list each for persons, companies and trusts.',
      'Show the list on the first page of the application and in the confirmation.',
      'Count follow-up requests for two weeks and shorten the list where nobody stumbles.',
    ],
  },
  {
    title: 'Build one template for the review pack',
    opportunity: 'client-reviews',
    why: 'Preparation repeats itself, and one agreed form can be filled by a scheduled export.',
    steps: [
      'Collect three recent review packs that clients liked.',
      'Reduce them to one template with four parts: goals, changes, figures, tasks.',
      'Schedule the export that fills the figures two days before each meeting.',
      'After the meeting, enter tasks in the same document while the client is still present.',
    ],
  },

  {
    title: 'Gather the facts for one type of alert before anyone opens it',
    opportunity: 'aml-alerts',
    why: 'One saved report for the most frequent rule shows how much of each case is only gathering.',
    steps: [
      'Find the rule that fires most often and take its last twenty alerts.',
      'Note which screens were opened and which figures were copied for each.',
      'Build one report that shows these figures for an account and a period.',
      'Let two investigators use it for a week and write down the minutes for each alert.',
    ],
  },
  {
    title: 'Name every upload the moment it arrives',
    opportunity: 'loan-documents',
    why: 'A fixed list of document types ends the renaming and shows gaps while the applicant is still there.',
    steps: [
      'List the twelve documents that nearly every file contains.',
      'Offer them as a choice in the upload form, with an example for each.',
      'Show the applicant at once what is still missing.',
      'Count for two weeks how often the same page is asked for twice.',
    ],
  },
  {
    title: 'Ask the same eight questions at every first notice',
    opportunity: 'claims-intake',
    why: 'Most calls back to a claimant are about a fact that could have been asked at the start.',
    steps: [
      'Read the last thirty claims and list what had to be asked afterwards.',
      'Write eight questions in the order of a calm conversation.',
      'Use them on the phone and in the form, with the same wording.',
      'Mark claims that fit a fast track and let one adjuster take them the same day.',
    ],
  },
]
