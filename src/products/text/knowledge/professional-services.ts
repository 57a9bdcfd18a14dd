import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a professional firm, and how to begin a useful conversation with them. */
const professionalServicesBuyers: Buyers = {
  roles: [
    {
      title: 'Managing partner',
      aliases: terms(`managing partner, partner, owner, founder, ceo, principal, senior partner, president,
        managing director, shareholder, equity partner`),
      cares: 'profit for each partner, the firm’s name and young people who stay',
      objection: 'Partners agree to a new system in the meeting and go on as before afterwards.',
      angle:
        'Ask for one willing team and one type of matter. A result inside the house convinces partners better than any case study.',
    },
    {
      title: 'Practice or office manager',
      aliases:
        terms(`office manager, practice manager, firm administrator, operations, coo, director of operations,
        operations manager, administrator, administration, executive assistant`),
      cares: 'fewer interruptions, files that are complete and a month-end without a crisis',
      objection: 'There is no time to set anything up while the daily work goes on.',
      angle:
        'Offer to do the set-up for one checklist together in an hour. Name the task they can stop doing the week after.',
    },
    {
      title: 'Finance or billing manager',
      aliases:
        terms(`finance, billing, billing manager, cfo, controller, accounting manager, collections, finance director,
        financial controller`),
      cares: 'invoices that leave on time, fewer write-offs and steady cash',
      objection: 'The delay sits with the partners, and no software makes them approve drafts.',
      angle:
        'Show how many days each step takes and let the numbers speak about the partners. Bring an approval that works on a phone in the elevator.',
    },
    {
      title: 'IT or innovation lead',
      aliases:
        terms(`it, it manager, cio, cto, innovation, legal operations, legal ops, knowledge management, technology,
        digital, information security`),
      cares: 'confidentiality, access rights for each matter and few systems that are really used',
      objection: 'Client data must not train anyone’s model, and most vendors are vague about it.',
      angle:
        'Answer the question of where data goes before presenting features. Bring the clause in the contract that says so.',
    },
  ],
  hooks: [
    'In most firms the file is late because of two missing papers, and nobody can say which day they were first asked for.',
    'A quarter of an hour that is not recorded today is rarely recorded on Friday, and it is always the short call with the best client.',
    'People who need a lawyer or an accountant often ask three; the first clear reply tends to win, not the best brochure.',
  ],
  questions: [
    'How many hours pass between an inquiry and the first call back, and who would know?',
    'Which paper do you ask clients for most often, and how often twice?',
    'On which day of the month do your invoices leave, and what were they waiting for?',
    'Which document did your team draft more than ten times last month?',
    'Where would a new colleague look up the position the firm takes on a liability cap?',
  ],
}

/** First steps for a firm, small enough for one willing team. */
const professionalServicesQuickWins: readonly QuickWin[] = [
  {
    title: 'Replace the e-mail list of missing papers by one shared checklist',
    opportunity: 'document-collection',
    why: 'Clients answer faster when they see what is left, and the team stops keeping score by hand.',
    steps: [
      'Choose the engagement that needs the most chasing and list every paper it requires.',
      'Write each item as a client would say it and add one example.',
      'Put the list in a shared checklist or a collection tool for five clients.',
      'Set reminders on days three and seven and let them stop when an item arrives.',
      'Compare after two weeks how many reminders were still written by hand.',
    ],
  },
  {
    title: 'Confirm time at the end of each day',
    opportunity: 'time-capture',
    why: 'Ten minutes on the same day recover entries that nobody remembers on Friday.',
    steps: [
      'Block ten minutes at five o’clock in the calendar of one willing team.',
      'Let everyone go through calendar and sent mail of the day and confirm entries.',
      'Agree on a wording of at least six words for each entry.',
      'Compare the recorded hours of two weeks with the two weeks before.',
    ],
  },
  {
    title: 'Answer every inquiry within an hour with three questions',
    opportunity: 'client-intake',
    why: 'A quick and specific reply wins work without any new system.',
    steps: [
      'Write three questions for each practice area whose answers decide whether the firm can help.',
      'Set an automatic reply that asks them and names the person who will call.',
      'Send each inquiry to one mailbox with a named owner for the day.',
      'Note the time of the first personal reply for two weeks.',
    ],
  },

  {
    title: 'Turn your most copied document into one template',
    opportunity: 'document-drafting',
    why: 'The document that is copied most often carries most of the risk and repays the hour within weeks.',
    steps: [
      'Find the document that was drafted most often last quarter.',
      'Mark everything that changes from client to client.',
      'Write a question for each mark and put the questions at the top.',
      'Let a colleague draft one from the questions alone and note where it fails.',
      'Name an owner and a date for the next review.',
    ],
  },
  {
    title: 'Send half of the invoices in the middle of the month',
    opportunity: 'billing-collections',
    why: 'Two smaller rounds are easier to correct than one large one, and money arrives two weeks sooner.',
    steps: [
      'Choose the clients whose work does not depend on the end of the month.',
      'Print their drafts on the tenth and ask for approval within two days.',
      'Send them by the fifteenth with a way to pay.',
      'Set one friendly reminder three days after the due date.',
    ],
  },
  {
    title: 'Write your position on five clauses',
    opportunity: 'contract-review',
    why: 'Five agreed positions end most discussions between reviewers.',
    steps: [
      'Take the last ten contracts and list the clauses that were changed most.',
      'Write for the first five what you want, what you accept and what you refuse.',
      'Let two seniors agree on the wording in one sitting.',
      'Use the page for the next five reviews and correct it where it did not help.',
    ],
  },
]

