import { type Buyers, terms } from './industry.ts'

/** Who decides in a shop or an online store, and how to begin a conversation that is worth their time. */
export const retailBuyers: Buyers = {
  roles: [
    {
      title: 'Owner or managing director',
      aliases:
        terms(`owner, founder, ceo, managing director, general manager, president, shop owner, franchisee,
        restaurant owner, proprietor, partner`),
      cares: 'cash in the till and not on the shelf, and a day off that stays free',
      objection: 'Margins are thin, so a tool has to pay for itself within the season.',
      angle:
        'Talk about one week of their own numbers: messages, returns, stockouts. Suggest something that can be tried before the next busy period and undone without harm.',
    },
    {
      title: 'Head of e-commerce',
      aliases:
        terms(`ecommerce, e-commerce, head of ecommerce, ecommerce manager, digital, online, marketplace, marketing,
        cmo, growth, crm manager, web`),
      cares: 'conversion, return rate and pages that go live on time',
      objection: 'Every app slows the shop down, and the last one had to be taken out by a developer.',
      angle:
        'Name the page or flow you looked at and what a shopper meets there. Propose one change whose effect can be read within two weeks.',
    },
    {
      title: 'Operations or supply manager',
      aliases:
        terms(`operations, coo, supply chain, logistics, warehouse, fulfillment, buyer, purchasing, inventory,
        merchandising, store manager, operations manager`),
      cares: 'orders out on time, counts that are right and fewer surprises from suppliers',
      objection: 'The stock data is not clean enough for anything clever.',
      angle:
        'Accept that the data is imperfect and pick a step that improves it on the way, such as reasons for returns or dates of stockouts.',
    },
    {
      title: 'Head of customer service',
      aliases:
        terms(`customer service, customer support, customer experience, cx, support, service manager, help desk,
        customer care`),
      cares: 'short queues, patient colleagues and good reviews',
      objection: 'Shoppers hate bots, and the team hears about it afterwards.',
      angle:
        'Separate questions that need a fact from those that need a person, and leave the second kind alone. Ask how large the first kind is.',
    },
  ],
  hooks: [
    'A large part of the messages a shop receives asks for a fact it already holds, and each could have been answered one day before it was written.',
    'A return reason that is collected but never shown to the person who writes the product page cannot lower the return rate.',
    'The expensive stockout is seldom the one in the season; it is the quiet one on a steady seller that nobody looks at.',
  ],
  questions: [
    'How many of last week’s messages asked only where an order was?',
    'Which article comes back most often, and who in the company knows why?',
    'How long does it take from a delivery at the back door until the article can be bought online?',
    'Which stockout of the last quarter hurt most, and when was it first visible in the numbers?',
    'What do you do in the week before a sale that you would rather not do again?',
  ],
}
