import { type Buyers, terms } from './industry.ts'

/** Who decides in an agency or a marketing team, and how to begin a conversation worth their time. */
export const marketingBuyers: Buyers = {
  roles: [
    {
      title: 'Agency owner or managing director',
      aliases:
        terms(`owner, agency owner, founder, ceo, managing director, president, partner, principal, general manager,
        cfo, finance`),
      cares: 'margin on each client, clients who stay and people who do not burn out',
      objection: 'Clients pay for hours, so saving hours looks like losing revenue.',
      angle:
        'Separate hours that are billed from hours that are absorbed, such as reports and extra rounds. Talk only about the second kind.',
    },
    {
      title: 'Head of marketing or CMO',
      aliases:
        terms(`cmo, head of marketing, marketing director, vp marketing, chief marketing officer, marketing manager,
        marketing, brand manager, head of brand, demand generation`),
      cares: 'pipeline that can be proven and a team that ships',
      objection: 'There are already thirty tools, and nobody knows all of them.',
      angle:
        'Offer to replace something. Ask which figure in the last board slide was doubted and begin there.',
    },
    {
      title: 'Head of accounts or delivery',
      aliases:
        terms(`account director, account manager, client services, head of accounts, delivery, project manager, operations,
        coo, operations manager, traffic manager, producer`),
      cares: 'fewer rounds, calm clients and projects that end when planned',
      objection: 'Clients will not learn another tool for our sake.',
      angle:
        'Show the client’s side first: a link, no account, one list of comments. Ask how many rounds the last campaign took.',
    },
    {
      title: 'Performance or growth lead',
      aliases:
        terms(`performance, growth, head of growth, ppc, paid media, seo, analytics, marketing operations, data, crm,
        sales, revenue operations, it, cto`),
      cares: 'tracking that can be trusted and time for experiments',
      objection: 'Scripts already exist, and the person who wrote them is still here.',
      angle:
        'Respect the scripts and ask what happens when their author is on leave. Propose alerts before automatic changes.',
    },
  ],
  hooks: [
    'Clients read the first page of a report; most of the hours go into the other eleven.',
    'A draft rarely needs a fifth round because of the draft; it needs one because two people on the other side have not talked.',
    'The best post of the year is usually already recorded, in minute thirty-four of a webinar nobody has listened to again.',
  ],
  questions: [
    'How many hours of the first week of the month go into reports, and which page do clients mention?',
    'Who has the last word on a draft, and is it always the same person?',
    'What became of the leads of your last campaign, and how do you know?',
    'How long would a missing conversion tag go unnoticed over a weekend?',
    'Which piece of content would you publish again if someone prepared it?',
  ],
}
