import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Roles that exist in nearly every organization; also the fallback when an industry lacks a role. */
const otherBuyers: Buyers = {
  roles: [
    {
      title: 'Owner or managing director',
      aliases:
        terms(`owner, ceo, founder, co-founder, managing director, president, general manager, chief executive,
        chief executive officer, executive director, proprietor, partner, board, entrepreneur`),
      cares: 'time for the real work, money that arrives and not being needed for everything',
      objection: 'There is no time to introduce anything, because there is no time.',
      angle:
        'Offer one change that takes an hour and gives back an hour a week. Avoid the word transformation.',
    },
    {
      title: 'Operations or office manager',
      aliases:
        terms(`operations, coo, operations manager, office manager, head of operations, administrator, administration, assistant,
        executive assistant, dispatcher, manager, director of operations, chief operating officer, chief of staff`),
      cares: 'fewer interruptions, clear owners and lists that are true',
      objection: 'Everything new ends up with me.',
      angle:
        'Ask what she or he would hand over first. Show who maintains it afterwards, and what happens when it fails.',
    },
    {
      title: 'Finance lead or bookkeeper',
      aliases:
        terms(`finance, cfo, controller, bookkeeper, accountant, accounting, finance manager, finance director, treasurer,
        chief financial officer, procurement, purchasing`),
      cares: 'correct books, cash and quiet audits',
      objection: 'Numbers from a machine have to be checked anyway.',
      angle:
        'Agree, and point to where checking takes seconds in place of typing. Begin with the twenty suppliers that send most invoices.',
    },
    {
      title: 'Sales or marketing lead',
      aliases:
        terms(`sales, marketing, cmo, head of sales, sales manager, sales director, growth, business development, vp sales,
        revenue, account executive, chief marketing officer, chief revenue officer, communications, brand`),
      cares: 'answers that go out first and offers that are followed up',
      objection: 'Customers notice templates and feel like a number.',
      angle:
        'Speak about the second question after an offer, which is forgotten most often. A reminder to a person is not a template.',
    },
    {
      title: 'IT lead',
      aliases:
        terms(`it, it manager, cio, cto, head of it, systems, administrator it, technology, security, ciso, data,
        chief technology officer, chief information officer, developer, engineering, product manager, product`),
      cares: 'few systems, clean access rights and no surprises on Sunday',
      objection: 'Every small automation becomes my problem when its author leaves.',
      angle:
        'Bring a list of what connects to what, who owns it, and how it reports a failure. Propose to retire something at the same time.',
    },
    {
      title: 'HR or people lead',
      aliases:
        terms(`hr, human resources, people, chro, head of people, hr manager, recruiter, talent, talent acquisition, training,
        learning and development, chief people officer`),
      cares: 'good first weeks, complete files and managers who keep promises',
      objection: 'Personal data must not travel through tools nobody has examined.',
      angle:
        'Start with the checklist and leave the data where it is. Ask what a new colleague lacked on the last first day.',
    },
  ],
  hooks: [
    'In many companies the evening is when invoices are written and messages answered, and nobody has ever counted those hours.',
    'A customer who gets no answer by tomorrow does not complain; someone else simply gets the order.',
    'If one person on vacation means that offers wait, the problem is not the vacation.',
  ],
  questions: [
    'Which task do you regularly do after closing time?',
    'What do customers ask most often, and where is the answer written down?',
    'How many days pass between finished work and the invoice?',
    'What would stand still if you were away for three weeks?',
    'Which information is typed into more than one program?',
  ],
}

