import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a software company, and how to begin a useful conversation with them. */
const technologyBuyers: Buyers = {
  roles: [
    {
      title: 'VP of Engineering or CTO',
      aliases:
        terms(`cto, vp engineering, vp of engineering, head of engineering, engineering manager, technical lead,
        chief technology officer, platform, developer, devops, it, it manager, architect, engineer`),
      cares: 'focus time for engineers, reliability and a roadmap that moves',
      objection:
        'The team could build this in a sprint, so a purchase has to prove that maintenance is the real cost.',
      angle:
        'Speak about interruptions per week and about what is not being built because of them. Show the interface and the failure behavior before the feature list.',
    },
    {
      title: 'Head of Customer Success or Support',
      aliases:
        terms(`customer success, support, head of support, csm, customer experience, cx, service, account management,
        account manager, customer care`),
      cares: 'renewals without surprises and answers that stay right when the product changes',
      objection: 'A bot was tried before, and the customers it annoyed were the good ones.',
      angle:
        'Ask for the tickets that should never have been needed. Offer to begin where a person approves every answer and to widen that step by step.',
    },
    {
      title: 'Founder or CEO',
      aliases:
        terms(`founder, ceo, chief executive, owner, managing director, president, general manager, coo,
        operations, chief operating officer`),
      cares: 'growth for each person hired, and runway',
      objection: 'Every tool is one more subscription, and attention is scarcer than money.',
      angle:
        'Connect the work to a hire that would not be needed this year. Be short, give one number, and say what happens in the first two weeks.',
    },
    {
      title: 'Head of Growth or Sales',
      aliases:
        terms(`sales, growth, revenue, cro, vp sales, marketing, cmo, head of sales, revenue operations, revops,
        business development, demand generation`),
      cares: 'activation, pipeline and deals that do not stall in review',
      objection: 'Every number in the dashboard is disputed, so another source of numbers is not welcome.',
      angle:
        'Choose the single step of the trial or of the deal where most are lost, and talk only about that step.',
    },
  ],
  hooks: [
    'A support queue is a list of the documentation pages that are missing, ordered by how often they are missed.',
    'The first sign of a cancellation is seldom a complaint; it is a week in which nobody logged in, and the billing system cannot see that.',
    'A two-hundred-row security questionnaire is mostly the last questionnaire in another order, which makes it a matching problem and not a writing problem.',
  ],
  questions: [
    'Which question do your engineers answer most often, and where is the answer written down?',
    'At which step do most trials stop, and how long after it happens do you know?',
    'When the last large customer left, which sign was there two months before?',
    'How long did the most recent security questionnaire hold up a contract?',
    'Which alert wakes people up without anything being wrong?',
  ],
}

/** First steps for a software company, each with a figure to read after a week or two. */
const technologyQuickWins: readonly QuickWin[] = [
  {
    title: 'Give the ten most frequent tickets one approved answer each',
    opportunity: 'support-triage',
    why: 'A short list of good answers is useful at once and is the base of every later automation.',
    steps: [
      'Export the tickets of the last thirty days and tag each with one of fifteen subjects.',
      'Take the ten subjects with the most tickets and write one approved answer with a link for each.',
      'Add them as saved replies with a name that starts with the subject.',
      'Add a form field for the version and the account, so that nobody has to ask again.',
      'Count after a week how many tickets were closed with a saved reply.',
    ],
  },
  {
    title: 'Add one line for users to every pull request',
    opportunity: 'release-docs',
    why: 'It costs the author a minute and takes the guessing out of release day.',
    steps: [
      'Add a field called “What users will notice” to the pull request template.',
      'Let the pipeline fail when the field is empty and the change is not marked as internal.',
      'Collect the lines since the last tag into a draft with a small script.',
      'Let one person edit the draft on release day and publish it.',
    ],
  },
  {
    title: 'Open a task when weekly use of an account halves',
    opportunity: 'renewal-signals',
    why: 'One plain rule catches many cancellations early and needs no prediction model.',
    steps: [
      'Choose the one event that shows that an account gets value.',
      'Compare the count of the last seven days with the average of the four weeks before.',
      'Open a task for the owner of the account when it falls by half.',
      'Write down what the owner found, so that the rule can be improved after a month.',
    ],
  },

  {
    title: 'Find the step at which trials stop',
    opportunity: 'trial-activation',
    why: 'One chart of five steps shows where help is needed, before a single message is written.',
    steps: [
      'Write down the five steps from sign-up to the first real result.',
      'Count for last month’s trials how many reached each step.',
      'Look at three recordings or call three people who stopped at the largest drop.',
      'Put one hint or one personal message at that step.',
      'Compare the next two weeks with the count.',
    ],
  },
  {
    title: 'Put the owner of every service into one file',
    opportunity: 'incident-response',
    why: 'Knowing whom to call saves the first ten minutes of every incident.',
    steps: [
      'List the services that can wake someone up.',
      'Write a team and a person beside each, and settle the ones nobody claims.',
      'Link the file from every alert text.',
      'Delete the one alert that fired most often without needing anybody.',
    ],
  },
  {
    title: 'Collect the fifty answers you give most often',
    opportunity: 'security-questionnaires',
    why: 'The last three questionnaires already contain most of the next one.',
    steps: [
      'Take the last three questionnaires and put equal questions together.',
      'Choose the best answer for each of the first fifty and name a source for it.',
      'Add an owner and a date after which the answer has to be checked again.',
      'Fill in the next questionnaire from the list and note what is missing.',
    ],
  },
]

