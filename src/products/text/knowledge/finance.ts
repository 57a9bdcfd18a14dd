import { financeBuyers } from './finance-buyers.ts'
import { financeQuickWins } from './finance-quick-wins.ts'
import { automatic, hoursSaved, type Industry, manual, terms } from './industry.ts'

/** Banks, lenders, insurers, advisers and fintechs: identity, files, alerts, closing and claims. */
export const finance: Industry = {
  slug: 'finance',
  name: 'Finance',
  field: 'financial services',
  organizations: 'financial firms',
  customers: 'clients',
  scale: 'a lender, adviser or insurer with about forty people and a small compliance team',
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