/** First steps for any organization with an office of one or two. */
const otherQuickWins: readonly QuickWin[] = [
  {
    title: 'Give every recurring question one approved answer',
    opportunity: 'shared-inbox',
    why: 'An hour of writing saves the same hour every week from then on.',
    steps: [
      'Read the last fifty messages and count the questions that return.',
      'Write a good answer to each of the first ten, with a link where one helps.',
      'Save them as templates in the mail program with clear names.',
      'Put the three most frequent on the website next to the contact form.',
      'Count the same questions again after two weeks.',
    ],
  },
  {
    title: 'Use one mail address for all supplier invoices',
    opportunity: 'invoice-processing',
    why: 'A single entrance is the condition for everything else and can be opened in ten minutes.',
    steps: [
      'Create the address and tell the twenty largest suppliers.',
      'Forward it to the reading feature that your accounting program most likely has.',
      'Name one person who looks at it every day at the same time.',
      'Note for a month which invoices needed a second look, and why.',
    ],
  },
  {
    title: 'Write the invoice on the day the work ends',
    opportunity: 'payment-reminders',
    why: 'Money arrives sooner when the invoice does, without any reminder at all.',
    steps: [
      'Measure for the last ten jobs how many days passed until the invoice.',
      'Make a template with the five most frequent items.',
      'Send the invoice from the phone before leaving the customer.',
      'Switch on one friendly reminder three days before the due date.',
    ],
  },

  {
    title: 'Open a booking page for one kind of appointment',
    opportunity: 'self-booking',
    why: 'One page for the most frequent appointment takes an hour and shows how many calls it saves.',
    steps: [
      'Choose the appointment that is agreed by phone most often.',
      'Set its length, the free times and the buffer before and after.',
      'Put the link on the website, in the signature and in the answering message.',
      'Send a reminder the day before with a link to move.',
      'Count calls about dates for two weeks.',
    ],
  },
  {
    title: 'Write the checklist for the first day',
    opportunity: 'employee-onboarding',
    why: 'Twenty lines with a name behind each prevent most of what goes wrong in the first week.',
    steps: [
      'Ask the last two who joined what was missing.',
      'List papers, accounts, equipment and people to meet.',
      'Put a name and a date before the first day behind each line.',
      'Keep the same list for the day someone leaves, with the order reversed.',
    ],
  },
  {
    title: 'End one weekly meeting with a list that everyone sees',
    opportunity: 'meeting-followup',
    why: 'It needs no tool and shows how many tasks a tool would have to carry.',
    steps: [
      'Choose the meeting with the most open ends.',
      'Use the last five minutes to read decisions, owners and dates aloud.',
      'Enter them at once where the team already works.',
      'Open the list at the start of the next meeting and close what is done.',
    ],
  },
  {
    title: 'Name the leading system for your customer addresses',
    opportunity: 'system-sync',
    why: 'One decision about who is right removes most of the comparing, before anything is connected.',
    steps: [
      'List every place where customer addresses are kept.',
      'Choose the one that is right when two of them differ.',
      'Remove the right to change addresses in the others, or mark them as copies.',
      'Connect the largest copy with a ready-made connector and watch it for a week.',
      'Send a notice to a named person when a transfer fails.',
    ],
  },
]

/**
 * Work of nearly every organization: invoices, an inbox, a calendar, new colleagues and data in two places. It serves
 * industries without a file of their own, and other industries borrow its opportunities for general questions.
 */
