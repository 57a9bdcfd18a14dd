import type { QuickWin } from './industry.ts'

/** First steps for a plant, each on one machine or one list. */
export const manufacturingQuickWins: readonly QuickWin[] = [
  {
    title: 'Record the reason for every stop on one machine',
    opportunity: 'shift-handover',
    why: 'A tablet and twelve reasons are enough to end the argument about where the time goes.',
    steps: [
      'Choose the machine that everyone waits for.',
      'Write twelve reasons for stops together with the operators.',
      'Put a form with large buttons on a tablet at the machine.',
      'Show the three largest reasons at the shift meeting for one week.',
      'Remove one cause and watch whether its bar becomes shorter.',
    ],
  },
  {
    title: 'Turn the next ten planned services into work orders with parts',
    opportunity: 'preventive-maintenance',
    why: 'Most planned jobs fail for a missing part or page, not for missing time.',
    steps: [
      'List the next ten services with machine, date and duration.',
      'Attach the parts, the instruction and a photo of the spot to each.',
      'Reserve the parts in stock and order what is missing.',
      'Agree with planning on the hour in which the machine will stop.',
      'Note what was found, in words a successor would understand.',
    ],
  },
  {
    title: 'Ask for a confirmed date on every critical order line',
    opportunity: 'supplier-followup',
    why: 'A list of lines without a date shows tomorrow’s shortage today.',
    steps: [
      'Mark the fifty parts that would stop a line.',
      'List all open orders for them and note which have a confirmed date.',
      'Send one mail to each supplier with the lines that have none.',
      'Repeat it each Monday from a saved report.',
    ],
  },

  {
    title: 'Enter one critical dimension on a tablet for a week',
    opportunity: 'inspection-reports',
    why: 'A single dimension shows whether entry is fast enough for the shop floor.',
    steps: [
      'Choose the dimension that has caused most complaints.',
      'Build a form with part, machine, reading and limits.',
      'Time ten entries on paper and ten on the tablet.',
      'Show the readings as a line at the shift meeting.',
      'Keep the tablet only if entry is not slower.',
    ],
  },
  {
    title: 'Compare the last twenty offers with their actual hours',
    opportunity: 'quote-to-order',
    why: 'It shows in an afternoon which kind of part is quoted wrongly.',
    steps: [
      'Take twenty finished jobs from the last half-year.',
      'Put quoted and actual hours beside each other.',
      'Group them by material and operation and mark the three largest gaps.',
      'Correct these three in the calculation sheet today.',
    ],
  },
  {
    title: 'Correct the ten routings that are used most',
    opportunity: 'production-schedule',
    why: 'No plan can be better than its times, and ten corrections reach most of the volume.',
    steps: [
      'List the ten routings with the most orders last quarter.',
      'Ask the operators for the real set-up and running times.',
      'Enter them and note the date beside each.',
      'Watch for two weeks how often the plan of Monday still holds on Wednesday.',
    ],
  },
]
