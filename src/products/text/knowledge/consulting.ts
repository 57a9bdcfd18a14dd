import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a consultancy, and how to begin a useful conversation with them. */
const consultingBuyers: Buyers = {
  roles: [
    {
      title: 'Partner or managing director',
      aliases:
        terms(`partner, managing partner, managing director, owner, founder, ceo, principal, president, director, coach,
        chief executive, general manager`),
      cares: 'won work, margins on fixed prices and a reputation for substance',
      objection: 'Clients pay for our judgment, and it should not look as if a machine had supplied it.',
      angle:
        'Talk about the hours before judgment begins: searching, typing, formatting. Ask what the last lost proposal cost in days.',
    },
    {
      title: 'Head of operations',
      aliases:
        terms(`operations, coo, head of operations, operations manager, office manager, pmo, project management, staffing,
        resource manager, cfo, finance, controller`),
      cares: 'utilization that is real, projects within budget and invoices without discussion',
      objection: 'Consultants do not fill in anything on time.',
      angle:
        'Offer something that fills itself in. Begin with one line for each project on Monday and not with a system.',
    },
    {
      title: 'Head of knowledge or research',
      aliases:
        terms(`knowledge, knowledge management, research, head of research, librarian, insights, it, it manager, cio, cto,
        innovation, digital`),
      cares: 'sources that hold, reuse that is allowed and search that people trust',
      objection: 'We have had three intranets, and each was empty after a year.',
      angle:
        'Put the effort at the closing of a project, where the knowledge still exists. Ask who cleans documents today and when.',
    },
    {
      title: 'Business development lead',
      aliases:
        terms(`business development, sales, bid manager, proposal manager, marketing, cmo, growth, client director,
        account manager, head of sales`),
      cares: 'a calmer deadline, a higher share of wins and profiles that are up to date',
      objection: 'Every request is different, so templates weaken the proposal.',
      angle:
        'Agree, and show how many of the pages are not about the difference. Ask for the passage that has been rewritten most often.',
    },
  ],
  hooks: [
    'In many proposals the idea gets the last few hours, because finding the right profile and reference took all the others.',
    'If it takes a chat message to learn whether the firm has done something before, the answer depends on who is on vacation.',
    'A status report that is always green is expensive in the month in which it turns red.',
  ],
  questions: [
    'How many hours did your last lost proposal take, and what were most of them spent on?',
    'How do you find out whether a colleague has solved a similar problem?',
    'When did you last learn of an overrun, and when could you have known?',
    'Who in the project formats slides, and until when at night?',
    'Which figure in your last report could not be traced to its source when the client asked?',
  ],
}

/** First steps for a consultancy that fit beside a running project. */
const consultingQuickWins: readonly QuickWin[] = [
  {
    title: 'Build a shelf of ten proven passages',
    opportunity: 'proposal-drafting',
    why: 'Ten good passages cover most proposals, and choosing them settles what the firm wants to be known for.',
    steps: [
      'Take the last five proposals that won and mark what clients praised.',
      'Extract ten passages: method, team, references, risk, price logic.',
      'Remove names and figures of clients and add date and owner.',
      'Store them in one document with a table of contents.',
      'Use it for the next proposal and note what was missing.',
    ],
  },
  {
    title: 'Tag statements after the third interview',
    opportunity: 'interview-synthesis',
    why: 'Early sorting shows what to ask in the remaining talks, which is worth more than any tool.',
    steps: [
      'Write the five questions that the interviews are meant to answer.',
      'Ask for consent to record and say when the recording will be deleted.',
      'After three interviews, sort statements below the five questions.',
      'Change the guide where a question has no answer yet.',
    ],
  },
  {
    title: 'Compare hours with the plan every Monday',
    opportunity: 'status-reporting',
    why: 'One line for each project shows an overrun weeks before the report does.',
    steps: [
      'List for each project the budget, the hours used and the share of work finished.',
      'Mark those where hours run ahead of progress by a tenth.',
      'Ask the lead of each marked project one question on Monday.',
      'Tell the client early when the answer is not convincing.',
    ],
  },

  {
    title: 'Keep a source table for one project',
    opportunity: 'desk-research',
    why: 'A table with four columns ends the hunt for sources and takes minutes a day.',
    steps: [
      'Make columns for statement, figure, source and date of reading.',
      'Enter every figure before it goes on a slide.',
      'Let a colleague open ten sources at random.',
      'Correct what does not hold and note why.',
    ],
  },
  {
    title: 'Write the storyline as ten sentences first',
    opportunity: 'deliverables',
    why: 'Ten sentences are corrected in minutes, forty slides in nights.',
    steps: [
      'Write the message of each planned slide as one plain sentence.',
      'Read the ten sentences aloud to someone outside the project.',
      'Agree on them with the project lead before anything is drawn.',
      'Link each chart to its table and check that equal figures are equal.',
    ],
  },
  {
    title: 'Clean one finished project and see who uses it',
    opportunity: 'knowledge-reuse',
    why: 'One well-described project shows what a library would need.',
    steps: [
      'Choose a project that colleagues ask about.',
      'Remove names and figures that belong to the client and check the contract.',
      'Write five lines on top: question, method, result, limits, whom to ask.',
      'Tell the firm where it is and note who opens it within a month.',
    ],
  },
]