/** Law, accounting, architecture and similar firms: intake, documents, time, records and billing. */
export const professionalServices: Industry = {
  slug: 'professional-services',
  name: 'Professional services',
  field: 'professional services',
  organizations: 'professional firms',
  customers: 'clients',
  scale: 'a firm with twelve fee earners and four people in administration',
  people: 16,
  aliases:
    terms(`professional services, law, law firm, lawyer, lawyers, attorney, attorneys, legal, legal services,
    solicitor, solicitors, barrister, notary, paralegal, litigation, accounting, accounting firm, accountant, accountants,
    accountancy, bookkeeper, bookkeeping, cpa, tax, tax preparation, tax advisor, audit firm, payroll services, architect,
    architects, architecture firm, engineering firm, civil engineer, surveyor, land surveying, interior design,
    interior designer, translation, translator, recruitment, recruiter, recruiting, staffing agency, executive search,
    hr services, patent attorney, intellectual property, appraiser, private investigator, llp, associates, attorneys at law,
    client intake, conflict check, billable`),
  opportunities: [
    {
      id: 'client-intake',
      title: 'Client intake with conflict check and engagement letter',
      subject: 'client intake',
      description:
        'An inquiry becomes a matter through one path: facts are collected once, names are checked for conflicts, and the engagement letter is filled from the answers.',
      currentState:
        'A receptionist takes notes, a partner calls back days later, the conflict check is an e-mail to everyone, and the letter is last year’s file with the names changed.',
      potentialState:
        'The inquiry form asks what the practice area needs, possible conflicts are listed at once, and a letter with the right fee terms waits for a signature.',
      impact: 'high',
      effort: 'medium',
      category: 'workflow',
      hours: hoursSaved({ count: 22, unit: 'inquiries', per: 'week', minutes: 35, removed: [45, 65] }),
      automationApproach:
        terms(`an intake form for each practice area, a name search over clients and opposing parties,
        letters filled from templates and signed electronically`),
      recommendedTools: ['Clio Grow', 'Lawmatics', 'Ignition'],
      watchOut:
        'A search can list possible conflicts, but whether there is one is a professional judgment that a named partner has to make.',
      unfit: terms('staffing agency, translation'),
      measure: 'the hours from inquiry to signed letter, and the share of inquiries never answered',
      topics:
        terms(`intake, client intake, inquiry, enquiries, leads, conflict check, engagement letter, onboarding, new clients,
        consultation, matter, client onboarding, lead response, e-signature`),
    },
    {
      id: 'document-drafting',
      title: 'First drafts of recurring documents from a questionnaire',
      subject: 'document drafting',
      description:
        'Agreements, filings and reports that repeat are drafted from answers, with the clauses the firm has agreed on.',
      currentState:
        'Someone looks for a similar file, saves it under a new name, replaces the parties, and hopes that nothing of the other client is left in it.',
      potentialState:
        'A short questionnaire produces a draft in the style of the firm, unusual choices are marked, and review starts at the second reading.',
      impact: 'high',
      effort: 'medium',
      category: 'documentation',
      hours: hoursSaved({
        count: 28,
        unit: 'recurring documents',
        per: 'week',
        minutes: 55,
        removed: [40, 60],
      }),
      automationApproach: terms(`templates with conditions instead of copies, a clause library with an owner,
        a questionnaire the client can fill in part`),
      recommendedTools: ['Gavel', 'Clio Draft', 'HotDocs'],
      watchOut:
        'A template ages quietly when the law changes, so each one needs an owner and a date of its last review.',
      alone: true,
      measure: 'minutes from instruction to first draft, and corrections for each document',
      topics:
        terms(`document, documents, drafting, draft, contract, contracts, template, templates, agreement, agreements,
        filing, forms, paperwork, document automation, report, will, deed`),
    },
    {
      id: 'time-capture',
      title: 'Time records proposed from calendar, mail and files',
      subject: 'time capture',
      description:
        'Work leaves traces in calendar, mail and documents; these become proposed time entries that a person confirms the same day.',
      currentState:
        'Entries are written from memory on Friday or at the end of the month, short calls are forgotten, and descriptions say “various”.',
      potentialState:
        'Each evening a list of proposed entries with matter and wording needs five minutes of confirming, and the gaps are visible.',
      impact: 'high',
      effort: 'low',
      category: 'finance',
      hours: hoursSaved({ count: 12, unit: 'timesheets', per: 'day', minutes: 16, removed: [45, 65] }),
      automationApproach:
        terms(`activity capture that stays private to each person, matching to matters by names and numbers,
        wording rules of each client`),
      recommendedTools: ['Laurel', 'Timely', 'Clio'],
      watchOut:
        'If colleagues feel watched, they will work around it; the raw record must belong to the person and not to management.',
      measure: 'hours recorded on the same day, and write-offs for vague descriptions',
      topics:
        terms(`time, timesheet, timesheets, time tracking, time capture, billable, billable hours, hours, recording,
        utilization, leakage, realization`),
    },
    {
      id: 'document-collection',
      title: 'Collection of client records with automatic follow-up',
      subject: 'document collection',
      description:
        'Clients see a list of what is needed, upload from a phone, and get reminders that stop as soon as the last item is in.',
      currentState:
        'Requests go out by e-mail with a list in the text, answers arrive in pieces under odd file names, and someone keeps score in a spreadsheet.',
      potentialState:
        'Each item has a state, reminders go out without anyone thinking of them, and files are named and placed where the team expects them.',
      impact: 'high',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({
        count: 40,
        unit: 'open client requests',
        per: 'week',
        minutes: 18,
        removed: [55, 75],
      }),
      automationApproach:
        terms(`a request list for each type of engagement, reminders that know what is missing,
        automatic naming and filing`),
      recommendedTools: ['TaxDome', 'Content Snare', 'Karbon'],
      watchOut:
        'Reminders in the name of a partner who knows nothing of them embarrass both sides; show the person in charge what went out.',
      measure: 'days from request to complete file, and reminders written by hand',
      topics:
        terms(`records, client documents, collection, chasing, chase, upload, portal, tax, tax season, missing documents,
        reminders, bookkeeping, accountant, year-end, client portal, receipts`),
    },
    {
      id: 'billing-collections',
      title: 'Billing drafts and polite payment reminders',
      subject: 'billing and collections',
      description:
        'Draft invoices are ready on the first of the month, narratives follow the client’s rules, and reminders go out on a schedule with a way to pay.',
      currentState:
        'Partners correct printed drafts for two weeks, invoices leave late, and reminding a client is put off because it is awkward.',
      potentialState:
        'Drafts arrive with questionable lines marked, invoices leave within five days, and reminders are friendly, regular and stop when the money is in.',
      impact: 'high',
      effort: 'low',
      category: 'finance',
      hours: hoursSaved({ count: 85, unit: 'invoices', per: 'month', minutes: 28, removed: [45, 65] }),
      automationApproach: terms(`billing rules checked at the time of entry, scheduled drafts and approvals,
        reminders with a payment link`),
      recommendedTools: ['Clio', 'Anchor', 'Chaser'],
      watchOut:
        'A dispute is not a late payment; let one click take a client out of the reminders while a question is open.',
      measure: 'days from end of month to invoice, and days from invoice to payment',
      topics:
        terms(`billing, invoice, invoices, invoicing, collections, payment, payments, cash flow, receivables, late payment,
        reminders, fees, write-off, accounts receivable, dunning`),
    },
    {
      id: 'contract-review',
      title: 'Contract review against the client’s own standards',
      subject: 'contract review',
      description:
        'Incoming contracts are compared with a playbook, deviations are listed with the fallback wording, and the reviewer decides on each.',
      currentState:
        'Every contract is read from the first line, positions live in the memory of senior people, and two reviewers mark up the same clause differently.',
      potentialState:
        'Standard clauses are recognized, deviations come ranked by weight with the agreed answer beside them, and juniors learn the positions as they work.',
      impact: 'medium',
      effort: 'medium',
      category: 'analysis',
      hours: hoursSaved({ count: 16, unit: 'contracts', per: 'week', minutes: 85, removed: [30, 50] }),
      automationApproach: terms(`a playbook of positions and fallbacks, clause comparison with citations,
        a review sheet that records each decision`),
      recommendedTools: ['Spellbook', 'Luminance', 'Ironclad'],
      watchOut:
        'Models miss what is absent, so the checklist has to ask for clauses that should be there and are not.',
      unfit: terms(
        'accounting, accountant, bookkeeping, bookkeeper, tax, cpa, architect, recruitment, recruiter',
      ),
      measure: 'hours for each contract by type, and deviations found only at the second reading',
      topics:
        terms(`contract review, contracts, review, redline, clause, clauses, due diligence, lawyer, legal, nda, risk,
        playbook, negotiation, compliance`),
    },
  ],
  workflows: [
    {
      name: 'From inquiry to open matter',
      description: 'Someone asks for help, and the firm decides whether and how to take the work.',
      steps: [
        manual('Take the call', 'Notes are written down by whoever answers.'),
        manual('Check conflicts', 'An e-mail goes to all partners.'),
        manual('Agree on terms', 'Scope and fees are discussed.'),
        manual('Write the letter', 'An older letter is adapted.'),
        automatic('Sign', 'The letter is signed electronically.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The slowest step is the reply of the last partner to the conflict e-mail.',
    },
    {
      name: 'From work to money',
      description: 'Time becomes an entry, a draft, an invoice and a payment.',
      steps: [
        manual('Record time', 'Entries are written from memory.'),
        automatic('Make drafts', 'The billing system prints them.'),
        manual('Correct', 'Partners edit descriptions and amounts.'),
        manual('Send', 'Invoices leave by e-mail.'),
        manual('Remind', 'Someone calls when it has been too long.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Three weeks pass between the work and the invoice, and memory fades with each of them.',
    },
    {
      name: 'Preparing a file',
      description: 'Client records are asked for, checked and put in order for the expert.',
      steps: [
        manual('Ask', 'A list is sent by e-mail.'),
        manual('Chase', 'Missing items are asked for again.'),
        manual('Rename and file', 'Attachments are saved one by one.'),
        manual('Check', 'A junior compares them with the list.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The expert starts late because the last two papers are missing.',
    },
  ],
  painPoints: [
    {
      title: 'Work that is done and never billed',
      detail:
        'Short calls and quick reads vanish when time is written down days later, and what is vague on the invoice is what the client disputes.',
      sign: 'Job ads for billing coordinators mention chasing timesheets.',
    },
    {
      title: 'Experts who wait for papers',
      detail:
        'The most expensive people in the firm cannot start because two documents are missing, and nobody knows who asked for them last.',
      sign: 'The firm asks clients to send documents by e-mail or to bring them to the office.',
    },
    {
      title: 'Inquiries that go to whoever answers first',
      detail:
        'People in need of help call several firms, and the one that calls back with clear next steps usually gets the work.',
      sign: 'The contact page offers only a general mailbox, and reviews mention calls that were not returned.',
    },
    {
      title: 'Documents that begin as a copy of another client’s file',
      detail:
        'Copying is quick until a name or a clause from the other matter stays in, and the search for the right file is never billed.',
      sign: 'The firm offers fixed-fee documents, yet delivery is quoted in weeks.',
    },
  ],
  buyers: professionalServicesBuyers,
  quickWins: professionalServicesQuickWins,
  facts: [
    'Time written down on the same day is more complete and better described than time reconstructed later, which is why capture pays before any change in rates.',
    'Professional duties such as confidentiality and supervision do not move to a tool; whoever signs the work answers for what the software drafted.',
    'Electronic signatures are accepted for most business agreements in the United States and in the European Union, while some deeds still need paper or a notary.',
    'A template with conditions is maintained once, whereas twelve copied files have to be found again each time the law changes.',
  ],
}
