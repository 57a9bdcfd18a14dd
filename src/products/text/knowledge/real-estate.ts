import { automatic, hoursSaved, type Industry, manual, terms } from './industry.ts'
import { realEstateBuyers } from './real-estate-buyers.ts'
import { realEstateQuickWins } from './real-estate-quick-wins.ts'

/** Agencies and property managers: inquiries, listings, viewings, leases, repairs and closings. */
export const realEstate: Industry = {
  slug: 'real-estate',
  name: 'Real estate',
  field: 'real estate',
  organizations: 'agencies and property managers',
  customers: 'buyers, sellers and tenants',
  scale: 'an agency with ten agents and three hundred units under management',
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
