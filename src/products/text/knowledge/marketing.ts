import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in an agency or a marketing team, and how to begin a useful conversation with them. */
const marketingBuyers: Buyers = {
  roles: [
    {
      title: 'Agency owner or managing director',
      aliases:
        terms(`owner, agency owner, founder, ceo, managing director, president, partner, principal, general manager,
        cfo, finance`),
      cares: 'margin on each client, clients who stay and people who do not burn out',
      objection: 'Clients pay for hours, so saving hours looks like losing revenue.',
      angle:
        'Separate hours that are billed from hours that are absorbed, such as reports and extra rounds. Talk only about the second kind.',
    },
    {
      title: 'Head of marketing or CMO',
      aliases:
        terms(`cmo, head of marketing, marketing director, vp marketing, chief marketing officer, marketing manager,
        marketing, brand manager, head of brand, demand generation`),
      cares: 'pipeline that can be proven and a team that ships',
      objection: 'There are already thirty tools, and nobody knows all of them.',
      angle:
        'Offer to replace something. Ask which figure in the last board slide was doubted and begin there.',
    },
    {
      title: 'Head of accounts or delivery',
      aliases:
        terms(`account director, account manager, client services, head of accounts, delivery, project manager, operations,
        coo, operations manager, traffic manager, producer`),
      cares: 'fewer rounds, calm clients and projects that end when planned',
      objection: 'Clients will not learn another tool for our sake.',
      angle:
        'Show the client’s side first: a link, no account, one list of comments. Ask how many rounds the last campaign took.',
    },
    {
      title: 'Performance or growth lead',
      aliases:
        terms(`performance, growth, head of growth, ppc, paid media, seo, analytics, marketing operations, data, crm,
        sales, revenue operations, it, cto`),
      cares: 'tracking that can be trusted and time for experiments',
      objection: 'Scripts already exist, and the person who wrote them is still here.',
      angle:
        'Respect the scripts and ask what happens when their author is on leave. Propose alerts before automatic changes.',
    },
  ],
  hooks: [
    'Clients read the first page of a report; most of the hours go into the other eleven.',
    'A draft rarely needs a fifth round because of the draft; it needs one because two people on the other side have not talked.',
    'The best post of the year is usually already recorded, in minute thirty-four of a webinar nobody has listened to again.',
  ],
  questions: [
    'How many hours of the first week of the month go into reports, and which page do clients mention?',
    'Who has the last word on a draft, and is it always the same person?',
    'What became of the leads of your last campaign, and how do you know?',
    'How long would a missing conversion tag go unnoticed over a weekend?',
    'Which piece of content would you publish again if someone prepared it?',
  ],
}

/** First steps for an agency or marketing team, one client or campaign at a time. */
const marketingQuickWins: readonly QuickWin[] = [
  {
    title: 'Automate the first page of one client’s report',
    opportunity: 'campaign-reporting',
    why: 'The first page is what gets read, and one connected template can be copied to the next client.',
    steps: [
      'Choose one client and the six figures on the first page of the report.',
      'Write the definition and the source of each figure below the table.',
      'Connect the sources to a dashboard that refreshes every night.',
      'Compare one month by hand and settle each difference.',
      'Write only the recommendation by hand and send the link.',
    ],
  },
  {
    title: 'Take one recording apart',
    opportunity: 'content-repurposing',
    why: 'A recording already paid for gives weeks of material and shows what the voice guide still lacks.',
    steps: [
      'Choose the recording that clients mention most.',
      'Make a transcript and mark five statements that stand alone.',
      'Draft a post for each and a short clip for the best two.',
      'Let the speaker correct the drafts in twenty minutes.',
      'Schedule them over three weeks and note which one is answered.',
    ],
  },
  {
    title: 'Name one person with the last word for every draft',
    opportunity: 'approval-rounds',
    why: 'It costs nothing and removes the rounds that come from disagreement on the other side.',
    steps: [
      'Add a line to the brief with the name of the one who decides.',
      'Send drafts to everyone but ask for one list of comments from that person.',
      'Set a date for each round and say what happens when it passes.',
      'Count the rounds of the next ten drafts.',
    ],
  },

  {
    title: 'Agree on five rules for a good lead',
    opportunity: 'lead-routing',
    why: 'A score that both sides wrote is believed, and five rules can be checked by eye.',
    steps: [
      'Take the last thirty leads and mark those that became business.',
      'Ask sales which five facts could have been seen on the first day.',
      'Write them as rules with one point each.',
      'Call every lead with four points within an hour for two weeks.',
      'Report the outcome of each call back into the list.',
    ],
  },
  {
    title: 'Repair the five faults on your ten best pages',
    opportunity: 'search-audits',
    why: 'Ten pages usually bring most of the visits, so their faults come first.',
    steps: [
      'List the ten pages with the most visits from search.',
      'Crawl only these and note errors, slow parts and missing titles.',
      'Choose the five faults that touch the most visits.',
      'Give each to a person with a date and look again in a week.',
    ],
  },
  {
    title: 'Set an alert for spend without conversions',
    opportunity: 'budget-pacing',
    why: 'One alert catches both broken tracking and a runaway campaign.',
    steps: [
      'Choose the account with the largest daily spend.',
      'Set a rule that reports three hours of spend without a conversion.',
      'Send it to a named person, on weekends too.',
      'Write down what each alert turned out to be, and tune the limit after a week.',
    ],
  },
]

