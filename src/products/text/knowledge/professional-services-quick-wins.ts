import type { QuickWin } from './industry.ts'

/** First steps for a firm, small enough for one willing team. */
export const professionalServicesQuickWins: readonly QuickWin[] = [
  {
    title: 'Replace the e-mail list of missing papers by one shared checklist',
    opportunity: 'document-collection',
    why: 'Clients answer faster when they see what is left, and the team stops keeping score by hand.',
    steps: [
      'Choose the engagement that needs the most chasing and list every paper it requires.',
      'Write each item as a client would say it and add one example.',
      'Put the list in a shared checklist or a collection tool for five clients.',
      'Set reminders on days three and seven and let them stop when an item arrives.',
      'Compare after two weeks how many reminders were still written by hand.',
    ],
  },
  {
    title: 'Confirm time at the end of each day',
    opportunity: 'time-capture',
    why: 'Ten minutes on the same day recover entries that nobody remembers on Friday.',
    steps: [
      'Block ten minutes at five o’clock in the calendar of one willing team.',
      'Let everyone go through calendar and sent mail of the day and confirm entries.',
      'Agree on a wording of at least six words for each entry.',
      'Compare the recorded hours of two weeks with the two weeks before.',
    ],
  },
  {
    title: 'Answer every inquiry within an hour with three questions',
    opportunity: 'client-intake',
    why: 'A quick and specific reply wins work without any new system.',
    steps: [
      'Write three questions for each practice area whose answers decide whether the firm can help.',
      'Set an automatic reply that asks them and names the person who will call.',
      'Send each inquiry to one mailbox with a named owner for the day.',
      'Note the time of the first personal reply for two weeks.',
    ],
  },

  {
    title: 'Turn your most copied document into one template',
    opportunity: 'document-drafting',
    why: 'The document that is copied most often carries most of the risk and repays the hour within weeks.',
    steps: [
      'Find the document that was drafted most often last quarter.',
      'Mark everything that changes from client to client.',
      'Write a question for each mark and put the questions at the top.',
      'Let a colleague draft one from the questions alone and note where it fails.',
      'Name an owner and a date for the next review.',
    ],
  },
  {
    title: 'Send half of the invoices in the middle of the month',
    opportunity: 'billing-collections',
    why: 'Two smaller rounds are easier to correct than one large one, and money arrives two weeks sooner.',
    steps: [
      'Choose the clients whose work does not depend on the end of the month.',
      'Print their drafts on the tenth and ask for approval within two days.',
      'Send them by the fifteenth with a way to pay.',
      'Set one friendly reminder three days after the due date.',
    ],
  },
  {
    title: 'Write your position on five clauses',
    opportunity: 'contract-review',
    why: 'Five agreed positions end most discussions between reviewers.',
    steps: [
      'Take the last ten contracts and list the clauses that were changed most.',
      'Write for the first five what you want, what you accept and what you refuse.',
      'Let two seniors agree on the wording in one sitting.',
      'Use the page for the next five reviews and correct it where it did not help.',
    ],
  },
]