export const other: Industry = {
  slug: 'other',
  name: 'Small and medium businesses',
  field: 'small and medium businesses',
  organizations: 'small and medium businesses',
  customers: 'private and business customers',
  scale: 'an organization of about fifteen people with two of them in the office',
  people: 15,
  aliases:
    terms(`small business, family business, restaurant, restaurants, bar, food truck, pizzeria, nonprofit, non-profit, charity, foundation, church, ngo, association, club,
    government, municipality, city council, public sector, hotel, hotels, hostel, bed and breakfast, hospitality, travel
    agency, tourism, tour operator, event venue, wedding, construction, contractor, builder, roofing, plumber, plumbing,
    electrician, hvac, landscaping, gardening, cleaning, cleaning company, janitorial, pest control, moving company,
    logistics, trucking, transport, transportation, courier, freight, shipping company, taxi, limousine, car dealer,
    auto repair, car repair, garage, mechanic, car wash, hair salon, salon, barber, spa, nail studio, gym, fitness, yoga,
    fitness studio, sports club, agriculture, farm, farming, energy, solar, utilities, waste management, security guards,
    entertainment, theater, museum, media, publishing, newspaper, film, music, art gallery, aquarium, zoo, laundry, handyman`),
  opportunities: [
    {
      id: 'invoice-processing',
      title: 'Supplier invoices from mailbox to approved payment',
      subject: 'invoice processing',
      description:
        'Incoming invoices are read, matched with the order or the contract, sent to the right person for approval, and handed to accounting.',
      currentState:
        'Invoices arrive by mail and paper, someone types them in, walks around for signatures, and discounts for early payment expire.',
      potentialState:
        'Fields are filled on arrival, doubles and wrong amounts are marked, and approval takes one tap with the order beside it.',
      impact: 'high',
      effort: 'low',
      category: 'finance',
      hours: hoursSaved({ count: 40, unit: 'invoices', per: 'week', minutes: 9, removed: [50, 75] }),
      automationApproach:
        terms(`one address for all invoices with text recognition, matching with orders by number and amount,
        approval rules by amount and department`),
      recommendedTools: ['Dext', 'BILL', 'Rossum'],
      watchOut:
        'Fraud arrives as an invoice with a new bank account, so a change of account always needs a call to a known number.',
      measure: 'days from arrival to approval, and invoices touched more than once',
      topics:
        terms(`invoice, invoices, invoice processing, accounts payable, payables, bills, bookkeeping, receipts, expenses, supplier,
        approval, paperwork, accounting, ocr, data entry`),
    },
    {
      id: 'shared-inbox',
      title: 'A shared inbox that sorts and drafts',
      subject: 'inquiry handling',
      description:
        'Inquiries from mail, form and chat come together, are sorted by subject and urgency, and routine answers are drafted from approved texts.',
      currentState:
        'Everyone reads the same mailbox, two people answer or none, and the same explanation is written new each time.',
      potentialState:
        'Each message has an owner within minutes, routine answers need one look before sending, and nothing older than a day goes unseen.',
      impact: 'high',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 45, unit: 'messages', per: 'day', minutes: 4, removed: [35, 55] }),
      automationApproach: terms(`one shared inbox with owners, sorting by a short list of subjects,
        reply drafts from approved answers`),
      recommendedTools: ['Front', 'Help Scout', 'Missive'],
      watchOut:
        'Complaints and anything with money or health in it should reach a person without a draft in between.',
      measure: 'the hours to a first answer, and messages older than a day',
      topics:
        terms(`inbox, email, e-mail, mailbox, inquiry, inquiries, customer service, customer support, support, messages, contact form,
        chatbot, chat, whatsapp, phone, calls, response time, faq`),
    },
    {
      id: 'self-booking',
      title: 'Booking and reminders without phone calls',
      subject: 'online booking',
      description:
        'Customers choose a time that is really free, pay a deposit where it makes sense, and move the appointment themselves.',
      currentState:
        'Dates are agreed by phone and written in a book, calls come in the middle of work, and missed appointments are accepted as fate.',
      potentialState:
        'A booking page knows people, rooms and travel time, reminders go out the day before, and free slots are offered to those who wait.',
      impact: 'high',
      effort: 'low',
      category: 'workflow',
      hours: hoursSaved({ count: 70, unit: 'appointments', per: 'week', minutes: 8, removed: [50, 75] }),
      automationApproach: terms(`a booking page tied to calendars, deposits for long appointments,
        reminders with a link to move`),
      recommendedTools: ['Calendly', 'Cal.com', 'Microsoft Bookings'],
      watchOut:
        'Leave a phone number on the page; the customers with the largest orders often prefer to talk.',
      unfit: terms(
        'logistics, trucking, transport, transportation, freight, shipping, courier, construction, builder, landscaping, wholesale, manufacturing, bakery, shop, store',
      ),
      alone: true,
      measure: 'bookings made without a call, and appointments missed',
      topics:
        terms(`booking, bookings, appointment, appointments, schedule, scheduling, calendar, reminder, reminders, no-show, reservations,
        reservation, dispatch, classes, route planning`),
    },
    {
      id: 'payment-reminders',
      title: 'Invoices sent at once and reminded politely',
      subject: 'payment reminders',
      description:
        'Invoices leave when the work is done, payments are matched as they arrive, and reminders follow a schedule that fits the customer.',
      currentState:
        'Invoices are written on weekends, the bank statement is compared by eye, and reminding is put off because it is unpleasant.',
      potentialState:
        'A finished job creates the invoice, reminders go out before and after the due date, and only real disputes reach the owner.',
      impact: 'high',
      effort: 'low',
      category: 'finance',
      hours: hoursSaved({ count: 110, unit: 'invoices', per: 'month', minutes: 12, removed: [50, 75] }),
      automationApproach: terms(`invoices created from finished jobs, matching of bank lines,
        friendly reminders with a payment link`),
      recommendedTools: ['Xero', 'Chaser', 'Upflow'],
      watchOut:
        'Good customers who once pay late deserve a call; take the best twenty out of the automatic second reminder.',
      unfit: terms(
        'hotel, hostel, bed and breakfast, restaurant, bar, pizzeria, cafe, food truck, salon, barber, spa, nail studio, gym, fitness, yoga, car wash, taxi, laundry, shop, store, bakery, coffee',
      ),
      alone: true,
      measure: 'days from finished work to money in the bank',
      topics:
        terms(`payment, payments, late payment, invoicing, billing, receivables, accounts receivable, cash flow, reminders, dunning,
        collections, getting paid, unpaid invoices, quotes`),
    },
    {
      id: 'employee-onboarding',
      title: 'New colleagues ready on the first day',
      subject: 'employee onboarding',
      description:
        'A signed contract starts a checklist: papers, accounts, equipment, training and a plan for the first weeks, each with an owner.',
      currentState:
        'The manager remembers half of it, the laptop arrives on day three, and payroll asks for the same form twice.',
      potentialState:
        'Tasks go out by themselves, forms are filled in before the first day, and the new colleague knows whom to ask.',
      impact: 'medium',
      effort: 'low',
      category: 'people',
      hours: hoursSaved({
        count: 3,
        unit: 'new or leaving colleagues',
        per: 'month',
        minutes: 420,
        removed: [45, 65],
      }),
      automationApproach: terms(`a checklist for each role, forms that feed payroll and accounts,
        reminders to the owner of each task`),
      recommendedTools: ['BambooHR', 'HiBob', 'Rippling'],
      watchOut:
        'The same list has to run backwards when someone leaves, or old accounts stay open for years.',
      measure: 'open tasks on the first day, and weeks until a new colleague works alone',
      topics:
        terms(`onboarding, employee onboarding, hiring, hr, human resources, recruiting, recruitment, new hire, new hires, employees,
        staff, training, offboarding, payroll, people, applicants, retention`),
    },
    {
      id: 'meeting-followup',
      title: 'Meeting notes that become tasks',
      subject: 'meeting follow-up',
      description:
        'Decisions and tasks are taken from the conversation, checked by one person, and entered where the work is managed.',
      currentState:
        'Someone types along, the notes sleep in a mail, and the next meeting begins with asking who was going to do what.',
      potentialState:
        'A draft with decisions, owners and dates is ready at the end, corrected in two minutes, and tasks appear in the list.',
      impact: 'medium',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 22, unit: 'meetings', per: 'week', minutes: 20, removed: [45, 65] }),
      automationApproach: terms(`recording with the consent of everyone present, summaries in a fixed form,
        tasks sent to the list in use`),
      recommendedTools: ['Fathom', 'Otter', 'Fireflies.ai'],
      watchOut:
        'In many places everyone has to agree to a recording, and some conversations should not be recorded at all.',
      measure: 'tasks finished by the agreed date, and meetings that could be dropped',
      topics:
        terms(`meeting, meetings, notes, minutes, follow-up, tasks, transcription, summary, action items, productivity,
        collaboration, project management, calls`),
    },
    {
      id: 'system-sync',
      title: 'Data that moves between systems by itself',
      subject: 'data synchronization',
      description:
        'Orders, contacts and figures pass between shop, customer list, accounting and spreadsheet without anyone copying them.',
      currentState:
        'The same customer is typed into three programs, lists are exported on Friday, and nobody knows which version is right.',
      potentialState:
        'A change is made once and passed on, failures raise a notice, and the weekly list is up to date whenever it is opened.',
      impact: 'high',
      effort: 'medium',
      category: 'data',
      hours: hoursSaved({ count: 90, unit: 'records copied', per: 'week', minutes: 5, removed: [55, 80] }),
      automationApproach:
        terms(`one named source for each kind of data, connectors or small scripts between systems,
        a notice when a transfer fails`),
      recommendedTools: ['Zapier', 'Make', 'n8n'],
      watchOut:
        'Two-way transfers without a leading system copy mistakes in both directions; decide first which side wins.',
      alone: true,
      measure: 'records entered more than once, and hours until a failed transfer is noticed',
      topics:
        terms(`data, data entry, integration, integrations, sync, synchronization, spreadsheet, spreadsheets, excel, crm, copy paste,
        manual entry, database, workflow, workflow automation, zapier, systems, reporting, reports`),
    },
  ],
  workflows: [
    {
      name: 'From inquiry to order',
      description: 'Someone asks, gets an answer and an offer, and orders.',
      steps: [
        automatic('Receive', 'Mail, form or phone brings the inquiry.'),
        manual('Answer', 'Whoever has time writes back.'),
        manual('Offer', 'An older offer is copied and changed.'),
        manual('Follow up', 'Someone remembers to ask, or does not.'),
        manual('Confirm', 'Date and terms are agreed by phone.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Offers are lost because nobody asked a second time.',
    },
    {
      name: 'From finished work to money',
      description: 'A job is invoiced, paid and entered in the books.',
      steps: [
        manual('Report the work', 'Hours and material are written on paper.'),
        manual('Invoice', 'The owner writes it on the weekend.'),
        manual('Match', 'Bank lines are compared by eye.'),
        manual('Remind', 'Late payers are called, reluctantly.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Two weeks pass before the customer even receives the invoice.',
    },
    {
      name: 'A new colleague',
      description: 'Someone signs a contract and can work independently some weeks later.',
      steps: [
        manual('Collect papers', 'Forms are sent and asked for again.'),
        manual('Prepare', 'Accounts and equipment are ordered.'),
        manual('Introduce', 'Colleagues explain when they have time.'),
        manual('Check', 'The manager asks after a month how it is going.'),
      ],
      isDeterministic: true,
      automationPotential: 'medium',
      currentState: 'Everything happens, but in the wrong order and too late.',
    },
  ],
  painPoints: [
    {
      title: 'Office work after closing time',
      detail:
        'Invoices, offers and messages are done in the evening, when the day’s real work is over, and quality and family both pay for it.',
      sign: 'Replies and invoices carry times late at night or on weekends.',
    },
    {
      title: 'Customers who wait for an answer',
      detail:
        'People who do not hear back within a day ask the next company, and nobody ever finds out that they were lost.',
      sign: 'Reviews mention that it was hard to reach anyone.',
    },
    {
      title: 'Everything depends on one person',
      detail: 'Prices, passwords and promises live in one head, which works until the first long illness.',
      sign: 'The same person signs offers, answers the phone and appears in every review.',
    },
    {
      title: 'The same thing typed three times',
      detail:
        'Each program wants its own copy, and every copy takes time, ages, and contradicts the others when it matters.',
      sign: 'The company uses separate tools for bookings, shop and accounting that are not known to connect.',
    },
  ],
  buyers: otherBuyers,
  quickWins: otherQuickWins,
  facts: [
    'Automation of a bad process produces bad results sooner, so leaving out a step is worth more than speeding it up.',
    'A connection between two programs needs an owner like any other machine, because it will one day stop without making a sound.',
    'Most accounting programs sold today can read invoices and send reminders; these features are often paid for and never switched on.',
    'Customers judge a business by the time to the first answer long before they can judge its work.',
  ],
}
