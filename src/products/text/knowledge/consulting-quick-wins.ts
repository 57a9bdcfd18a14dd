import type { QuickWin } from './industry.ts'

/** First steps for a consultancy that fit beside a running project. */
export const consultingQuickWins: readonly QuickWin[] = [
  {
    title: 'Build a shelf of ten proven passages',
    opportunity: 'proposal-drafting',
    why: 'Ten good passages cover most proposals, and choosing them settles what the firm wants to be known for.',
    steps: [
      'Take the last five proposals that won and mark what clients praised.',
      'Extract ten passages: method, team, references, risk, price logic.',
      'Remove names and figures of clients and add date and owner.',
      'Store them in one document with a table of contents.',
      'Use it for the next proposal and note what was missing.',
    ],
  },
  {
    title: 'Tag statements after the third interview',
    opportunity: 'interview-synthesis',
    why: 'Early sorting shows what to ask in the remaining talks, which is worth more than any tool.',
    steps: [
      'Write the five questions that the interviews are meant to answer.',
      'Ask for consent to record and say when the recording will be deleted.',
      'After three interviews, sort statements below the five questions.',
      'Change the guide where a question has no answer yet.',
    ],
  },
  {
    title: 'Compare hours with the plan every Monday',
    opportunity: 'status-reporting',
    why: 'One line for each project shows an overrun weeks before the report does.',
    steps: [
      'List for each project the budget, the hours used and the share of work finished.',
      'Mark those where hours run ahead of progress by a tenth.',
      'Ask the lead of each marked project one question on Monday.',
      'Tell the client early when the answer is not convincing.',
    ],
  },

  {
    title: 'Keep a source table for one project',
    opportunity: 'desk-research',
    why: 'A table with four columns ends the hunt for sources and takes minutes a day.',
    steps: [
      'Make columns for statement, figure, source and date of reading.',
      'Enter every figure before it goes on a slide.',
      'Let a colleague open ten sources at random.',
      'Correct what does not hold and note why.',
    ],
  },
  {
    title: 'Write the storyline as ten sentences first',
    opportunity: 'deliverables',
    why: 'Ten sentences are corrected in minutes, forty slides in nights.',
    steps: [
      'Write the message of each planned slide as one plain sentence.',
      'Read the ten sentences aloud to someone outside the project.',
      'Agree on them with the project lead before anything is drawn.',
      'Link each chart to its table and check that equal figures are equal.',
    ],
  },
  {
    title: 'Clean one finished project and see who uses it',
    opportunity: 'knowledge-reuse',
    why: 'One well-described project shows what a library would need.',
    steps: [
      'Choose a project that colleagues ask about.',
      'Remove names and figures that belong to the client and check the contract.',
      'Write five lines on top: question, method, result, limits, whom to ask.',
      'Tell the firm where it is and note who opens it within a month.',
    ],
  },
]
