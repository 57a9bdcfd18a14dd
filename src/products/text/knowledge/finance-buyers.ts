import { type Buyers, terms } from './industry.ts'

/** Who decides in a financial firm, and how to begin a conversation that is worth their time. */
export const financeBuyers: Buyers = {
  roles: [
    {
      title: 'Head of Operations',
      aliases:
        terms(`operations, coo, chief operating officer, head of operations, operations manager, back office,
        loan operations, claims manager, head of claims, servicing, process`),
      cares: 'cases per person, turnaround time and no surprises in an audit',
      objection: 'Exceptions are the real work, and most tools only handle the easy half.',
      angle:
        'Begin with the exceptions and ask which five of them make up most of the queue. Show how the easy half stops hiding them.',
    },
    {
      title: 'Chief Compliance Officer',
      aliases:
        terms(`compliance, chief compliance officer, cco, mlro, risk, chief risk officer, cro, aml, kyc, legal,
        general counsel, fraud`),
      cares: 'decisions that can be explained, complete records and a calm relationship with the supervisor',
      objection: 'If the reasoning cannot be shown to an examiner, the saved time is worth nothing.',
      angle:
        'Show the record of one decision from input to signature. Let them choose what must never be decided by software and respect that list.',
    },
    {
      title: 'Chief Financial Officer or controller',
      aliases:
        terms(`cfo, controller, finance director, chief financial officer, head of finance, accounting, accountant,
        treasurer, bookkeeper, finance manager, finance`),
      cares: 'a short close, figures that agree and people who are not lost after every year-end',
      objection: 'The auditors accept the spreadsheets, and a new system has to be explained to them first.',
      angle:
        'Ask on which working day the last balance is final and what it waits for. Offer to take one account and not the whole ledger.',
    },
    {
      title: 'Managing partner or chief executive',
      aliases:
        terms(`ceo, founder, owner, president, managing partner, partner, principal, managing director, adviser,
        advisor, agency owner, broker`),
      cares: 'growth without a matching growth of the back office, and the trust of clients',
      objection: 'Clients pay for personal service, and automation sounds like the opposite.',
      angle:
        'Put it as time returned to conversations with clients. Keep the talk on one moment where clients wait today.',
    },
  ],
  hooks: [
    'Most of the days between an application and an opened account are spent waiting for one document that could have been asked for on the first page.',
    'Most of the minutes spent on an alert go into opening screens, and only the last few into judgment.',
    'The close is slow because a month of differences is looked at in a week; the same differences looked at daily are mostly a coffee break.',
  ],
  questions: [
    'Which document do you most often ask for a second time, and what does the client see while you wait?',
    'On which working day is the last account reconciled, and what was it waiting for?',
    'If an examiner picked a case at random, how long would it take to show why it was approved?',
    'Which figure is typed into more than two systems?',
    'Which part of your queue would you be glad to never see again?',
  ],
}
