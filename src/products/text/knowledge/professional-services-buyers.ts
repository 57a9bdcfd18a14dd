import { type Buyers, terms } from './industry.ts'

/** Who decides in a professional firm, and how to begin a conversation that is worth their time. */
export const professionalServicesBuyers: Buyers = {
  roles: [
    {
      title: 'Managing partner',
      aliases: terms(`managing partner, partner, owner, founder, ceo, principal, senior partner, president,
        managing director, shareholder, equity partner`),
      cares: 'profit for each partner, the firm’s name and young people who stay',
      objection: 'Partners agree to a new system in the meeting and go on as before afterwards.',
      angle:
        'Ask for one willing team and one type of matter. A result inside the house convinces partners better than any case study.',
    },
    {
      title: 'Practice or office manager',
      aliases:
        terms(`office manager, practice manager, firm administrator, operations, coo, director of operations,
        operations manager, administrator, administration, executive assistant`),
      cares: 'fewer interruptions, files that are complete and a month-end without a crisis',
      objection: 'There is no time to set anything up while the daily work goes on.',
      angle:
        'Offer to do the set-up for one checklist together in an hour. Name the task they can stop doing the week after.',
    },
    {
      title: 'Finance or billing manager',
      aliases:
        terms(`finance, billing, billing manager, cfo, controller, accounting manager, collections, finance director,
        financial controller`),
      cares: 'invoices that leave on time, fewer write-offs and steady cash',
      objection: 'The delay sits with the partners, and no software makes them approve drafts.',
      angle:
        'Show how many days each step takes and let the numbers speak about the partners. Bring an approval that works on a phone in the elevator.',
    },
    {
      title: 'IT or innovation lead',
      aliases:
        terms(`it, it manager, cio, cto, innovation, legal operations, legal ops, knowledge management, technology,
        digital, information security`),
      cares: 'confidentiality, access rights for each matter and few systems that are really used',
      objection: 'Client data must not train anyone’s model, and most vendors are vague about it.',
      angle:
        'Answer the question of where data goes before presenting features. Bring the clause in the contract that says so.',
    },
  ],
  hooks: [
    'In most firms the file is late because of two missing papers, and nobody can say which day they were first asked for.',
    'A quarter of an hour that is not recorded today is rarely recorded on Friday, and it is always the short call with the best client.',
    'People who need a lawyer or an accountant often ask three; the first clear reply tends to win, not the best brochure.',
  ],
  questions: [
    'How many hours pass between an inquiry and the first call back, and who would know?',
    'Which paper do you ask clients for most often, and how often twice?',
    'On which day of the month do your invoices leave, and what were they waiting for?',
    'Which document did your team draft more than ten times last month?',
    'Where would a new colleague look up the position the firm takes on a liability cap?',
  ],
}
