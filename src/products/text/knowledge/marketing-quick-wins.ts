import type { QuickWin } from './industry.ts'

/** First steps for an agency or marketing team, one client or campaign at a time. */
export const marketingQuickWins: readonly QuickWin[] = [
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
