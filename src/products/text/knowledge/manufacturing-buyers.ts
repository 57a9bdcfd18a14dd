import { type Buyers, terms } from './industry.ts'

/** Who decides in a plant or workshop, and how to begin a conversation that is worth their time. */
export const manufacturingBuyers: Buyers = {
  roles: [
    {
      title: 'Plant or operations manager',
      aliases:
        terms(`plant manager, operations, operations manager, coo, production manager, head of production, factory manager,
        works manager, site manager, manufacturing manager, chief operating officer`),
      cares: 'output, delivery dates and a shift that ends without a crisis',
      objection: 'The last system was introduced by people who had never stood at a machine.',
      angle:
        'Ask to see the bottleneck before showing anything. Propose a trial on a single machine with the operators choosing the words on the screen.',
    },
    {
      title: 'Owner or managing director',
      aliases:
        terms(`owner, ceo, managing director, founder, president, general manager, chief executive, shareholder,
        partner, cfo, finance director, finance`),
      cares: 'margins on each order, customers who stay and knowledge that does not retire',
      objection: 'Money goes into machines first, because a machine can be touched.',
      angle:
        'Compare the cost with one lost order or one hour of the bottleneck. Talk about the two people whose knowledge is written nowhere.',
    },
    {
      title: 'Quality manager',
      aliases:
        terms(`quality, quality manager, head of quality, qa, qc, quality assurance, compliance, ehs, safety,
        regulatory`),
      cares: 'audits without findings, fewer complaints and records that can be found',
      objection: 'Auditors know the present forms, and every change has to be validated.',
      angle:
        'Keep the form and change the way it is filled in. Show how a record from last March is found in ten seconds.',
    },
    {
      title: 'Maintenance or engineering lead',
      aliases:
        terms(`maintenance, maintenance manager, engineering, engineer, technical manager, reliability, it, it manager, cio,
        cto, automation engineer, process engineer`),
      cares: 'planned work that really happens and machines whose history is known',
      objection: 'Technicians will not type on a phone with oily hands.',
      angle:
        'Begin with photos and voice in place of text. Ask which fault returned most often this year and how anyone would know.',
    },
    {
      title: 'Purchasing or supply chain manager',
      aliases:
        terms(`purchasing, procurement, supply chain, buyer, logistics, materials manager, sourcing, inventory,
        planner, sales, sales manager, estimator`),
      cares: 'material on time, fair prices and fewer phone calls about dates',
      objection: 'Small suppliers do not use portals and never will.',
      angle:
        'Suggest working with the e-mails suppliers already send. A list of lines without a confirmed date is useful from the first day.',
    },
  ],
  hooks: [
    'Most plants can say how long a machine stood still last week, but not why.',
    'The shop that answers a request for quotation on the same day is compared with nobody else.',
    'A shortage on the line has usually been visible for two weeks in a purchase order without a confirmed date.',
  ],
  questions: [
    'Which machine does everyone wait for, and what stopped it most often last month?',
    'How many days pass between a request for quotation and your offer, and how many of them are waiting?',
    'How far ahead do you learn that a critical part will be late?',
    'Where are the readings of last March’s lot, and how long would it take to find them?',
    'Which two colleagues could not be replaced next month?',
  ],
}
