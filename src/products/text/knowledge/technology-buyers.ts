import { type Buyers, terms } from './industry.ts'

/** Who decides in a software company, and how to begin a conversation that is worth their time. */
export const technologyBuyers: Buyers = {
  roles: [
    {
      title: 'VP of Engineering or CTO',
      aliases:
        terms(`cto, vp engineering, vp of engineering, head of engineering, engineering manager, technical lead,
        chief technology officer, platform, developer, devops, it, it manager, architect, engineer`),
      cares: 'focus time for engineers, reliability and a roadmap that moves',
      objection:
        'The team could build this in a sprint, so a purchase has to prove that maintenance is the real cost.',
      angle:
        'Speak about interruptions per week and about what is not being built because of them. Show the interface and the failure behavior before the feature list.',
    },
    {
      title: 'Head of Customer Success or Support',
      aliases:
        terms(`customer success, support, head of support, csm, customer experience, cx, service, account management,
        account manager, customer care`),
      cares: 'renewals without surprises and answers that stay right when the product changes',
      objection: 'A bot was tried before, and the customers it annoyed were the good ones.',
      angle:
        'Ask for the tickets that should never have been needed. Offer to begin where a person approves every answer and to widen that step by step.',
    },
    {
      title: 'Founder or CEO',
      aliases:
        terms(`founder, ceo, chief executive, owner, managing director, president, general manager, coo,
        operations, chief operating officer`),
      cares: 'growth for each person hired, and runway',
      objection: 'Every tool is one more subscription, and attention is scarcer than money.',
      angle:
        'Connect the work to a hire that would not be needed this year. Be short, give one number, and say what happens in the first two weeks.',
    },
    {
      title: 'Head of Growth or Sales',
      aliases:
        terms(`sales, growth, revenue, cro, vp sales, marketing, cmo, head of sales, revenue operations, revops,
        business development, demand generation`),
      cares: 'activation, pipeline and deals that do not stall in review',
      objection: 'Every number in the dashboard is disputed, so another source of numbers is not welcome.',
      angle:
        'Choose the single step of the trial or of the deal where most are lost, and talk only about that step.',
    },
  ],
  hooks: [
    'A support queue is a list of the documentation pages that are missing, ordered by how often they are missed.',
    'The first sign of a cancellation is seldom a complaint; it is a week in which nobody logged in, and the billing system cannot see that.',
    'A two-hundred-row security questionnaire is mostly the last questionnaire in another order, which makes it a matching problem and not a writing problem.',
  ],
  questions: [
    'Which question do your engineers answer most often, and where is the answer written down?',
    'At which step do most trials stop, and how long after it happens do you know?',
    'When the last large customer left, which sign was there two months before?',
    'How long did the most recent security questionnaire hold up a contract?',
    'Which alert wakes people up without anything being wrong?',
  ],
}
