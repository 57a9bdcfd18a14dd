import { type AutomationRule, byHand, bySoftware, seenAt } from './automation-rule.ts'

/** Rules for what the business publishes: answers, articles, goods, reviews, interfaces. */
export const publishingRules: readonly AutomationRule[] = [
  {
    id: 'opp-answer-markup',
    title: 'Answers that machines can read',
    category: 'content',
    impact: 'medium',
    effort: 'low',
    hours: [2, 4],
    isDeterministic: true,
    currentState: ({ faq }) =>
      faq.how === 'pairs' && !faq.isMarkedUp
        ? `The site answers questions, ${seenAt(faq.evidence)}, without FAQPage markup.`
        : undefined,
    description:
      'Write the answered questions out as FAQPage markup from the same source as the page, so that both stay equal.',
    potentialState:
      'Answer engines take question and answer as they are, and a change on the page changes the markup.',
    approach: [
      'FAQPage in JSON-LD made by the page template',
      'a check in publishing that every answer is in it',
    ],
    workflow: {
      name: 'Answered questions',
      description: 'How an answer gets to those who ask elsewhere.',
      steps: [
        bySoftware('Publish the answer', 'It stands on the page for readers.'),
        byHand(
          'Repeat it elsewhere',
          'The same answer usually has to be given again by mail and in profiles.',
        ),
        byHand('Keep it current', 'A change has to be made in each place.'),
      ],
    },
  },
  {
    id: 'opp-content-pipeline',
    title: 'News on fixed days',
    category: 'content',
    impact: 'medium',
    effort: 'medium',
    hours: [6, 12],
    isDeterministic: false,
    currentState: ({ newsletter, blog }) => {
      const parts = [
        ...(blog.how === 'stale'
          ? [`No new article was seen for more than 90 days: ${seenAt(blog.evidence)}.`]
          : []),
        ...(newsletter.how === 'none' ? ['No form to subscribe and no mailing service was found.'] : []),
      ]
      return parts.length === 0 ? undefined : parts.join(' ')
    },
    description:
      'Turn what is new in the business into a draft, a published article and a mail to subscribers on fixed days.',
    potentialState:
      'Drafts are ready on the planned day, a person approves them, and publishing and mailing follow by themselves.',
    approach: [
      'an editorial calendar with owners',
      'drafts from notes and answered questions',
      'a mail that is made from the published article',
    ],
    workflow: {
      name: 'News and articles',
      description: 'How news reaches readers and subscribers.',
      steps: [
        byHand('Find a topic', 'Without a plan, somebody has to remember that it is time again.'),
        byHand('Write', 'The article usually begins with an empty page.'),
        byHand('Publish', 'It is put on the site.'),
        byHand('Tell people', 'Without a mailing, it is announced one channel at a time.'),
      ],
    },
  },
  {
    id: 'opp-catalogue-enrichment',
    title: 'One record for each product',
    category: 'data',
    impact: 'high',
    effort: 'medium',
    hours: [8, 20],
    isDeterministic: false,
    currentState: ({ shop }) =>
      shop.how === 'shop' && shop.productMarkup === 'none'
        ? `The site sells online, ${seenAt(shop.evidence)}, and neither Product markup nor a feed of products was found on the pages that were read.`
        : undefined,
    description:
      'Keep every product once, with all its properties, and make pages, Product markup and feeds from that record.',
    potentialState:
      'Price, stock and properties are equal everywhere, and shopping assistants can compare the goods.',
    approach: [
      'one product record as the source',
      'Product and Offer markup made by the template',
      'a feed for merchants, made each night',
    ],
    workflow: {
      name: 'Product catalogue',
      description: 'How a product gets its texts, properties and price wherever it is shown.',
      steps: [
        byHand('Enter the product', 'Texts and properties are entered into the shop.'),
        bySoftware('Show it', 'The shop makes the product page.'),
        byHand('Enter it elsewhere', 'Without a feed, marketplaces and search need the same again.'),
        byHand('Keep prices equal', 'A change has to be repeated in each place.'),
      ],
    },
  },
  {
    id: 'opp-review-requests',
    title: 'Review requests',
    category: 'reputation',
    impact: 'medium',
    effort: 'low',
    hours: [3, 6],
    isDeterministic: true,
    currentState: ({ reviews }) =>
      reviews.how === 'none'
        ? 'No review, rating or testimonial was found on the pages that were read.'
        : undefined,
    description:
      'Ask everyone you have served for a review some days later, and show those that come in on the site. Where your profession has rules for advertising, ask first.',
    potentialState:
      'Requests go out by themselves, answers are shown with their source, and bad ones reach a person at once.',
    approach: [
      'a message that starts when an order or a visit is closed',
      'one link to the place where reviews count for you',
      'the reviews on the site, with their markup',
    ],
    workflow: {
      name: 'Reviews',
      description: 'How people come to say publicly what they thought.',
      steps: [
        byHand('Ask', 'Without a fixed moment, asking depends on memory.'),
        byHand('Collect', 'Kind words often stay in mailboxes and conversations.'),
        byHand('Publish', 'They usually have to be copied to the site by hand.'),
      ],
    },
  },
  {
    id: 'opp-api-description',
    title: 'API description',
    category: 'integration',
    impact: 'medium',
    effort: 'medium',
    hours: [4, 8],
    isDeterministic: true,
    currentState: ({ api }) =>
      api.how === 'found' && api.description === 'none'
        ? `The site offers an API, ${seenAt(api.evidence)}, and no OpenAPI description was found at the usual places.`
        : undefined,
    description:
      'Publish an OpenAPI description, made from the code, and let documentation and client libraries follow from it.',
    potentialState:
      'Agents and developers call the API from its description, and questions about fields no longer reach support.',
    approach: [
      'an OpenAPI document made in the build',
      'documentation rendered from it',
      'a link with rel=service-desc',
    ],
    workflow: {
      name: 'API integration',
      description: 'How a developer or an agent comes to call the API.',
      steps: [
        byHand('Read the documentation', 'The calls are found by reading pages.'),
        byHand('Write the client', 'Without a description to generate it from, it is written by hand.'),
        byHand('Answer questions', 'What the pages leave open has to be asked.'),
      ],
    },
  },
]