/** Agencies and marketing teams: reports, content, approvals, lead routing, search and budgets. */
export const marketing: Industry = {
  slug: 'marketing',
  name: 'Marketing',
  field: 'marketing',
  organizations: 'agencies and marketing teams',
  customers: 'clients',
  scale: 'an agency or team of fifteen people with twenty active clients or product lines',
  people: 15,
  aliases:
    terms(`marketing, marketing agency, digital marketing, advertising, ad agency, advertising agency, creative agency,
    media agency, branding, brand agency, public relations, pr agency, pr firm, communications agency, seo, seo agency,
    sem, ppc, paid media, paid search, social media, social media agency, influencer, influencer marketing, content
    marketing, content agency, copywriting, copywriter, email marketing agency, growth marketing, demand generation,
    lead generation agency, performance marketing, market research, event marketing, events agency, video production,
    design agency, design studio, graphic design, web design, photography studio, affiliate marketing, martech, campaign, campaigns,
    campaign reporting, creative studio`),
  opportunities: [
    {
      id: 'campaign-reporting',
      title: 'Campaign reports that assemble themselves',
      subject: 'campaign reporting',
      description:
        'Figures from all channels flow into one report with agreed definitions, and a draft comment explains what has changed and what follows.',
      currentState:
        'In the first week of the month, account managers log in to six platforms, paste figures into slides, and explain why they differ from last month’s.',
      potentialState:
        'Reports refresh every night, changes beyond a threshold are marked with a probable cause, and people write only the recommendation.',
      impact: 'high',
      effort: 'low',
      category: 'reporting',
      hours: hoursSaved({ count: 24, unit: 'client reports', per: 'month', minutes: 180, removed: [50, 75] }),
      automationApproach:
        terms(`connectors from each channel into one table, a written definition for every figure,
        comment drafts based on changes`),
      recommendedTools: ['Looker Studio', 'Supermetrics', 'AgencyAnalytics'],
      watchOut:
        'Platforms count conversions in their own favor; agree on one source of truth before adding them up.',
      measure: 'hours from end of month to sent report, and questions about figures afterwards',
      topics:
        terms(`report, reports, reporting, campaign reporting, dashboard, dashboards, analytics, kpi, metrics, attribution, roi,
        client reports, data, performance, monthly report`),
    },
    {
      id: 'content-repurposing',
      title: 'One good piece turned into many formats',
      subject: 'content repurposing',
      description:
        'A webinar, an interview or an article becomes drafts of posts, clips and mails in the voice of the brand, ready for editing.',
      currentState:
        'A strong talk is published once and forgotten, while the team invents new posts from nothing each Monday.',
      potentialState:
        'Each source yields a package of drafts with quotes and time marks, an editor chooses and corrects, and a calendar publishes.',
      impact: 'high',
      effort: 'low',
      category: 'content',
      hours: hoursSaved({ count: 12, unit: 'source pieces', per: 'week', minutes: 100, removed: [40, 60] }),
      automationApproach:
        terms(`transcripts with speaker and time, drafts bound to a voice guide with examples,
        a calendar with approval before publishing`),
      recommendedTools: ['Descript', 'Opus Clip', 'Buffer'],
      watchOut:
        'Ten mediocre posts do more harm than one good one; let the editor throw away most of the drafts.',
      measure: 'published pieces for each source, and the share of drafts that survive editing',
      topics:
        terms(`content, content marketing, repurposing, social media, posts, blog, video, webinar, podcast, clips, copywriting,
        newsletter, content creation, editorial, calendar`),
    },
    {
      id: 'approval-rounds',
      title: 'Approvals in one place with a clear last word',
      subject: 'approval rounds',
      description:
        'Drafts, comments and versions live together, each round has a deadline and an owner, and reminders do not depend on the project manager.',
      currentState:
        'Feedback arrives by mail, chat and marked-up file, contradicts itself, and version seven turns out to be older than version six.',
      potentialState:
        'Reviewers comment on the draft itself, conflicting comments are shown to the decision maker, and approval starts the next step.',
      impact: 'medium',
      effort: 'low',
      category: 'workflow',
      hours: hoursSaved({ count: 40, unit: 'drafts in review', per: 'week', minutes: 25, removed: [40, 60] }),
      automationApproach: terms(`proofing links without a log-in for clients, a rule for who decides,
        reminders with a deadline and a default`),
      recommendedTools: ['Filestage', 'Ziflow', 'Planable'],
      watchOut:
        'Silence is not consent in regulated industries, so a default approval must be agreed in the contract or not used.',
      measure: 'rounds for each draft, and days that drafts spend waiting for the client',
      topics:
        terms(`approval, approvals, feedback, review, proofing, versions, client approval, revision, revisions, creative,
        workflow, project management, sign-off, brief`),
    },
    {
      id: 'lead-routing',
      title: 'Leads enriched, scored and routed',
      subject: 'lead routing',
      description:
        'New leads are completed with public company facts, scored by fit and behavior, and handed to the right person with a reason.',
      currentState:
        'A form sends a mail to sales, someone searches the web for the company, and marketing never learns what became of it.',
      potentialState:
        'Good leads reach a person within minutes with a short brief, the others get a fitting series, and outcomes flow back to the campaign.',
      impact: 'high',
      effort: 'medium',
      category: 'growth',
      hours: hoursSaved({ count: 130, unit: 'leads', per: 'week', minutes: 8, removed: [45, 65] }),
      automationApproach: terms(`company data added at the form, a score made of five visible rules,
        outcomes written back from the sales system`),
      recommendedTools: ['HubSpot', 'Clay', 'Chili Piper'],
      watchOut:
        'A score that sales does not believe is ignored within a week; build the rules together and keep them readable.',
      measure: 'the minutes from form to first call, and opportunities for each hundred leads by source',
      topics:
        terms(`lead, leads, lead scoring, lead generation, routing, crm, qualification, sales, nurture, enrichment, pipeline,
        form, conversion, marketing automation, follow-up`),
    },
    {
      id: 'search-audits',
      title: 'Search audits and content briefs on a schedule',
      subject: 'search audits',
      description:
        'Sites are crawled regularly, faults are ranked by effect, and briefs for new pages start from real questions and present rankings.',
      currentState:
        'An audit is a large document once a year, out of date when it is presented, and briefs depend on who writes them.',
      potentialState:
        'A weekly crawl lists what broke, tickets go to the people who can repair it, and briefs come in one form with sources.',
      impact: 'medium',
      effort: 'medium',
      category: 'analysis',
      hours: hoursSaved({
        count: 16,
        unit: 'audits and briefs',
        per: 'month',
        minutes: 200,
        removed: [40, 60],
      }),
      automationApproach:
        terms(`scheduled crawls with comparison to the week before, ranking of faults by affected traffic,
        a brief template filled with questions and sources`),
      recommendedTools: ['Screaming Frog', 'Semrush', 'Clearscope'],
      watchOut: 'Lists of four hundred warnings paralyze; publish the five that matter and archive the rest.',
      measure: 'days until a fault on an important page is repaired',
      topics:
        terms(`seo, search, search engine, audit, audits, keywords, keyword, ranking, rankings, crawl, technical seo, content brief,
        briefs, organic, traffic, aeo, answer engine, backlinks`),
    },
    {
      id: 'budget-pacing',
      title: 'Budget pacing and alerts for paid media',
      subject: 'budget pacing',
      description:
        'Spending is compared with the plan every few hours, deviations and broken tracking raise an alert, and proposals for shifting budget are prepared.',
      currentState:
        'A specialist checks accounts by hand each morning, and an overspend on Friday evening is found on Monday.',
      potentialState:
        'Limits and trends are watched around the clock, a missing conversion tag is noticed within the hour, and people decide on proposals.',
      impact: 'high',
      effort: 'medium',
      category: 'data',
      hours: hoursSaved({ count: 22, unit: 'account checks', per: 'day', minutes: 8, removed: [45, 70] }),
      automationApproach: terms(`spend pulled by interface every few hours, alert rules with a named receiver,
        change proposals that need approval`),
      recommendedTools: ['Optmyzr', 'Google Ads scripts', 'Funnel'],
      watchOut:
        'Automatic bidding learns from conversions, so wrong tracking makes it confidently wrong; check the tags first.',
      measure: 'the deviation from planned spend at month end, and hours until broken tracking is noticed',
      topics:
        terms(`budget, paid media, ppc, ads, ad spend, google ads, facebook ads, advertising, bidding, pacing, campaigns,
        tracking, performance marketing, cost per lead, alerts`),
    },
  ],
  workflows: [
    {
      name: 'From brief to published piece',
      description: 'An idea is briefed, written, approved and published.',
      steps: [
        manual('Brief', 'Goals and audience are written down.'),
        manual('Draft', 'A writer or designer makes the first version.'),
        manual('Review', 'Comments arrive through several channels.'),
        manual('Correct', 'Comments are gathered and applied.'),
        automatic('Publish', 'The calendar posts at the chosen time.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Waiting for comments takes longer than writing.',
    },
    {
      name: 'Monthly report',
      description: 'The results of a month are collected, explained and presented.',
      steps: [
        manual('Export', 'Figures are downloaded from each platform.'),
        manual('Combine', 'Sheets are brought to one form.'),
        manual('Comment', 'Changes are explained from memory.'),
        manual('Present', 'Slides are sent and discussed.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Three of four steps repeat every month without any change.',
    },
    {
      name: 'From lead to conversation',
      description: 'A person leaves an address and is called, or not.',
      steps: [
        automatic('Capture', 'The form stores the lead.'),
        manual('Research', 'Someone looks at the company’s website.'),
        manual('Decide', 'Sales judges whether it fits.'),
        manual('Contact', 'A call or a mail follows.'),
        manual('Report back', 'The outcome is told when someone asks.'),
      ],
      isDeterministic: false,
      automationPotential: 'high',
      currentState: 'The outcome rarely returns to the campaign that caused the lead.',
    },
  ],
  painPoints: [
    {
      title: 'The first week of every month belongs to reports',
      detail:
        'People hired for ideas copy figures, and the client reads the first page, so the most expensive hours produce the least noticed pages.',
      sign: 'Job ads for account managers list reporting first among the duties.',
    },
    {
      title: 'Rounds of feedback that never end',
      detail:
        'Every extra round is paid by the agency, and most of them happen because two people on the client’s side had not agreed with each other.',
      sign: 'Service pages promise unlimited revisions or limit them in bold.',
    },
    {
      title: 'Leads without an echo',
      detail:
        'When sales does not report what became of a lead, marketing optimizes for forms filled in and not for business won.',
      sign: 'Case studies speak of clicks and impressions and seldom of revenue.',
    },
    {
      title: 'Good material that is used once',
      detail:
        'Talks, interviews and studies cost weeks, are published on one day, and sink, because taking them apart is nobody’s task.',
      sign: 'The blog has long gaps while recordings of events lie unused on the video channel.',
    },
  ],
  buyers: marketingBuyers,
  quickWins: marketingQuickWins,
  facts: [
    'Advertising platforms each claim the conversions they touched, so their sum is larger than the number of sales, and a report has to say which source it follows.',
    'A voice guide with ten good and ten bad examples guides a writer, human or machine, better than a page of adjectives.',
    'Commercial e-mail needs a way out: rules such as CAN-SPAM in the United States and consent under European law apply to automated series too.',
    'Feedback given on the draft itself is shorter and contradicts itself less than feedback written in a separate message.',
  ],
}