/** Consultancies and coaches: proposals, interviews, research, deliverables, status and knowledge. */
export const consulting: Industry = {
  slug: 'consulting',
  name: 'Consulting',
  field: 'consulting',
  organizations: 'consultancies',
  customers: 'clients',
  scale: 'a consultancy with fifteen consultants and eight projects running at a time',
  people: 15,
  aliases:
    terms(`consulting, consultancy, consultant, consultants, management consulting, strategy consulting, business consulting,
    it consulting, advisory, advisory firm, advisors, business advisor, business coach, executive coach, executive coaching,
    coach, coaching, life coach, leadership development, change management, organizational development, hr consulting,
    process consulting, lean consulting, transformation, sustainability consulting, esg advisory, environmental consulting,
    engineering consulting, policy advisory, think tank, research firm, facilitator, facilitation, mediation, trainer,
    interim management, fractional cfo, fractional cmo, project management office, pmo, proposal, proposals, proposal drafting,
    engagement, strategy firm, expert network, stakeholder interviews`),
  opportunities: [
    {
      id: 'proposal-drafting',
      title: 'Proposals drafted from earlier work',
      subject: 'proposal drafting',
      description:
        'The request is read into a list of requirements, fitting passages, references and profiles are found, and a first draft stands the same day.',
      currentState:
        'Partners search old proposals in several folders, ask colleagues for the latest profile, and put everything together the night before the deadline.',
      potentialState:
        'Requirements are listed with who answers each, the best earlier passages come with their outcome, and the evening goes into the idea and the price.',
      impact: 'high',
      effort: 'medium',
      category: 'documentation',
      hours: hoursSaved({ count: 12, unit: 'proposals', per: 'month', minutes: 600, removed: [30, 50] }),
      automationApproach:
        terms(`a library of won passages with date and outcome, requirement lists read from the request,
        current profiles in one place`),
      recommendedTools: ['Responsive', 'Qwilr', 'PandaDoc'],
      watchOut:
        'Passages from other clients carry names and figures; clean the library before anything is allowed to draw on it.',
      measure: 'hours for each proposal, and the share won by type of request',
      topics:
        terms(`proposal, proposals, rfp, tender, pitch, bid, offer, statement of work, scope, sales, business development,
        drafting, pricing, win rate, quote`),
    },
    {
      id: 'interview-synthesis',
      title: 'Interviews turned into evidence',
      subject: 'interview synthesis',
      description:
        'With consent, conversations are transcribed, statements are tagged by question, and patterns come with the quotes that support them.',
      currentState:
        'Two consultants type while listening, notes differ, and the synthesis depends on what the most senior person remembers.',
      potentialState:
        'Each finding shows who said what and how many disagreed, gaps in the guide are seen after five interviews, and quotes are found in seconds.',
      impact: 'high',
      effort: 'low',
      category: 'analysis',
      hours: hoursSaved({ count: 18, unit: 'interviews', per: 'week', minutes: 75, removed: [40, 60] }),
      automationApproach:
        terms(`recording with consent and a deletion date, tagging by the questions of the guide,
        findings linked to their quotes`),
      recommendedTools: ['Dovetail', 'Fireflies.ai', 'Otter'],
      watchOut:
        'People speak differently when recorded; offer an unrecorded part, and never show the client a quote that reveals its speaker.',
      measure: 'days from the last interview to agreed findings',
      topics:
        terms(`interview, interviews, synthesis, transcription, transcript, notes, stakeholder, workshop, workshops, findings,
        qualitative, research, meeting notes, discovery`),
    },
    {
      id: 'desk-research',
      title: 'Desk research with sources that can be checked',
      subject: 'desk research',
      description:
        'Market figures, competitors and regulation are gathered in a fixed structure, each line with its source and date.',
      currentState:
        'Analysts open forty tabs, copy figures into slides, and nobody finds the source when the client asks three weeks later.',
      potentialState:
        'A research plan yields a table with sources, contradictions are shown and not averaged away, and updates take an hour.',
      impact: 'high',
      effort: 'low',
      category: 'analysis',
      hours: hoursSaved({
        count: 14,
        unit: 'research questions',
        per: 'week',
        minutes: 120,
        removed: [35, 55],
      }),
      automationApproach: terms(`a question tree before any search, retrieval with citations,
        a source table kept with the project`),
      recommendedTools: ['AlphaSense', 'Perplexity', 'Elicit'],
      watchOut:
        'Generated citations may point to pages that say something else, so every figure on a slide needs to be opened once by a person.',
      measure: 'hours for each answered question, and figures without a source at final review',
      topics:
        terms(`research, desk research, market, market research, competitor, competitors, competitive analysis, benchmark,
        benchmarking, analysis, sources, data, insight, trends, due diligence`),
    },
    {
      id: 'deliverables',
      title: 'Slides and reports from structured content',
      subject: 'deliverable production',
      description:
        'Findings, tables and recommendations are kept in one place and flow into slides and reports in the house style, with checks before sending.',
      currentState:
        'Juniors move boxes until two in the morning, figures on slide nine differ from those on slide thirty, and a colleague checks the commas.',
      potentialState:
        'Charts update from the table, style and numbering are checked by machine, and the team argues about the message and not about the margin.',
      impact: 'high',
      effort: 'medium',
      category: 'documentation',
      hours: hoursSaved({
        count: 10,
        unit: 'decks and reports',
        per: 'week',
        minutes: 240,
        removed: [25, 40],
      }),
      automationApproach: terms(`charts linked to their data, templates with named parts,
        an automatic check for contradicting figures`),
      recommendedTools: ['think-cell', 'UpSlide', 'Templafy'],
      watchOut:
        'A well-shaped slide hides a weak argument; review the storyline as plain sentences before anything is designed.',
      measure: 'hours between agreed storyline and finished document',
      topics:
        terms(`slides, slide, deck, presentation, presentations, report, reports, deliverable, deliverables, powerpoint, formatting,
        charts, document, documentation, writing`),
    },
    {
      id: 'status-reporting',
      title: 'Project status from the work itself',
      subject: 'status reporting',
      description:
        'Tasks, hours and risks are read where they arise, and the weekly report is a draft that the project lead corrects.',
      currentState:
        'Every Thursday the lead asks five people what they did, writes a page in friendly colors, and the overrun shows when the budget is gone.',
      potentialState:
        'Progress and hours are compared with the plan daily, a deviation opens a question early, and the report is written in ten minutes.',
      impact: 'medium',
      effort: 'low',
      category: 'reporting',
      hours: hoursSaved({ count: 8, unit: 'project reports', per: 'week', minutes: 110, removed: [45, 65] }),
      automationApproach: terms(`hours and tasks in one system, a threshold for deviations,
        report drafts with open decisions on top`),
      recommendedTools: ['Asana', 'monday.com', 'Smartsheet'],
      watchOut: 'If early warnings lead to blame, the data will be friendly too; praise the first red light.',
      measure: 'days between a deviation and the moment the client hears of it',
      topics:
        terms(`status, status report, project, projects, project management, timeline, budget, reporting, risks, risk, milestones,
        meetings, planning, overrun, progress`),
    },
    {
      id: 'knowledge-reuse',
      title: 'Finding what the firm already knows',
      subject: 'knowledge reuse',
      description:
        'Documents of finished projects are cleaned, described and searchable, with the name of someone who can be asked.',
      currentState:
        'People ask in a chat whether anyone has done something similar, the answer depends on who is online, and the same model is built again.',
      potentialState:
        'A question in plain words finds the method, the caveats and the colleague, and confidential parts stay where they belong.',
      impact: 'medium',
      effort: 'medium',
      category: 'data',
      hours: hoursSaved({
        count: 65,
        unit: 'searches for earlier work',
        per: 'week',
        minutes: 25,
        removed: [35, 55],
      }),
      automationApproach:
        terms(`a closing checklist that cleans and describes deliverables, search that respects access rights,
        a named contact on each document`),
      recommendedTools: ['Glean', 'Guru', 'Microsoft SharePoint'],
      watchOut:
        'Client confidentiality outlives the project, so access has to follow the contract and not the convenience of the search.',
      measure: 'the share of proposals and projects that reuse at least one earlier document',
      topics:
        terms(`knowledge, knowledge management, search, reuse, documents, library, intranet, wiki, onboarding, templates,
        expertise, best practice, lessons learned, staffing, training`),
    },
  ],
  workflows: [
    {
      name: 'From request to signed project',
      description: 'A client asks, the firm proposes, and both agree.',
      steps: [
        manual('Read the request', 'Requirements are marked by hand.'),
        manual('Find references', 'Folders and colleagues are searched.'),
        manual('Write', 'Passages are copied and adapted.'),
        manual('Price', 'Days are estimated in a sheet.'),
        automatic('Sign', 'The contract is signed electronically.'),
      ],
      isDeterministic: false,
      automationPotential: 'high',
      currentState: 'The idea gets the last hour because searching took the first thirty.',
    },
    {
      name: 'From interviews to findings',
      description: 'Conversations become statements a client can act on.',
      steps: [
        manual('Schedule', 'Dates are found with busy people.'),
        manual('Talk and type', 'One asks and one writes.'),
        manual('Code', 'Statements are sorted into themes.'),
        manual('Conclude', 'The team agrees on what was meant.'),
      ],
      isDeterministic: false,
      automationPotential: 'medium',
      currentState: 'Coding starts after the last interview, when the gaps can no longer be asked about.',
    },
    {
      name: 'Closing a project',
      description: 'Results are handed over and the firm keeps what it learned.',
      steps: [
        manual('Hand over', 'Documents are sent to the client.'),
        manual('Invoice', 'The last days are billed.'),
        manual('Clean', 'Names and figures are removed.'),
        manual('File', 'Documents are stored with a description.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The last two steps fall away when the next project begins.',
    },
  ],
  painPoints: [
    {
      title: 'Evenings lost to proposals that do not win',
      detail:
        'Unbilled days before a project are paid from its margin, and most of them are spent looking for text and profiles rather than on the idea.',
      sign: 'The firm answers public tenders, and job ads mention proposal work for consultants.',
    },
    {
      title: 'The same method invented twice',
      detail:
        'Knowledge walks from project to project in heads, so a client pays for a model that a colleague finished last year.',
      sign: 'Publications of the firm name the same few senior people for every subject.',
    },
    {
      title: 'Junior people who format at night',
      detail:
        'Production eats the hours in which young consultants should learn to think, and the good ones notice.',
      sign: 'Employer reviews mention late nights and slides.',
    },
    {
      title: 'Overruns noticed when the budget is gone',
      detail:
        'Status is what people say on Thursday, and nobody likes to be the first to say that week three took five days more.',
      sign: 'Projects are sold at fixed prices, and references mention extensions.',
    },
  ],
  buyers: consultingBuyers,
  quickWins: consultingQuickWins,
  facts: [
    'A proposal is read by several people for a few minutes each, so the first page and the fit to the stated requirements decide more than its length.',
    'Findings that carry their quotes survive a critical steering committee; findings from memory are argued away.',
    'Confidentiality clauses usually go on after a project has ended, which limits what may be reused and makes cleaning a step of its own.',
    'Billable time is lost in small pieces: searching, formatting and status questions rarely appear in any report.',
  ],
}
