import { type Buyers, terms } from './industry.ts'

/** Who decides in an agency or in property management, and how to begin a conversation worth their time. */
export const realEstateBuyers: Buyers = {
  roles: [
    {
      title: 'Broker or agency owner',
      aliases:
        terms(`broker, owner, broker owner, agency owner, founder, ceo, managing broker, principal, president,
        managing director, partner, general manager`),
      cares: 'closings for each agent, agents who stay and a name that brings mandates',
      objection: 'Agents are independent and use what they like.',
      angle:
        'Suggest something that works for the agent without learning anything, such as a first reply to inquiries. Ask how many inquiries of last month nobody called.',
    },
    {
      title: 'Property manager',
      aliases:
        terms(`property manager, property management, portfolio manager, building manager, leasing manager, leasing,
        community manager, facility manager, facilities, asset manager, landlord`),
      cares: 'occupied units, quiet owners and evenings without calls',
      objection: 'Tenants will go on calling whatever form exists.',
      angle:
        'Start with one building and one kind of request. Ask which calls of last week could have been a photo.',
    },
    {
      title: 'Operations or transaction coordinator',
      aliases:
        terms(`operations, coordinator, transaction coordinator, coo, office manager, administrator, closing, compliance,
        finance, cfo, operations manager, controller`),
      cares: 'complete files, dates that hold and fewer calls asking where things stand',
      objection: 'Each deal is different, so templates never fit.',
      angle:
        'Agree that the conditions differ and show that the dates do not. Offer to build one checklist from their last three deals.',
    },
    {
      title: 'Marketing lead',
      aliases:
        terms(`marketing, marketing manager, cmo, listing manager, digital, brand, communications, sales, growth,
        lead generation, agent, realtor`),
      cares: 'listings that look right everywhere and inquiries that become viewings',
      objection: 'Texts written by software all sound alike.',
      angle:
        'Bring two portals that show different facts for the same home. Talk about correctness first and style second.',
    },
  ],
  hooks: [
    'Someone who asks about a home at nine in the evening has usually asked about four, and will see the one whose agent answered first.',
    'Most calls to a property manager are about a state that could be looked up: reported, ordered, arriving Tuesday.',
    'A lease that is not renewed in time is rarely a decision; it is a date that nobody saw.',
  ],
  questions: [
    'How long does an inquiry from a portal wait on a Saturday evening?',
    'Which of your listings differs between the website and a portal today?',
    'How many calls does one repair need from report to invoice?',
    'How do you learn that a lease ends in ninety days?',
    'What did your last seller ask that nobody could answer at once?',
  ],
}
