import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a shop or an online store, and how to begin a useful conversation with them. */
const retailBuyers: Buyers = {
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

/** First steps for a shop that can be tried before the next busy period. */
const retailQuickWins: readonly QuickWin[] = [
  {
    title: 'Send a delay message before the shopper asks',
    opportunity: 'order-questions',
    why: 'One message at the right time replaces several questions, and most shipping tools can already send it.',
    steps: [
      'Count this week how many messages ask only where an order is.',
      'Find the setting for shipment notifications in the shop or the shipping tool.',
      'Switch on a message for parcels without a scan for three days, with a plain apology and the next step.',
      'Put the tracking link at the top of the order confirmation.',
      'Count the same messages again after a week.',
    ],
  },
  {
    title: 'Ask every return for one of six reasons',
    opportunity: 'returns-handling',
    why: 'Reasons show at once which product page or size chart causes returns that could be avoided.',
    steps: [
      'Write six reasons that a shopper would choose without thinking.',
      'Put them as a required choice in the return form or the reply template.',
      'Look after two weeks at the three articles with the most returns.',
      'Change the picture, the size note or the text of those three.',
    ],
  },
  {
    title: 'Turn on one abandoned cart reminder without a discount',
    opportunity: 'repeat-purchase',
    why: 'It is a single flow, it is included in most shop systems, and it shows quickly whether reminders suffice.',
    steps: [
      'Write a short message that shows the cart and answers the most frequent doubt, such as delivery time.',
      'Send it four hours after the cart was left, only once.',
      'Leave out everyone who has ordered in the last two weeks.',
      'Compare recovered orders after fourteen days with the two weeks before.',
    ],
  },

  {
    title: 'Write down every day without stock for your best fifty',
    opportunity: 'stock-reorder',
    why: 'The list shows what was really lost and makes every later forecast better.',
    steps: [
      'Take the fifty articles with the most sales in the last quarter.',
      'Each evening, mark those that cannot be bought today.',
      'Note beside them the supplier and the days a delivery takes.',
      'Order the three with the longest gap earlier than you would have by feel.',
    ],
  },
  {
    title: 'Set five required facts for each kind of article',
    opportunity: 'product-content',
    why: 'Required fields stop half-finished pages and cost nothing but an hour of agreement.',
    steps: [
      'Choose the kind of article with the most questions or returns.',
      'Agree on five facts that a shopper needs before buying.',
      'Add them as required fields and fill in the twenty best sellers.',
      'Ask the supplier for the facts that are missing, in one list.',
    ],
  },
  {
    title: 'Let staff enter availability themselves',
    opportunity: 'shift-planning',
    why: 'Requests in one place end the messages at night and make the next plan easier.',
    steps: [
      'Open a shared calendar or a scheduling tool in its free form.',
      'Ask everyone to enter two weeks of availability by Wednesday.',
      'Publish the plan on Friday at a fixed hour.',
      'Allow swaps between two people of the same role without asking.',
    ],
  },
]

/** Shops, restaurants and online stores: stock, orders, returns, product pages, shifts and repeat sales. */
export const retail: Industry = {
  slug: 'retail',
  name: 'Retail',
  field: 'retail',
  organizations: 'shops and online stores',
  customers: 'shoppers',
  scale: 'a store or online shop with about twelve people and a few hundred orders a week',
  people: 12,
  aliases:
    terms(`retail, retailer, retailers, shop, shops, store, stores, boutique, ecommerce, e-commerce, online store,
    online shop, webshop, marketplace seller, dropshipping, shopify, amazon seller, merchandise, merchandising, fashion,
    apparel, clothing, shoes, footwear, jewelry, jeweler, cosmetics, beauty products, grocery, grocer, supermarket,
    convenience store, bakery, cafe, coffee shop, coffee, florist,
    flower shop, bookstore, bookshop, toys, pet store, furniture, home decor, electronics store, hardware store, garden
    center, wine shop, wholesale, distributor, franchise, consumer goods, returns, checkout, abandoned cart, stock`),
  opportunities: [
    {
      id: 'returns-handling',
      title: 'Returns handled from request to refund',
      subject: 'returns handling',
      description:
        'Shoppers start a return themselves, the reason decides whether it becomes an exchange, a refund or a repair, and stock and money follow without retyping.',
      currentState:
        'A return begins with an e-mail, a label is made by hand, the parcel waits on a shelf, and the refund is entered when someone has an hour.',
      potentialState:
        'A return page checks the order and the policy, offers the right size first, issues the label, and refunds when the carrier scans the parcel.',
      impact: 'high',
      effort: 'low',
      category: 'workflow',
      hours: hoursSaved({ count: 70, unit: 'returns', per: 'week', minutes: 11, removed: [50, 75] }),
      automationApproach:
        terms(`a self-service return page linked to orders, policy rules by product and date,
        carrier scans that trigger refund and restock`),
      recommendedTools: ['Loop Returns', 'AfterShip Returns', 'ReturnGO'],
      watchOut:
        'Instant refunds invite abuse if nobody looks at repeat returners; set a limit above which a person decides.',
      unfit: terms('restaurant, cafe, coffee, bakery, bar, pizzeria, food truck'),
      measure: 'the days from request to refund, and the share of returns turned into exchanges',
      topics:
        terms(`return, returns, refund, refunds, exchange, reverse logistics, return policy, rma, warranty, sizing,
        returns handling`),
    },
    {
      id: 'stock-reorder',
      title: 'Reorder proposals from sales and lead times',
      subject: 'stock reordering',
      description:
        'Sales speed, season and the lead time of each supplier become a weekly order proposal that the buyer corrects instead of builds.',
      currentState:
        'The buyer walks the shelves or scrolls a spreadsheet on Sunday night, orders by feel, and learns about a stockout from a shopper.',
      potentialState:
        'Each Monday a proposal shows what to order, what to let run out and what to mark down, with the reason beside each line.',
      impact: 'high',
      effort: 'medium',
      category: 'operations',
      hours: hoursSaved({
        count: 400,
        unit: 'articles reviewed',
        per: 'week',
        minutes: 2,
        removed: [45, 70],
      }),
      automationApproach:
        terms(`sales and stock data from the register and the shop, reorder points by supplier lead time,
        draft purchase orders for approval`),
      recommendedTools: ['Inventory Planner', 'Prediko', 'Cin7'],
      watchOut:
        'A forecast repeats last year’s stockouts as low demand unless days without stock are taken out of the history.',
      unfit: terms('restaurant, bar, pizzeria, food truck'),
      measure: 'stockout days on the fifty best-selling articles, and money tied up in slow stock',
      topics:
        terms(`stock, inventory, reorder, replenishment, stockout, forecast, forecasting, demand, purchasing, buying,
        warehouse, overstock, supplier, purchase order, shelves`),
    },
    {
      id: 'order-questions',
      title: 'Answers to “where is my order” and other routine questions',
      subject: 'order questions',
      description:
        'Questions about delivery, sizes and opening hours are answered from order and product data; the rest reaches a person with the order already open.',
      currentState:
        'Much of the inbox asks where a parcel is; someone copies the order number into the carrier’s site and pastes the result into a reply.',
      potentialState:
        'Late parcels trigger a message before the shopper asks, routine questions are answered at any hour, and complaints go to a named person.',
      impact: 'high',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 220, unit: 'messages', per: 'week', minutes: 5, removed: [40, 65] }),
      automationApproach: terms(
        `carrier events joined with orders, proactive delay messages, replies filled from order data`,
      ),
      recommendedTools: ['Gorgias', 'AfterShip', 'Zendesk'],
      watchOut:
        'An angry shopper who meets a bot becomes a public review; words of anger should always lead to a person.',
      unfit: terms('restaurant, cafe, coffee, bakery, bar, pizzeria, food truck'),
      measure: 'messages for each hundred orders, and the hours to a first reply',
      topics:
        terms(`order status, wismo, delivery, shipping, tracking, customer service, customer support, inbox, chat,
        chatbot, messages, parcel, questions, support, late`),
    },
    {
      id: 'product-content',
      title: 'Product pages and feeds from one record',
      subject: 'product content',
      description:
        'Supplier data is brought to one form, missing attributes are found, and descriptions for each channel are drafted from the same record.',
      currentState:
        'New articles wait for days because someone copies texts from a supplier file, crops pictures and fills in each marketplace by hand.',
      potentialState:
        'A new article arrives with attributes mapped, a draft text in the voice of the shop and a list of what is missing before it can go live.',
      impact: 'medium',
      effort: 'medium',
      category: 'content',
      hours: hoursSaved({ count: 30, unit: 'new articles', per: 'week', minutes: 25, removed: [40, 65] }),
      automationApproach: terms(`a product record with required attributes, text drafts from attributes,
        feeds generated for each marketplace`),
      recommendedTools: ['Akeneo', 'Salsify', 'Shopify Magic'],
      watchOut:
        'A drafted text may promise a material or a size that the record does not contain, so drafts may only use fields that are filled.',
      unfit: terms('restaurant, cafe, coffee, bakery, bar, pizzeria, food truck'),
      measure: 'the days from delivery to live page, and returns with the reason “not as described”',
      topics:
        terms(`product, products, description, descriptions, catalog, listing, content, seo, attributes, photos,
        marketplace, feed, pim, product page, product data`),
    },
    {
      id: 'repeat-purchase',
      title: 'Abandoned cart and repeat purchase messages',
      subject: 'repeat purchase messages',
      description:
        'Messages follow what a shopper did: a cart left behind, a refill that is due, a size that is back; and they stop when the order comes.',
      currentState:
        'One newsletter goes to everyone on Thursday, and the shopper who bought yesterday gets a discount for the same article today.',
      potentialState:
        'A handful of flows run by themselves, each with a rule for stopping, and the newsletter is left for real news.',
      impact: 'high',
      effort: 'low',
      category: 'growth',
      hours: hoursSaved({ count: 5, unit: 'campaigns', per: 'week', minutes: 120, removed: [35, 55] }),
      automationApproach: terms(`shop events sent to the mail tool, flows for cart and refill and win-back,
        suppression of recent buyers`),
      recommendedTools: ['Klaviyo', 'Omnisend', 'Shopify Email'],
      watchOut:
        'Discounts in every cart message teach shoppers to leave the cart; begin with a reminder and a reason.',
      unfit: terms('restaurant, cafe, coffee, bakery, bar, pizzeria, food truck'),
      measure: 'revenue for each recipient of a flow, and the rate of people who unsubscribe',
      topics:
        terms(`abandoned cart, cart, e-mail, email marketing, repeat, loyalty, retention, campaign, newsletter, sms,
        customers, win-back, conversion, personalization, marketing`),
    },
    {
      id: 'shift-planning',
      title: 'Shift plans from expected traffic',
      subject: 'shift planning',
      description:
        'Availability, contracts and expected footfall become a draft schedule, and swaps are settled by rules and not by phone.',
      currentState:
        'The manager builds the plan on paper around requests sent by message, and every illness means an evening of calls.',
      potentialState:
        'A draft fits the busy hours, staff swap within limits on their phones, and an open shift is offered to everyone who may take it.',
      impact: 'medium',
      effort: 'low',
      category: 'operations',
      hours: hoursSaved({
        count: 24,
        unit: 'shift changes and requests',
        per: 'week',
        minutes: 14,
        removed: [45, 70],
      }),
      automationApproach: terms(`sales by hour from the register, availability kept by staff themselves,
        swap rules with automatic approval`),
      recommendedTools: ['Deputy', 'Homebase', '7shifts'],
      watchOut:
        'Rest periods and notice of changes are regulated in many places, so enter those limits before the first draft.',
      measure: 'sales for each paid hour, and changes made after the plan was published',
      topics:
        terms(`shift, shifts, staff, staffing, schedule, scheduling, rota, roster, employees, labor, restaurant,
        footfall, timesheet, hours`),
    },
  ],
  workflows: [
    {
      name: 'From order to doorstep',
      description: 'A paid order is picked, packed, shipped and followed until it arrives.',
      steps: [
        automatic('Receive', 'The shop confirms order and payment.'),
        manual('Pick and pack', 'Someone prints a list and fills the parcel.'),
        manual('Make the label', 'Weight and address are entered at the carrier.'),
        automatic('Track', 'The carrier reports each scan.'),
        manual('Answer questions', 'Shoppers ask where the parcel is.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The carrier’s data exists, but a person carries it to the shopper.',
    },
    {
      name: 'From return to restock',
      description: 'An article comes back, is judged, refunded and sold again.',
      steps: [
        manual('Ask', 'The shopper writes an e-mail.'),
        manual('Approve', 'Someone checks date and policy.'),
        manual('Inspect', 'The article is unpacked and judged.'),
        manual('Refund', 'The amount is entered in the payment system.'),
        manual('Restock', 'The count is corrected by hand.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Only inspection needs hands; the rest is rules.',
    },
    {
      name: 'Weekly buying',
      description: 'What sold becomes what is ordered.',
      steps: [
        automatic('Count sales', 'The register holds every sale.'),
        manual('Check shelves', 'The buyer compares counts with reality.'),
        manual('Decide', 'Amounts are set from experience.'),
        manual('Order', 'Each supplier gets an e-mail or a portal entry.'),
      ],
      isDeterministic: false,
      automationPotential: 'medium',
      currentState: 'The decision is good, but its preparation eats the weekend.',
    },
  ],
  painPoints: [
    {
      title: 'An inbox full of delivery questions',
      detail:
        'Most messages ask for something the shop already knows, so every hour spent answering them is taken from the people who have a real problem.',
      sign: 'Reviews praise the products and complain about slow answers.',
    },
    {
      title: 'Best sellers out of stock, slow sellers in the way',
      detail:
        'Money sits in articles nobody asks for while the ones that sell are missing, and both come from ordering by feel under time pressure.',
      sign: 'Popular sizes or articles in the online shop are marked as sold out for weeks.',
    },
    {
      title: 'Returns that eat the margin',
      detail:
        'A return costs shipping twice, handling once and often the season, and the reason for it is seldom written down where a buyer would see it.',
      sign: 'The return page asks shoppers to send an e-mail or print a form.',
    },
    {
      title: 'New articles that wait to go online',
      detail:
        'Goods are on the shelf but not on the page, because text, pictures and attributes are put together one article at a time.',
      sign: 'Product pages differ widely in length, or carry the supplier’s text unchanged.',
    },
  ],
  buyers: retailBuyers,
  quickWins: retailQuickWins,
  facts: [
    'Shoppers forgive a late parcel more readily than silence about it, which is why a message sent first saves more work than a fast reply.',
    'In much of Europe, online buyers may withdraw from a purchase within fourteen days, so the return process is part of the product and not an exception.',
    'A sales history without a record of stockouts teaches every forecast that a missing article was an unwanted one.',
    'Size and fit, pictures and delivery time explain most avoidable returns, and all three are decided on the product page.',
  ],
}