/** Software and technology companies: support, onboarding, releases, incidents, reviews and renewals. */
export const technology: Industry = {
  slug: 'technology',
  name: 'Technology',
  field: 'software and technology',
  organizations: 'software companies',
  customers: 'users',
  scale: 'a software company of about thirty people with a few hundred paying accounts',
  people: 30,
  aliases:
    terms(`technology, tech, software, saas, startup, app, apps, mobile app, web app, platform, developer,
    developers, development, devops, programming, cloud, hosting, cybersecurity, cyber security, infosec, it services,
    managed services, msp, data center, database, api, artificial intelligence, machine learning, ai, ai agents, robotics,
    semiconductor, electronics, telecom, internet, open source, web development, it support, helpdesk, game studio,
    gaming, blockchain, iot, analytics platform, digital product, code, engineering team, churn, onboarding flow`),
  opportunities: [
    {
      id: 'support-triage',
      title: 'Support tickets sorted, enriched and answered from the docs',
      subject: 'support triage',
      description:
        'Each ticket arrives with its subject, its account and the likely cause attached; known questions get an answer from the documentation, and the rest reaches the right person first time.',
      currentState:
        'Engineers and support take turns reading everything, ask for the version and the account, and answer the same ten questions every week in slightly different words.',
      potentialState:
        'Known questions are answered with a link to the source, bugs arrive with logs and reproduction steps, and only new problems cost human attention.',
      impact: 'high',
      effort: 'medium',
      category: 'communication',
      hours: hoursSaved({ count: 180, unit: 'tickets', per: 'week', minutes: 9, removed: [30, 50] }),
      automationApproach:
        terms(`ticket classification with a short fixed list of subjects, answers drawn only from
        published documentation, account data and recent errors attached to each ticket`),
      recommendedTools: ['Intercom Fin', 'Zendesk', 'Plain'],
      watchOut:
        'An answer without a source should never be sent; a confident wrong reply costs more trust than an hour of waiting.',
      measure: 'the share of tickets solved without a hand-over, next to the share that were opened again',
      topics:
        terms(`support, ticket, tickets, helpdesk, customer service, chatbot, triage, customer support, faq,
        knowledge base, response time, deflection, bug reports`),
    },
    {
      id: 'trial-activation',
      title: 'Trial onboarding that reacts to what people do',
      subject: 'trial onboarding',
      description:
        'Guidance follows the steps a new account has really taken, so that a stuck trial gets help on the step where it stopped and not the third e-mail of a fixed series.',
      currentState:
        'Every trial gets the same sequence on the same days; a person looks at usage only when a large prospect goes quiet.',
      potentialState:
        'Product events start a hint, a message or a call, depending on the step and the size of the account, and each stalled step is counted.',
      impact: 'high',
      effort: 'medium',
      category: 'growth',
      hours: hoursSaved({ count: 60, unit: 'new trials', per: 'week', minutes: 15, removed: [35, 60] }),
      automationApproach:
        terms(`product events sent to one place, a definition of activation in three to five steps,
        messages triggered by a missing step`),
      recommendedTools: ['Customer.io', 'Userpilot', 'Appcues'],
      watchOut:
        'If activation is defined by clicks that do not predict paying, the automation will polish the wrong number.',
      measure: 'the share of trials that reach the activating step within seven days',
      topics:
        terms(`onboarding, trial, activation, product led, plg, free trial, conversion, signup, user onboarding,
        engagement, adoption, retention, saas onboarding, emails`),
    },
    {
      id: 'release-docs',
      title: 'Release notes and documentation from merged work',
      subject: 'release documentation',
      description:
        'Merged changes are grouped by what users notice, and drafts of the release note, the changelog and the affected help pages are ready with the build.',
      currentState:
        'Someone reads the list of commits on release day, asks around what they mean, and the help pages are updated when a customer notices.',
      potentialState:
        'Each merge carries a line for users, the draft is assembled from these lines, and pages that mention a changed screen are flagged for review.',
      impact: 'medium',
      effort: 'low',
      category: 'documentation',
      hours: hoursSaved({ count: 6, unit: 'releases', per: 'week', minutes: 60, removed: [45, 70] }),
      automationApproach:
        terms(`a required user-facing line in each pull request, a pipeline step that assembles the draft,
        a check that lists help pages touched by the change`),
      recommendedTools: ['GitHub Actions', 'Mintlify', 'LaunchNotes'],
      watchOut:
        'Drafts made from commit titles alone repeat internal words; the line for users has to be written by whoever made the change.',
      measure: 'the days between a release and the last help page that follows it',
      topics:
        terms(`release, release notes, changelog, documentation, docs, deployment, ci/cd, pipeline, api documentation,
        developer, developers, shipping, technical writing, code review`),
    },
    {
      id: 'incident-response',
      title: 'Incident handling from alert to review',
      subject: 'incident response',
      description:
        'An alert opens a channel, pages the owner of the service, keeps the timeline and drafts the status page text and the review.',
      currentState:
        'Whoever sees the alert writes in a busy channel, hunts for the owner, and reconstructs the timeline from memory two days later.',
      potentialState:
        'Duplicate alerts are grouped, the responsible person is paged with recent changes attached, and the review begins with a complete timeline.',
      impact: 'high',
      effort: 'medium',
      category: 'operations',
      hours: hoursSaved({
        count: 25,
        unit: 'alerts that need a person',
        per: 'week',
        minutes: 35,
        removed: [25, 45],
      }),
      automationApproach: terms(`alert grouping by service, an ownership list kept beside the code,
        timeline capture from the incident channel`),
      recommendedTools: ['PagerDuty', 'incident.io', 'Rootly'],
      watchOut:
        'Automatic restarts that hide a fault turn one bad night into a slow month; every self-healing action needs a count that someone reads.',
      measure: 'the minutes until the right person is looking, and the alerts per night that needed nobody',
      topics:
        terms(`incident, incidents, outage, alert, alerts, on-call, monitoring, reliability, sre, uptime,
        postmortem, status page, devops, observability`),
    },
    {
      id: 'security-questionnaires',
      title: 'Security questionnaires and evidence for audits',
      subject: 'security reviews',
      description:
        'Answers to buyers’ questionnaires come from one approved library, and audit evidence is collected from the systems themselves all year.',
      currentState:
        'A deal waits while an engineer fills in two hundred rows from an older file, and before each audit people take screenshots for weeks.',
      potentialState:
        'Most rows are filled from approved answers with a source, only new questions reach the security lead, and evidence is already dated and filed.',
      impact: 'medium',
      effort: 'medium',
      category: 'compliance',
      hours: hoursSaved({ count: 8, unit: 'questionnaires', per: 'month', minutes: 210, removed: [50, 75] }),
      automationApproach:
        terms(`an answer library with an owner and a review date for each entry, matching of incoming questions to the library,
        scheduled collection of evidence`),
      recommendedTools: ['Vanta', 'Conveyor', 'Drata'],
      watchOut:
        'An outdated answer becomes a contractual promise, so every entry needs a date after which it may not be reused.',
      measure: 'the days from receiving a questionnaire to returning it',
      topics:
        terms(`security, questionnaire, compliance, soc 2, iso 27001, audit, vendor review, evidence, privacy, gdpr,
        procurement, due diligence, cybersecurity, rfp`),
    },
    {
      id: 'renewal-signals',
      title: 'Churn signals and renewal preparation',
      subject: 'renewal signals',
      description:
        'Usage, tickets, invoices and contact changes are read together, so that an account in trouble is seen months before the renewal date.',
      currentState:
        'Customer success keeps health scores in a spreadsheet, updates them before the board meeting, and hears about cancellations by e-mail.',
      potentialState:
        'A drop in weekly use or the departure of a champion opens a task with the facts attached, and a renewal brief is ready ninety days ahead.',
      impact: 'high',
      effort: 'medium',
      category: 'data',
      hours: hoursSaved({ count: 45, unit: 'account reviews', per: 'month', minutes: 50, removed: [40, 60] }),
      automationApproach:
        terms(`usage joined with billing and support data, simple threshold rules before any prediction model,
        a generated one-page brief for each account`),
      recommendedTools: ['Vitally', 'ChurnZero', 'Gainsight'],
      watchOut:
        'A health score nobody acts on is decoration; start with one signal and one action that follows it.',
      measure: 'the share of cancelled accounts that had an open risk task sixty days earlier',
      topics:
        terms(`churn, retention, renewal, renewals, customer success, health score, upsell, expansion, cancellation,
        subscription, accounts, usage, downgrade`),
    },
  ],
  workflows: [
    {
      name: 'From ticket to fix',
      description: 'A report from a user becomes an answer, or a change in the product.',
      steps: [
        automatic('Receive', 'E-mail, chat and forms land in one queue.'),
        manual('Sort', 'Someone reads the ticket and picks a subject and a priority.'),
        manual('Collect facts', 'Version, account and logs are asked for one by one.'),
        manual('Reproduce', 'An engineer tries to see the fault.'),
        manual('Tell the user', 'The answer is written when someone remembers the ticket.'),
      ],
      isDeterministic: false,
      automationPotential: 'high',
      currentState: 'Collecting facts takes longer than the fix for a good part of all tickets.',
    },
    {
      name: 'From merge to announcement',
      description: 'Finished work reaches users, and they learn what has changed.',
      steps: [
        automatic('Build and test', 'The pipeline runs on every change.'),
        manual('Approve', 'A release owner looks at the list of changes.'),
        automatic('Deploy', 'The new version is rolled out in steps.'),
        manual('Write notes', 'Someone turns commits into sentences.'),
        manual('Update help', 'Screens and articles are compared by eye.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The machine part takes minutes and the writing part takes days.',
    },
    {
      name: 'From trial to paying account',
      description: 'Someone signs up, finds the value and decides to pay.',
      steps: [
        automatic('Sign up', 'An account is created and verified.'),
        manual('Set up', 'The user connects data and invites others.'),
        automatic('Remind', 'A series of messages runs by the calendar.'),
        manual('Qualify', 'Sales looks at the company and decides whether to call.'),
        manual('Close', 'A plan is agreed and the contract is prepared.'),
      ],
      isDeterministic: false,
      automationPotential: 'medium',
      currentState: 'Messages follow the calendar and not the step at which the user stopped.',
    },
  ],
  painPoints: [
    {
      title: 'Engineers interrupted by questions the docs could answer',
      detail:
        'Every interruption costs the question and the way back into the work, and the same questions return because the answer stays in a chat thread.',
      sign: 'The public forum or community shows the same question several times, answered by engineers.',
    },
    {
      title: 'Trials that end without anyone knowing why',
      detail:
        'Most lost trials never complain; they stop at one step, and without events nobody can say which step it was.',
      sign: 'The product has a self-serve trial, while the careers page looks for onboarding or growth people.',
    },
    {
      title: 'Deals that wait for a security answer',
      detail:
        'The larger the buyer, the longer the questionnaire, and the person who can answer it is the one building the product.',
      sign: 'There is no public trust page, or it names a report that is still being prepared.',
    },
    {
      title: 'Cancellations that come as a surprise',
      detail:
        'The signs are spread over usage data, tickets and unpaid invoices, in three systems with three owners, so each owner sees only a small worry.',
      sign: 'Job ads for customer success speak of building health scores from scratch.',
    },
  ],
  buyers: technologyBuyers,
  quickWins: technologyQuickWins,
  facts: [
    'Language models answer well from a small set of current pages and badly from a large set of stale ones, so cleaning the documentation comes before choosing the tool.',
    'Teams that name an owner for every service in a file beside the code spend less of an incident asking who should be in the room.',
    'A SOC 2 report answers many questions of a buyer in advance, but it covers only the systems named in its scope.',
    'Usage that falls is a better early sign than a survey, because people who have given up rarely answer surveys.',
  ],
}
