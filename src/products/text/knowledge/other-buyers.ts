import { type Buyers, terms } from './industry.ts'

/** The seats that exist in nearly every organization; also the fallback when an industry lacks a role. */
export const otherBuyers: Buyers = {
  roles: [
    {
      title: 'Owner or managing director',
      aliases:
        terms(`owner, ceo, founder, co-founder, managing director, president, general manager, chief executive,
        chief executive officer, executive director, proprietor, partner, board, entrepreneur`),
      cares: 'time for the real work, money that arrives and not being needed for everything',
      objection: 'There is no time to introduce anything, because there is no time.',
      angle:
        'Offer one change that takes an hour and gives back an hour a week. Avoid the word transformation.',
    },
    {
      title: 'Operations or office manager',
      aliases:
        terms(`operations, coo, operations manager, office manager, head of operations, administrator, administration, assistant,
        executive assistant, dispatcher, manager, director of operations, chief operating officer, chief of staff`),
      cares: 'fewer interruptions, clear owners and lists that are true',
      objection: 'Everything new ends up with me.',
      angle:
        'Ask what she or he would hand over first. Show who maintains it afterwards, and what happens when it fails.',
    },
    {
      title: 'Finance lead or bookkeeper',
      aliases:
        terms(`finance, cfo, controller, bookkeeper, accountant, accounting, finance manager, finance director, treasurer,
        chief financial officer, procurement, purchasing`),
      cares: 'correct books, cash and quiet audits',
      objection: 'Numbers from a machine have to be checked anyway.',
      angle:
        'Agree, and point to where checking takes seconds in place of typing. Begin with the twenty suppliers that send most invoices.',
    },
    {
      title: 'Sales or marketing lead',
      aliases:
        terms(`sales, marketing, cmo, head of sales, sales manager, sales director, growth, business development, vp sales,
        revenue, account executive, chief marketing officer, chief revenue officer, communications, brand`),
      cares: 'answers that go out first and offers that are followed up',
      objection: 'Customers notice templates and feel like a number.',
      angle:
        'Speak about the second question after an offer, which is forgotten most often. A reminder to a person is not a template.',
    },
    {
      title: 'IT lead',
      aliases:
        terms(`it, it manager, cio, cto, head of it, systems, administrator it, technology, security, ciso, data,
        chief technology officer, chief information officer, developer, engineering, product manager, product`),
      cares: 'few systems, clean access rights and no surprises on Sunday',
      objection: 'Every small automation becomes my problem when its author leaves.',
      angle:
        'Bring a list of what connects to what, who owns it, and how it reports a failure. Propose to retire something at the same time.',
    },
    {
      title: 'HR or people lead',
      aliases:
        terms(`hr, human resources, people, chro, head of people, hr manager, recruiter, talent, talent acquisition, training,
        learning and development, chief people officer`),
      cares: 'good first weeks, complete files and managers who keep promises',
      objection: 'Personal data must not travel through tools nobody has examined.',
      angle:
        'Start with the checklist and leave the data where it is. Ask what a new colleague lacked on the last first day.',
    },
  ],
  hooks: [
    'In many companies the evening is when invoices are written and messages answered, and nobody has ever counted those hours.',
    'A customer who gets no answer by tomorrow does not complain; someone else simply gets the order.',
    'If one person on vacation means that offers wait, the problem is not the vacation.',
  ],
  questions: [
    'Which task do you regularly do after closing time?',
    'What do customers ask most often, and where is the answer written down?',
    'How many days pass between finished work and the invoice?',
    'What would stand still if you were away for three weeks?',
    'Which information is typed into more than one program?',
  ],
}
