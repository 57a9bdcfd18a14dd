import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a financial firm, and how to begin a useful conversation with them. */
const financeBuyers: Buyers = {
  roles: [
    {
      title: 'Head of Operations',
      aliases:
        terms(`operations, coo, chief operating officer, head of operations, operations manager, back office,
        loan operations, claims manager, head of claims, servicing, process`),
      cares: 'cases per person, turnaround time and no surprises in an audit',
      objection: 'Exceptions are the real work, and most tools only handle the easy half.',
      angle:
        'Begin with the exceptions and ask which five of them make up most of the queue. Show how the easy half stops hiding them.',
    },
    {
      title: 'Chief Compliance Officer',
      aliases:
        terms(`compliance, chief compliance officer, cco, mlro, risk, chief risk officer, cro, aml, kyc, legal,
        general counsel, fraud`),
      cares: 'decisions that can be explained, complete records and a calm relationship with the supervisor',
      objection: 'If the reasoning cannot be shown to an examiner, the saved time is worth nothing.',
      angle:
        'Show the record of one decision from input to signature. Let them choose what must never be decided by software and respect that list.',
    },
    {
      title: 'Chief Financial Officer or controller',
      aliases:
        terms(`cfo, controller, finance director, chief financial officer, head of finance, accounting, accountant,
        treasurer, bookkeeper, finance manager, finance`),
      cares: 'a short close, figures that agree and people who are not lost after every year-end',
      objection: 'The auditors accept the spreadsheets, and a new system has to be explained to them first.',
      angle:
        'Ask on which working day the last balance is final and what it waits for. Offer to take one account and not the whole ledger.',
    },
    {
      title: 'Managing partner or chief executive',
      aliases:
        terms(`ceo, founder, owner, president, managing partner, partner, principal, managing director, adviser,
        advisor, agency owner, broker`),
      cares: 'growth without a matching growth of the back office, and the trust of clients',
      objection: 'Clients pay for personal service, and automation sounds like the opposite.',
      angle:
        'Put it as time returned to conversations with clients. Keep the talk on one moment where clients wait today.',
    },
  ],
  hooks: [
    'Most of the days between an application and an opened account are spent waiting for one document that could have been asked for on the first page.',
    'Most of the minutes spent on an alert go into opening screens, and only the last few into judgment.',
    'The close is slow because a month of differences is looked at in a week; the same differences looked at daily are mostly a coffee break.',
  ],
  questions: [
    'Which document do you most often ask for a second time, and what does the client see while you wait?',
    'On which working day is the last account reconciled, and what was it waiting for?',
    'If an examiner picked a case at random, how long would it take to show why it was approved?',
    'Which figure is typed into more than two systems?',
    'Which part of your queue would you be glad to never see again?',
  ],
}

/** First steps for a financial firm that leave every decision where it is. */
const financeQuickWins: readonly QuickWin[] = [
  {
    title: 'Reconcile one bank account every morning',
    opportunity: 'month-end-close',
    why: 'A single account is enough to show how much smaller a fresh exception is than one that is a month old.',
    steps: [
      'Choose the account with the most lines and switch on its bank feed.',
      'Write matching rules for the five most frequent kinds of transaction.',
      'Give one person fifteen minutes each morning for what did not match.',
      'Note the cause of each exception in one word.',
      'At the end of the month compare the open items with those of the month before.',
    ],
  },
  {
    title: 'Publish a checklist of papers before the application starts',
    opportunity: 'kyc-onboarding',
    why: 'Most delays are missing pages, and a list by type of client prevents many of them without any new system.',
    steps: [
      'Take the last thirty applications and count which papers were asked for afterwards.',
      'Write one list each for persons, companies and trusts.',
      'Show the list on the first page of the application and in the confirmation.',
      'Count follow-up requests for two weeks and shorten the list where nobody stumbles.',
    ],
  },
  {
    title: 'Build one template for the review pack',
    opportunity: 'client-reviews',
    why: 'Preparation repeats itself, and one agreed form can be filled by a scheduled export.',
    steps: [
      'Collect three recent review packs that clients liked.',
      'Reduce them to one template with four parts: goals, changes, figures, tasks.',
      'Schedule the export that fills the figures two days before each meeting.',
      'After the meeting, enter tasks in the same document while the client is still present.',
    ],
  },

  {
    title: 'Gather the facts for one type of alert before anyone opens it',
    opportunity: 'aml-alerts',
    why: 'One saved report for the most frequent rule shows how much of each case is only gathering.',
    steps: [
      'Find the rule that fires most often and take its last twenty alerts.',
      'Note which screens were opened and which figures were copied for each.',
      'Build one report that shows these figures for an account and a period.',
      'Let two investigators use it for a week and write down the minutes for each alert.',
    ],
  },
  {
    title: 'Name every upload the moment it arrives',
    opportunity: 'loan-documents',
    why: 'A fixed list of document types ends the renaming and shows gaps while the applicant is still there.',
    steps: [
      'List the twelve documents that nearly every file contains.',
      'Offer them as a choice in the upload form, with an example for each.',
      'Show the applicant at once what is still missing.',
      'Count for two weeks how often the same page is asked for twice.',
    ],
  },
  {
    title: 'Ask the same eight questions at every first notice',
    opportunity: 'claims-intake',
    why: 'Most calls back to a claimant are about a fact that could have been asked at the start.',
    steps: [
      'Read the last thirty claims and list what had to be asked afterwards.',
      'Write eight questions in the order of a calm conversation.',
      'Use them on the phone and in the form, with the same wording.',
      'Mark claims that fit a fast track and let one adjuster take them the same day.',
    ],
  },
]

