import type { QuickWin } from './industry.ts'

/** First steps for a clinic or practice that need no change to its systems. */
export const healthcareQuickWins: readonly QuickWin[] = [
  {
    title: 'Switch on a confirm-or-move text for one clinician’s schedule',
    opportunity: 'appointment-reminders',
    why: 'Most practice systems already contain a reminder feature that is switched off or only sends one way.',
    steps: [
      'Count the missed visits of the last four weeks by weekday, so that there is something to compare with.',
      'Pick one clinician and turn on a text two days ahead that asks for a reply of 1 to confirm or 2 to move.',
      'Name one person who handles the replies with a 2 before noon each day.',
      'Keep a short list of people who want an earlier slot and offer them what becomes free.',
      'Compare after two weeks and extend it to the next schedule if fewer slots stay empty.',
    ],
  },
  {
    title: 'Send the intake packet with the booking, not at the door',
    opportunity: 'digital-intake',
    why: 'It needs one form and one text template, and it shows within days how much typing disappears.',
    steps: [
      'Take the current paper packet and strike every question that nobody reads.',
      'Build the rest as a form in a tool that signs a business associate agreement.',
      'Add the link to the booking confirmation for new patients only.',
      'Each evening, list tomorrow’s new patients without a finished form and send them one reminder.',
    ],
  },
  {
    title: 'Sort last month’s denials by cause',
    opportunity: 'claims-denials',
    why: 'Grouping shows which two or three registration habits cause most of the rework.',
    steps: [
      'Export last month’s denials with reason code, payer and the person who registered the visit.',
      'Group them by reason and mark those that could have been seen before the claim left.',
      'Write one check for the largest group and put it on the registration screen.',
      'Look at the same group again after two weeks.',
    ],
  },

  {
    title: 'Write the approval rules of your three largest payers on one page',
    opportunity: 'prior-authorization',
    why: 'Most requests go to a few payers, and a page at the order screen prevents the ones that are refused for a missing document.',
    steps: [
      'List last month’s requests by payer and by type of order.',
      'Take the three payers with the most requests and write down what each asks for.',
      'Hang the page where orders are written and ask clinicians to attach the evidence at once.',
      'Note for two weeks which requests still came back, and add the reason to the page.',
    ],
  },
  {
    title: 'Try drafted notes with one willing clinician',
    opportunity: 'clinical-notes',
    why: 'Five days with one person show whether drafts save time in your specialty, and nothing else has to change.',
    steps: [
      'Choose a tool that signs a business associate agreement and offers a trial.',
      'Write two sentences that ask patients for consent and use them word for word.',
      'Record routine visits for five days and sign each draft only after reading it.',
      'Write down the minutes of evening charting before and during the trial.',
      'Collect the three most frequent corrections and put them into the template.',
    ],
  },
  {
    title: 'Split the message inbox into four queues',
    opportunity: 'patient-messages',
    why: 'Four queues with an owner each end the reading of every message by everyone.',
    steps: [
      'Count one day’s messages by refill, appointment, bill and symptom.',
      'Make a folder or queue for each of the four and name its owner.',
      'Add a choice with the same four words to the portal form and the phone menu.',
      'Write down which words always go straight to a nurse.',
      'Look on Friday at the age of the oldest message in each queue.',
    ],
  },
]
