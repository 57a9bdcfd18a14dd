/**
 * Says how a person does an action for which nothing can be pasted, one step after the other. The owner of a shop knows
 * the answers to the questions of visitors, and does not know that each has to stand below a heading of its own.
 * @param id the leading finding of the action: `entity-trust/about`
 * @param page the page that the action names
 * @returns undefined for what only whoever made the website can do
 */
export function stepsFor(id: string, page: string): readonly string[] | undefined {
  return steps.get(id)?.map((step) => step.replaceAll('PAGE', page))
}

const open =
  'Open PAGE in your website system, or in a text that you send to whoever looks after your website.'
const first = 'Read the first lines of PAGE as a stranger would.'
const save = 'Publish the page, then scan again.'

const questions = [
  'Write down what you are asked most, by telephone, by e-mail and at the door. Five to eight questions are enough.',
  'Answer each in two to four sentences, as you would on the telephone. That makes 20 to 80 words.',
  'Put all of them on one page. Each question becomes a heading, and its answer stands right below.',
  'Link the page from the menu, under a name such as “Questions”.',
  save,
]

const profiles = [
  'Write down where else you are listed: map services, networks, trade registers, chambers, portals of your trade.',
  'Open each entry and copy its full address from the browser. Two are enough.',
  'Check that name, address and telephone number are the same there as on your site.',
  'Send the addresses to whoever looks after your website: “Please add these to sameAs in our JSON-LD. Keep what stands in it.”',
]

const longerText = [
  open,
  'Write one paragraph for each of these: what you do, for whom, where, how it works, and what it costs.',
  'Give each paragraph a heading that says what it is about. Write only what is true.',
  save,
]