/** Banks, lenders, insurers, advisers and fintechs: identity, files, alerts, closing and claims. */
export const finance: Industry = {
  slug: 'finance',
  name: 'Finance',
  field: 'financial services',
  organizations: 'financial firms',
  customers: 'clients',
  scale: 'a lender, adviser or insurer with about forty people and a small compliance team',
  people: 40,
  aliases:
    terms(`finance, financial, financial services, bank, banking, credit union, lender, lending, loan, loans,
    mortgage, mortgages, mortgage broker, insurance, insurer, insurance agency, insurance broker, underwriting, fintech,
    wealth, wealth management, asset management, investment, investments, investor, hedge fund, private equity,
    venture capital, capital, brokerage, trading, payments, payment processor, remittance, crypto exchange, treasury,
    financial advisor, financial adviser, financial planner, retirement planning, pension, leasing, factoring,
    accounts payable automation, kyc, aml, anti-money laundering, month-end close, reconciliation, actuarial`),
  opportunities: [
    {
      id: 'kyc-onboarding',
      title: 'Client onboarding with identity and ownership checks',
      subject: 'KYC onboarding',
      description:
        'Identity documents, company registers and sanctions lists are checked while the client fills in the application, so that a clean case opens the same day.',
      currentState:
        'An analyst collects passports and register extracts by e-mail, screens names in two systems, and writes back for each missing page.',
      potentialState:
        'Documents are read and verified as they arrive, owners are resolved from the register, and analysts only see cases with a reason to look.',
      impact: 'high',
      effort: 'high',
      category: 'compliance',
      hours: hoursSaved({ count: 30, unit: 'applications', per: 'week', minutes: 55, removed: [40, 60] }),
      automationApproach:
        terms(`document capture with authenticity checks, register and sanctions lookups through interfaces,
        a risk score with written rules`),
      recommendedTools: ['Persona', 'Alloy', 'Sumsub'],
      watchOut:
        'A supervisor will ask why a case was approved, so every automatic decision needs its inputs and its rule kept beside it.',
      measure: 'the hours from application to opened account, split by risk class',
      topics:
        terms(`kyc, know your customer, onboarding, identity, verification, account opening, beneficial owner, sanctions,
        due diligence, compliance, passport, application, client onboarding, kyb`),
    },
    {
      id: 'aml-alerts',
      title: 'Transaction alerts prepared for a decision',
      subject: 'AML alert review',
      description:
        'Each alert arrives with the history, the counterparties and earlier decisions attached, and obvious repeats are grouped.',
      currentState:
        'Investigators open five screens for each alert, copy figures into a narrative, and close most of them as harmless.',
      potentialState:
        'Related alerts become one case, the facts are gathered before anyone opens it, and a draft narrative waits to be corrected.',
      impact: 'high',
      effort: 'high',
      category: 'compliance',
      hours: hoursSaved({ count: 120, unit: 'alerts', per: 'week', minutes: 20, removed: [25, 45] }),
      automationApproach:
        terms(`case grouping by customer and pattern, automatic collection of account history,
        narrative drafts with references to each transaction`),
      recommendedTools: ['Unit21', 'Hummingbird', 'Feedzai'],
      watchOut:
        'Closing alerts without a human look must rest on a tested rule that the compliance officer has signed, not on a score alone.',
      unfit: terms('insurance agency, insurance broker, adviser, advisor'),
      measure: 'minutes for each alert, and the share of escalated cases that led to a report',
      topics:
        terms(`aml, anti-money laundering, alert, alerts, transaction monitoring, fraud, suspicious activity, sar,
        investigation, false positives, screening, financial crime`),
    },
    {
      id: 'month-end-close',
      title: 'Month-end close with continuous reconciliation',
      subject: 'the month-end close',
      description:
        'Accounts are matched daily and not once a month, recurring entries post themselves, and the checklist shows who is waiting for whom.',
      currentState:
        'The last week of the month belongs to spreadsheets: statements are downloaded, matched by hand, and open items travel by e-mail.',
      potentialState:
        'Bank, processor and ledger are matched every night, exceptions are small and fresh, and variance comments start from a draft.',
      impact: 'high',
      effort: 'medium',
      category: 'finance',
      hours: hoursSaved({
        count: 60,
        unit: 'account reconciliations',
        per: 'month',
        minutes: 70,
        removed: [45, 70],
      }),
      automationApproach: terms(`bank feeds into a matching engine, rules for recurring journal entries,
        a close checklist with dependencies`),
      recommendedTools: ['FloQast', 'BlackLine', 'Numeric'],
      watchOut:
        'Matching tolerances that are too wide make differences disappear; let a second person approve each rule.',
      measure: 'working days to close, and the number of entries posted after it',
      topics:
        terms(`month-end, month end, close, closing, reconciliation, reconcile, ledger, accounting, bookkeeping, journal,
        financial reporting, variance, balance sheet, bank feed, general ledger, accountants`),
    },
    {
      id: 'loan-documents',
      title: 'Reading of loan files and income documents',
      subject: 'loan document review',
      description:
        'Bank statements, pay slips and tax returns are classified, read and checked against the application before an underwriter opens the file.',
      currentState:
        'Processors rename attachments, type figures into the loan system and ask for the same missing page three times.',
      potentialState:
        'Each upload is recognized at once, missing pages are asked for while the applicant is still there, and the income calculation shows its sources.',
      impact: 'high',
      effort: 'medium',
      category: 'data',
      hours: hoursSaved({ count: 25, unit: 'loan files', per: 'week', minutes: 75, removed: [35, 55] }),
      automationApproach:
        terms(`document classification and field extraction, cross-checks between application and evidence,
        a request list the applicant can see`),
      recommendedTools: ['Ocrolus', 'Blend', 'Encompass'],
      watchOut:
        'Fair-lending rules apply to a model as they do to a person, so keep the credit decision apart from document reading.',
      unfit: terms('insurance, insurer, wealth, fund, adviser, advisor, payments'),
      measure: 'touches per file, and days from complete application to decision',
      topics:
        terms(`loan, loans, mortgage, underwriting, lending, borrower, income verification, bank statements, documents,
        document processing, credit, origination, pay slips, paperwork`),
    },
    {
      id: 'claims-intake',
      title: 'Insurance claims from first notice to assignment',
      subject: 'claims intake',
      description:
        'A first notice by phone, form or photo becomes a complete claim with coverage checked, a reserve suggested and an adjuster assigned.',
      currentState:
        'Reports arrive in every form, someone retypes them, and the claimant hears nothing until an adjuster has read the file.',
      potentialState:
        'The claimant is guided through the facts, simple losses go to a fast track, and injuries or disputes reach a senior adjuster within the hour.',
      impact: 'high',
      effort: 'medium',
      category: 'workflow',
      hours: hoursSaved({ count: 90, unit: 'first notices', per: 'week', minutes: 18, removed: [35, 60] }),
      automationApproach: terms(`guided intake on the web and by phone, coverage lookup at first notice,
        assignment rules by severity and line`),
      recommendedTools: ['Guidewire', 'Snapsheet', 'Five Sigma'],
      watchOut:
        'Denials and injuries need a person from the start; speed is only welcome where the outcome is not in doubt.',
      unfit: terms('bank, credit union, lender, lending, wealth, mortgage, fund, adviser, advisor'),
      measure: 'the hours from notice to first contact, and the share of claims opened again',
      topics:
        terms(`claim, claims, insurance claims, fnol, first notice of loss, adjuster, policyholder, loss, insurance,
        settlement, policy, damage`),
    },
    {
      id: 'client-reviews',
      title: 'Portfolio reviews and client reports prepared in advance',
      subject: 'client review preparation',
      description:
        'Performance, changes in plan and open tasks are put together for each meeting, and the notes afterwards become tasks and a letter.',
      currentState:
        'Advisers spend the evening before a review collecting figures from the custodian, the plan and the mailbox.',
      potentialState:
        'A review pack is ready two days ahead, the conversation is summarized for the file, and the follow-up letter needs only a signature.',
      impact: 'medium',
      effort: 'low',
      category: 'reporting',
      hours: hoursSaved({ count: 18, unit: 'client reviews', per: 'week', minutes: 65, removed: [40, 65] }),
      automationApproach:
        terms(`scheduled data pulls from custodians, a report template for each client segment,
        meeting notes turned into tasks`),
      recommendedTools: ['Addepar', 'Orion', 'Jump'],
      watchOut:
        'Advice has to be recorded as it was given, so a summary must be read and approved before it enters the file.',
      unfit: terms('lender, lending, mortgage, insurance, insurer, payments'),
      measure: 'the minutes of preparation for each review, and the days until the follow-up letter leaves',
      topics:
        terms(`client, review, portfolio, reporting, report, wealth, adviser, advisor, meeting, performance, investment,
        client reporting, quarterly, letters`),
    },
  ],
  workflows: [
    {
      name: 'From application to opened account',
      description: 'A person or company asks to become a client and is checked, scored and set up.',
      steps: [
        automatic('Apply', 'The form is filled in online.'),
        manual('Collect papers', 'Missing documents are asked for by e-mail.'),
        manual('Verify', 'Identity and ownership are compared with registers.'),
        automatic('Screen', 'Names run against sanctions lists.'),
        manual('Approve', 'An analyst decides and writes down why.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Waiting for papers makes up most of the days between application and account.',
    },
    {
      name: 'Closing the month',
      description: 'Transactions of a month become statements that someone can sign.',
      steps: [
        manual('Gather', 'Statements are downloaded from banks and processors.'),
        manual('Match', 'Lines are compared in spreadsheets.'),
        manual('Adjust', 'Accruals and corrections are entered.'),
        manual('Review', 'A second person checks the large balances.'),
        automatic('Report', 'The ledger prints the statements.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState:
        'Matching is done once for thirty days of transactions, when nobody remembers the first ten.',
    },
    {
      name: 'From alert to decision',
      description: 'A rule marks a payment as unusual and someone decides what it means.',
      steps: [
        automatic('Alert', 'The monitoring system applies its rules.'),
        manual('Gather history', 'Account, device and counterparties are looked up.'),
        manual('Judge', 'The investigator compares it with the expected pattern.'),
        manual('Write', 'The reasoning is put into a narrative.'),
      ],
      isDeterministic: false,
      automationPotential: 'medium',
      currentState: 'Gathering facts takes far longer than judging them.',
    },
  ],
  painPoints: [
    {
      title: 'Compliance that grows faster than the business',
      detail:
        'Each new rule adds a check, and because checks are rarely removed, the time per case rises even when the cases themselves have not changed.',
      sign: 'The careers page shows several openings for onboarding or alert analysts.',
    },
    {
      title: 'Clients who give up halfway through an application',
      detail:
        'Every request for one more document is a moment to leave, and the good clients, who have a choice, leave first.',
      sign: 'App reviews speak of verification that takes days or asks for the same paper twice.',
    },
    {
      title: 'A close that blocks the finance team for a week',
      detail:
        'Work that could be done daily is saved up for the end of the month, where it competes with reporting and makes each error more expensive to find.',
      sign: 'Job ads for accountants mention reconciliations in spreadsheets and tight deadlines.',
    },
    {
      title: 'Figures that are typed more than once',
      detail:
        'The same balance is entered in the loan system, the report and the letter, and each copy is a chance for two of them to differ.',
      sign: 'Application forms are still offered as printable files to be filled in and sent back.',
    },
  ],
  buyers: financeBuyers,
  quickWins: financeQuickWins,
  facts: [
    'Supervisors expect a firm to explain each automatic decision, which favors written rules and recorded inputs over a score that nobody can take apart.',
    'Most alerts in transaction monitoring turn out to be harmless, so the time spent gathering facts matters more than the time spent on the rare real case.',
    'A reconciliation done the next morning is easy because someone still remembers the transaction; the same difference after five weeks is research.',
    'Reading documents and making the credit decision are two tasks, and keeping them apart makes both easier to test.',
  ],
}
