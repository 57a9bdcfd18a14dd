import { type Buyers, terms } from './industry.ts'

/** Who decides in a consultancy, and how to begin a conversation that is worth their time. */
export const consultingBuyers: Buyers = {
  roles: [
    {
      title: 'Partner or managing director',
      aliases:
        terms(`partner, managing partner, managing director, owner, founder, ceo, principal, president, director, coach,
        chief executive, general manager`),
      cares: 'won work, margins on fixed prices and a reputation for substance',
      objection: 'Clients pay for our judgment, and it should not look as if a machine had supplied it.',
      angle:
        'Talk about the hours before judgment begins: searching, typing, formatting. Ask what the last lost proposal cost in days.',
    },
    {
      title: 'Head of operations',
      aliases:
        terms(`operations, coo, head of operations, operations manager, office manager, pmo, project management, staffing,
        resource manager, cfo, finance, controller`),
      cares: 'utilization that is real, projects within budget and invoices without discussion',
      objection: 'Consultants do not fill in anything on time.',
      angle:
        'Offer something that fills itself in. Begin with one line for each project on Monday and not with a system.',
    },
    {
      title: 'Head of knowledge or research',
      aliases:
        terms(`knowledge, knowledge management, research, head of research, librarian, insights, it, it manager, cio, cto,
        innovation, digital`),
      cares: 'sources that hold, reuse that is allowed and search that people trust',
      objection: 'We have had three intranets, and each was empty after a year.',
      angle:
        'Put the effort at the closing of a project, where the knowledge still exists. Ask who cleans documents today and when.',
    },
    {
      title: 'Business development lead',
      aliases:
        terms(`business development, sales, bid manager, proposal manager, marketing, cmo, growth, client director,
        account manager, head of sales`),
      cares: 'a calmer deadline, a higher share of wins and profiles that are up to date',
      objection: 'Every request is different, so templates weaken the proposal.',
      angle:
        'Agree, and show how many of the pages are not about the difference. Ask for the passage that has been rewritten most often.',
    },
  ],
  hooks: [
    'In many proposals the idea gets the last few hours, because finding the right profile and reference took all the others.',
    'If it takes a chat message to learn whether the firm has done something before, the answer depends on who is on vacation.',
    'A status report that is always green is expensive in the month in which it turns red.',
  ],
  questions: [
    'How many hours did your last lost proposal take, and what were most of them spent on?',
    'How do you find out whether a colleague has solved a similar problem?',
    'When did you last learn of an overrun, and when could you have known?',
    'Who in the project formats slides, and until when at night?',
    'Which figure in your last report could not be traced to its source when the client asked?',
  ],
}
