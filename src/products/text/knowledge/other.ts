import { automatic, hoursSaved, type Industry, manual, terms } from './industry.ts'
import { otherBuyers } from './other-buyers.ts'
import { otherQuickWins } from './other-quick-wins.ts'

/**
 * What nearly every organization has: invoices, an inbox, a calendar, new colleagues and data in two
 * places. It serves the trades without a file of their own, and it lends opportunities to the other
 * industries when a question asks for something that is not special to them.
 */
export const other: Industry = {
  slug: 'other',
  name: 'Small and medium businesses',
  field: 'small and medium businesses',
  organizations: 'small and medium businesses',
  customers: 'private and business customers',
  scale: 'an organization of about fifteen people with two of them in the office',
  aliases:
    terms(`small business, family business, nonprofit, non-profit, charity, foundation, church, ngo, association, club,
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
