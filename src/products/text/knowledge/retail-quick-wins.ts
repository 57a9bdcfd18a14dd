import type { QuickWin } from './industry.ts'

/** First steps for a shop that can be tried before the next busy period. */
export const retailQuickWins: readonly QuickWin[] = [
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