const steps: ReadonlyMap<string, readonly string[]> = new Map([
  ['core-snapshot/ssr-text', longerText],
  ['content-answerability/depth', longerText],
  [
    'core-snapshot/title-desc',
    [
      'Write a title of 10 to 70 characters: your name, what you do, and the place.',
      'Write one or two sentences of 50 to 170 characters: what you offer, and for whom.',
      'Enter both in the settings of the page PAGE. Most website systems call them SEO title and description.',
      save,
    ],
  ],
  [
    'core-snapshot/one-h1',
    [
      open,
      'Choose the one line that says what the page is about, and mark it as “Heading 1”.',
      'Mark every other line of that kind as “Heading 2”.',
      save,
    ],
  ],
  [
    'content-answerability/answer-first',
    [
      first,
      'Write one paragraph of two or three sentences: who you are, what you do, for whom and where.',
      'Put it right below the main heading, before pictures and greetings.',
      save,
    ],
  ],
  [
    'content-answerability/hierarchy',
    [
      open,
      'Mark the title of the page as “Heading 1”, each chapter as “Heading 2”, and parts of a chapter as “Heading 3”.',
      'Do not skip a kind to get a smaller letter. The look is a matter of the design.',
      'Put a heading before every long stretch of text.',
      save,
    ],
  ],
  ['content-answerability/question-blocks', questions],
  ['workflow-automation/faq', questions],
  ['workflow-automation/support', questions],
  [
    'content-answerability/evidence',
    [
      open,
      'Look for words such as “many”, “fast” or “experienced”.',
      'Put the figure in their place where you know it: years, minutes, sizes, amounts, numbers of people.',
      'Leave out what you cannot prove.',
      save,
    ],
  ],
  [
    'content-answerability/lists-tables',
    [
      open,
      'Look for what is a list in truth: steps, prices, opening hours, what is included.',
      'Use the list or table of your website system for it, not commas or line breaks.',
      save,
    ],
  ],
  [
    'content-answerability/link-text',
    [
      open,
      'Look for links that say “here”, “more” or “click”.',
      'Write in their place what the reader finds there, such as “Prices” or “Book a class”.',
      save,
    ],
  ],
  [
    'content-answerability/readability',
    [
      open,
      'Cut every sentence of more than 20 words in two.',
      'Use the words that you use when you speak with people.',
      save,
    ],
  ],
  [
    'entity-trust/about',
    [
      'Write 150 words or more: who runs it, since when, where, and what they have learned or done before.',
      'Name the people. Say what each of them does.',
      'Put it on PAGE, or on a page of its own with a link in the menu.',
      save,
    ],
  ],
  [
    'entity-trust/citations',
    [
      open,
      'Find each statement that you took from elsewhere, such as a figure or a rule.',
      'Link the place where you read it, on the words of the statement.',
      save,
    ],
  ],
  [
    'entity-trust/authorship',
    [
      'Write the name of the author under the title of each article: “By …”.',
      'Link the name to the page where you tell who that is.',
      'Most website systems have a field for the author, which also writes it for machines. Fill it in.',
      save,
    ],
  ],
  [
    'entity-trust/legal',
    [
      'Ask your chamber, association or lawyer which notices you need. Many of them have texts to start from.',
      'Fill them in, and check that they name the services that your site really uses.',
      'Put each on a page of its own, and link these pages from the footer of all pages.',
      save,
    ],
  ],
  [
    'entity-trust/proof',
    [
      'Look for reviews that others have written about you, on maps, portals or in a newspaper.',
      'Where the rules of your trade allow it, link them from PAGE, or quote one with its source.',
      'Have you none yet? Ask people whether they would write what they thought.',
      'Never write one yourself.',
    ],
  ],
  ['entity-trust/profiles', profiles],
  ['structured-data/same-as', profiles],
  [
    'entity-trust/nap',
    [
      'Write down the one telephone number, e-mail address and street address that are right today.',
      'Compare them with every page of your site, above all the footer, the contact page and the legal notice.',
      'Send what differs to whoever looks after your website: “Please write these everywhere, and into our JSON-LD.”',
    ],
  ],
  [
    'freshness-index/newest',
    [
      'Write about something that is new: a service, an event, a change of hours, an answer to a frequent question.',
      'Put the day on it, where readers see it.',
      'Do this once every three months.',
      save,
    ],
  ],
  [
    'workflow-automation/booking',
    [
      'Ask the maker of the program that holds your calendar whether it offers booking on a website. Many do.',
      'Choose what may be booked there without a call, and how long each takes.',
      'Put the link to it on every page, as an ordinary link. A part that only a script adds is not seen by most agents.',
      save,
    ],
  ],
  [
    'workflow-automation/pricing',
    [
      'Write down what you sell most, each with its price or the price from which it starts.',
      'Check what the rules of your trade say about published prices.',
      'Put it as a table with the currency on PAGE, or on a page of its own in the menu.',
      save,
    ],
  ],
  [
    'workflow-automation/commerce',
    [
      'Choose how people shall order: a basket, or a payment link for each product.',
      'Ask whoever looks after your website what your website system offers for it.',
      'Put the price and the button on the page of each product.',
      save,
    ],
  ],
  [
    'workflow-automation/newsletter',
    [
      'Decide whether you have news to send, at least four times a year. If not, leave this out.',
      'Choose a mailing service that keeps the addresses where the law of your country allows it.',
      'Have its form, with one field for the e-mail address, put into the footer.',
      save,
    ],
  ],
  [
    'workflow-automation/crm-tags',
    [
      'Decide whether you want to know how many people write or call through the site. If not, leave this out.',
      'Choose a service that counts without following people. Name it in your privacy notice.',
      'Have whoever looks after your website put it in.',
    ],
  ],
  [
    'workflow-automation/hiring',
    [
      'Write down the questions that you ask everybody who applies.',
      'Have a form with these questions put on the page about jobs.',
      save,
    ],
  ],
  [
    'workflow-automation/integrations',
    [
      'Write down with which other programs yours can exchange data, and how.',
      'Put it on a page of its own, and link that from the menu.',
      save,
    ],
  ],
])
