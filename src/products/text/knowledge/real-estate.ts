import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in an agency or in property management, and how to begin a useful conversation with them. */
const realEstateBuyers: Buyers = {
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

/** First steps for an agency or property manager, one building or one listing at a time. */
const realEstateQuickWins: readonly QuickWin[] = [
  {
    title: 'Send a useful first reply to every inquiry within five minutes',
    opportunity: 'lead-response',
    why: 'One good template answers what most people ask and keeps them from writing to the next agency.',
    steps: [
      'Collect the ten questions asked most often about your listings.',
      'Write a reply that gives cost, availability and a viewing link, and asks for timing and financing.',
      'Switch it on for all portal inquiries, signed with a real name.',
      'Let that person call everyone who answers within the hour.',
      'Compare viewings for each hundred inquiries after two weeks.',
    ],
  },
  {
    title: 'Put the next twelve months of lease dates in one list',
    opportunity: 'lease-renewals',
    why: 'A sorted list with reminders ninety days ahead turns surprises into decisions.',
    steps: [
      'Export all leases with end date, notice period and rent.',
      'Add a column for the date on which the owner must be asked.',
      'Create calendar reminders for that date, not for the end.',
      'Write one letter for owners with two options to choose from.',
    ],
  },
  {
    title: 'Let tenants report repairs with a photo',
    opportunity: 'maintenance-requests',
    why: 'A photo and four questions replace the first call and often the first visit.',
    steps: [
      'Build a form with address, room, photo, urgency and times for access.',
      'Write at the top which emergencies need a call and give the number.',
      'Send the link to the tenants of one building and hang it in the hallway.',
      'Answer each report the same day with the next step.',
    ],
  },

  {
    title: 'Compare your ten newest listings across portals',
    opportunity: 'listing-syndication',
    why: 'An hour of comparing shows which channel is forgotten and what it costs in trust.',
    steps: [
      'Open the ten newest listings on the website and on each portal.',
      'Mark every difference in price, size, pictures and state.',
      'Correct them and note which channel was wrong most often.',
      'Name one person and one hour a week for this check until a feed does it.',
    ],
  },
  {
    title: 'Offer viewings in blocks by area',
    opportunity: 'viewing-scheduling',
    why: 'Two fixed blocks a week save driving and most of the messages about dates.',
    steps: [
      'Choose two blocks of three hours for one area.',
      'Open them as slots on a booking page with the address and access notes.',
      'Send the link with every first reply.',
      'Remind visitors the evening before and ask for a one-word answer.',
      'Ask each visitor two questions afterwards and forward them to the seller.',
    ],
  },
  {
    title: 'Send one status message every Friday',
    opportunity: 'transaction-coordination',
    why: 'A regular message answers the calls before they are made.',
    steps: [
      'List for each open deal the next three dates and who is due.',
      'Write a message of five lines with these facts.',
      'Send it every Friday at the same hour to all parties.',
      'Count the calls asking for the state before and after.',
    ],
  },
]

/** Agencies and property managers: inquiries, listings, viewings, leases, repairs and closings. */
export const realEstate: Industry = {
  slug: 'real-estate',
  name: 'Real estate',
  field: 'real estate',
  organizations: 'agencies and property managers',
  customers: 'buyers, sellers and tenants',
  scale: 'an agency with ten agents and three hundred units under management',
  people: 10,
  aliases:
    terms(`real estate, realty, realtor, realtors, property, properties, property management, property manager,
    estate agent, estate agency, letting agent, lettings, landlord, landlords, tenant, tenants, rental, rentals, lease,
    leasing office, apartment, apartments, housing, homes for sale, house sale, home buyer, home buyers, home seller, condo, condominium, hoa,
    homeowners association, commercial property, office space, coworking, vacation rental, vacation rentals, airbnb host,
    short-term rental, broker of record, mls, listing agent, listings, open house, real estate developer, property
    developer, facility management, facilities, self storage, student housing, residential, relocation, title company, escrow`),
  opportunities: [
    {
      id: 'lead-response',
      title: 'Immediate answers to property inquiries',
      subject: 'inquiry response',
      description:
        'Inquiries from portals and the website are answered within minutes, qualified with a few questions, and handed to the right agent with the answers.',
      currentState:
        'Portal leads land in a shared mailbox, agents reply between viewings, and many of the people asking have booked with someone else by then.',
      potentialState:
        'A reply with the missing facts goes out at any hour, budget and timing are asked, and the agent calls people who are ready to look.',
      impact: 'high',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 110, unit: 'inquiries', per: 'week', minutes: 9, removed: [45, 65] }),
      automationApproach:
        terms(`one inbox for all portals, a first reply with property facts and three questions,
        routing by area and price range`),
      recommendedTools: ['Follow Up Boss', 'Lofty', 'Structurely'],
      watchOut:
        'Fair-housing law covers automatic replies too: questions must be the same for everyone and never touch protected traits.',
      measure: 'the minutes to a first reply, and viewings for each hundred inquiries',
      topics:
        terms(`lead, leads, inquiry, inquiries, lead response, response time, follow-up, prospects, buyers, portal leads, crm,
        speed to lead, nurture, lead generation, qualification, chatbot`),
    },
    {
      id: 'listing-syndication',
      title: 'Listings written once and published everywhere',
      subject: 'listing syndication',
      description:
        'Facts and pictures are entered once; the text is drafted, checked for missing fields, and kept the same on every portal until the property is gone.',
      currentState:
        'The same house is typed into the listing service, the website and three portals, and a price change is forgotten on one of them.',
      potentialState:
        'One record feeds all channels, a change of price or state is everywhere in minutes, and texts only use facts from the record.',
      impact: 'medium',
      effort: 'low',
      category: 'content',
      hours: hoursSaved({
        count: 14,
        unit: 'listings and changes',
        per: 'week',
        minutes: 55,
        removed: [45, 70],
      }),
      automationApproach: terms(`a single property record with required fields, feeds to portals and website,
        text drafts limited to recorded facts`),
      recommendedTools: ['ListHub', 'Rechat', 'Propertybase'],
      watchOut:
        'A drafted text may invent a view or a school; let the agent who has seen the property approve each one.',
      measure: 'the hours from signed mandate to live listing, and differences found between portals',
      topics:
        terms(`listing, listings, syndication, mls, property description, photos, portal, portals, publish, marketing, zillow,
        content, virtual tour, listing syndication, advertisement`),
    },
    {
      id: 'viewing-scheduling',
      title: 'Viewings booked, confirmed and followed up',
      subject: 'viewing scheduling',
      description:
        'Interested people choose a slot that suits the agent, the occupant and the route, get reminders, and are asked for feedback afterwards.',
      currentState:
        'Arranging one viewing takes six messages between four people, some visitors do not come, and feedback for the seller is collected by phone.',
      potentialState:
        'Slots are offered in clusters by area, everyone confirms by text, and the seller sees the feedback the same evening.',
      impact: 'high',
      effort: 'low',
      category: 'workflow',
      hours: hoursSaved({ count: 45, unit: 'viewings', per: 'week', minutes: 22, removed: [45, 65] }),
      automationApproach: terms(`a booking page tied to calendars and access rules, confirmations by text,
        a feedback form with two questions`),
      recommendedTools: ['ShowingTime', 'Calendly', 'Tenant Turner'],
      watchOut:
        'Tenants in occupied homes have a right to notice, so the booking window must respect it without anyone remembering to.',
      measure: 'messages for each viewing, and visitors who did not come',
      topics:
        terms(`viewing, viewings, showing, showings, tour, open house, schedule, scheduling, appointment, booking, calendar,
        no-show, feedback, visits, reminders`),
    },
    {
      id: 'maintenance-requests',
      title: 'Repair requests from tenant to finished job',
      subject: 'maintenance requests',
      description:
        'Tenants report with a photo, simple problems are solved with guidance, and the right contractor gets an order with access details.',
      currentState:
        'Tenants call at all hours, the manager writes a note, calls three contractors, and the tenant calls again to ask what happened.',
      potentialState:
        'Emergencies ring a phone at once, everything else becomes an order with photo and limit, and the tenant sees its state.',
      impact: 'high',
      effort: 'medium',
      category: 'operations',
      hours: hoursSaved({ count: 38, unit: 'repair requests', per: 'week', minutes: 32, removed: [40, 60] }),
      automationApproach:
        terms(`a request form with photo and guided questions, dispatch rules by trade and cost limit,
        status messages to tenant and owner`),
      recommendedTools: ['Property Meld', 'Latchel', 'AppFolio'],
      watchOut:
        'Water, gas, heat and locks are not a form: the words for them must reach a person day and night.',
      measure: 'days from report to finished repair, and calls for each request',
      topics:
        terms(`maintenance, repair, repairs, tenant, tenants, contractor, work order, property management, emergency, vendor,
        maintenance requests, complaints, property manager, landlord`),
    },
    {
      id: 'lease-renewals',
      title: 'Lease renewals, rent reminders and notices on time',
      subject: 'lease renewals',
      description:
        'End dates, notice periods and rent reviews start the next step by themselves, with a letter ready and a decision asked of the owner.',
      currentState:
        'Dates live in a spreadsheet, renewals are noticed when the tenant gives notice, and late rent is chased by hand on the tenth.',
      potentialState:
        'Ninety days before the end the owner gets two options, the tenant gets an offer to sign, and reminders for rent run by themselves.',
      impact: 'high',
      effort: 'low',
      category: 'workflow',
      hours: hoursSaved({
        count: 120,
        unit: 'leases and rent accounts needing action',
        per: 'month',
        minutes: 18,
        removed: [50, 70],
      }),
      automationApproach: terms(`lease dates and notice rules in one register, letters filled from the lease,
        rent matching with reminders`),
      recommendedTools: ['Buildium', 'AppFolio', 'DoorLoop'],
      watchOut:
        'Rent increases and notices are regulated locally, so the letters need a check by someone who knows the place.',
      measure: 'the share of leases renewed before notice, and days of vacancy',
      topics:
        terms(`lease, leases, renewal, renewals, rent, rent collection, vacancy, tenant retention, notice, late rent, tenants,
        landlord, payment, reminders, contract`),
    },
    {
      id: 'transaction-coordination',
      title: 'From accepted offer to closing without a paper chase',
      subject: 'transaction coordination',
      description:
        'The dates of the contract become a task list for everyone, missing papers are asked for, and all sides see the state.',
      currentState:
        'A coordinator reads the contract, makes a checklist, writes forty e-mails, and answers calls about where things stand.',
      potentialState:
        'Dates are read from the contract and confirmed by a person, reminders go to whoever is due, and updates are sent every Friday.',
      impact: 'medium',
      effort: 'medium',
      category: 'workflow',
      hours: hoursSaved({
        count: 12,
        unit: 'open transactions',
        per: 'month',
        minutes: 420,
        removed: [35, 50],
      }),
      automationApproach: terms(`date extraction from the contract, task templates by type of deal,
        weekly status messages to all parties`),
      recommendedTools: ['SkySlope', 'Dotloop', 'Paperless Pipeline'],
      watchOut:
        'Wire fraud aims at closings; payment details must never be changed by e-mail, however well the message is written.',
      measure: 'deadlines missed, and calls asking for the state of a deal',
      topics:
        terms(`transaction, closing, closings, contract, offer, escrow, coordinator, deadlines, documents, paperwork, compliance,
        e-signature, checklist, transaction coordination, conveyancing`),
    },
  ],
  workflows: [
    {
      name: 'From inquiry to viewing',
      description: 'A person asks about a property and comes to see it.',
      steps: [
        automatic('Receive', 'The portal sends an e-mail.'),
        manual('Reply', 'An agent answers between appointments.'),
        manual('Qualify', 'Budget, timing and financing are asked.'),
        manual('Find a slot', 'Agent, occupant and visitor are brought together.'),
        manual('Collect feedback', 'The agent calls the visitor afterwards.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The first reply is the slowest step and decides about all the others.',
    },
    {
      name: 'From report to repair',
      description: 'A tenant has a problem and a contractor solves it.',
      steps: [
        manual('Take the call', 'The manager writes down what is broken.'),
        manual('Decide', 'Urgency and cost are estimated.'),
        manual('Find a contractor', 'Calls are made until someone has time.'),
        manual('Inform the tenant', 'Access is arranged by phone.'),
        manual('Check the invoice', 'It is compared with the order.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'All five steps go through one phone.',
    },
    {
      name: 'From offer to closing',
      description: 'An accepted offer becomes a change of ownership.',
      steps: [
        manual('Read the contract', 'Dates and conditions are listed.'),
        manual('Collect papers', 'Lender, inspector and lawyer are reminded.'),
        automatic('Sign', 'Documents are signed electronically.'),
        manual('Inform', 'Each side asks for the state and is told.'),
      ],
      isDeterministic: true,
      automationPotential: 'medium',
      currentState: 'Most of the work is telling people what they could see for themselves.',
    },
  ],
  painPoints: [
    {
      title: 'Inquiries that go cold overnight',
      detail:
        'People ask about several homes in one evening, and whoever answers first with useful facts gets the viewing, whatever the quality of the others.',
      sign: 'Send a question through the website after six and note when an answer comes.',
    },
    {
      title: 'Managers who live on the phone',
      detail:
        'Tenants, owners and contractors all call the same person, who carries the state of every repair in a notebook.',
      sign: 'Reviews by tenants speak of repairs that had to be reported several times.',
    },
    {
      title: 'Listings that contradict each other',
      detail:
        'When the price on the portal differs from the one on the website, buyers doubt both, and the seller sees it first.',
      sign: 'Compare the price and the pictures of three current listings on two portals.',
    },
    {
      title: 'Dates that someone has to remember',
      detail:
        'Notice periods, renewals and contract deadlines sit in spreadsheets and heads, and a missed one costs a month of rent or a deal.',
      sign: 'Job ads for property managers or coordinators stress deadlines and organization above all.',
    },
  ],
  buyers: realEstateBuyers,
  quickWins: realEstateQuickWins,
  facts: [
    'In the United States the Fair Housing Act applies to advertisements and to automatic replies as much as to conversations.',
    'Most people who ask about a home ask about several on the same evening, so the order of replies matters more than their polish.',
    'A listing is a set of facts with a deadline; whatever is entered twice will sooner or later be different.',
    'Vacancy is expensive by the day, which makes an early answer about renewal worth more than a slightly higher rent.',
  ],
}
