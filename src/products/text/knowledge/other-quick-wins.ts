import type { QuickWin } from './industry.ts'

/** First steps for any organization with an office of one or two. */
export const otherQuickWins: readonly QuickWin[] = [
  {
    title: 'Give every recurring question one approved answer',
    opportunity: 'shared-inbox',
    why: 'An hour of writing saves the same hour every week from then on.',
    steps: [
      'Read the last fifty messages and count the questions that return.',
      'Write a good answer to each of the first ten, with a link where one helps.',
      'Save them as templates in the mail program with clear names.',
      'Put the three most frequent on the website next to the contact form.',
      'Count the same questions again after two weeks.',
    ],
  },
  {
    title: 'Use one mail address for all supplier invoices',
    opportunity: 'invoice-processing',
    why: 'A single entrance is the condition for everything else and can be opened in ten minutes.',
    steps: [
      'Create the address and tell the twenty largest suppliers.',
      'Forward it to the reading feature that your accounting program most likely has.',
      'Name one person who looks at it every day at the same time.',
      'Note for a month which invoices needed a second look, and why.',
    ],
  },
  {
    title: 'Write the invoice on the day the work ends',
    opportunity: 'payment-reminders',
    why: 'Money arrives sooner when the invoice does, without any reminder at all.',
    steps: [
      'Measure for the last ten jobs how many days passed until the invoice.',
      'Make a template with the five most frequent items.',
      'Send the invoice from the phone before leaving the customer.',
      'Switch on one friendly reminder three days before the due date.',
    ],
  },

  {
    title: 'Open a booking page for one kind of appointment',
    opportunity: 'self-booking',
    why: 'One page for the most frequent appointment takes an hour and shows how many calls it saves.',
    steps: [
      'Choose the appointment that is agreed by phone most often.',
      'Set its length, the free times and the buffer before and after.',
      'Put the link on the website, in the signature and in the answering message.',
      'Send a reminder the day before with a link to move.',
      'Count calls about dates for two weeks.',
    ],
  },
  {
    title: 'Write the checklist for the first day',
    opportunity: 'employee-onboarding',
    why: 'Twenty lines with a name behind each prevent most of what goes wrong in the first week.',
    steps: [
      'Ask the last two who joined what was missing.',
      'List papers, accounts, equipment and people to meet.',
      'Put a name and a date before the first day behind each line.',
      'Keep the same list for the day someone leaves, with the order reversed.',
    ],
  },
  {
    title: 'End one weekly meeting with a list that everyone sees',
    opportunity: 'meeting-followup',
    why: 'It needs no tool and shows how many tasks a tool would have to carry.',
    steps: [
      'Choose the meeting with the most open ends.',
      'Use the last five minutes to read decisions, owners and dates aloud.',
      'Enter them at once where the team already works.',
      'Open the list at the start of the next meeting and close what is done.',
    ],
  },
  {
    title: 'Name the leading system for your customer addresses',
    opportunity: 'system-sync',
    why: 'One decision about who is right removes most of the comparing, before anything is connected.',
    steps: [
      'List every place where customer addresses are kept.',
      'Choose the one that is right when two of them differ.',
      'Remove the right to change addresses in the others, or mark them as copies.',
      'Connect the largest copy with a ready-made connector and watch it for a week.',
      'Send a notice to a named person when a transfer fails.',
    ],
  },
]
