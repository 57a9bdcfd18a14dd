import type { QuickWin } from './industry.ts'

/** First steps for a school or training provider that cost teachers no extra evening. */
export const educationQuickWins: readonly QuickWin[] = [
  {
    title: 'Write a comment bank for one assignment',
    opportunity: 'lesson-feedback',
    why: 'Twelve good comments cover most of what a teacher writes, and they make later drafting tools better.',
    steps: [
      'Take one assignment that several classes hand in.',
      'Collect twenty comments you have written before and reduce them to twelve.',
      'Give each a criterion of the rubric and one next step for the student.',
      'Enter them in the learning platform as saved comments.',
      'Note the time for one class and share the bank with a colleague.',
    ],
  },
  {
    title: 'Let families book visits themselves',
    opportunity: 'admissions-inquiries',
    why: 'A booking page ends the exchange of dates and works in the evening, when families decide.',
    steps: [
      'Set two afternoons a week for visits in a shared calendar.',
      'Open a booking page with slots of half an hour and three short questions.',
      'Put the link on the admissions page and in the first reply.',
      'Send a reminder the day before with directions and a name.',
    ],
  },
  {
    title: 'Send absence messages with three replies to choose from',
    opportunity: 'attendance-followup',
    why: 'Most reasons fit three choices, and a tap saves a phone call.',
    steps: [
      'Look up which reasons were entered most often last month.',
      'Write one message that offers the three most frequent and “please call me”.',
      'Send it from the register at a fixed time for one year group.',
      'Call only the homes that have not answered after thirty minutes.',
    ],
  },

  {
    title: 'Share one lesson in three levels',
    opportunity: 'course-materials',
    why: 'One finished example convinces colleagues more than a training day.',
    steps: [
      'Choose a lesson that several teachers give next month.',
      'Draft a simpler and a harder version of its main task.',
      'Check every answer by hand and mark the sheet as reviewed.',
      'Store the three versions under one name where colleagues look for them.',
    ],
  },
  {
    title: 'Count the covers of each person in public',
    opportunity: 'timetable-cover',
    why: 'A visible count ends the quarrel about fairness and is the base of every later rule.',
    steps: [
      'List the covers of the last four weeks by person.',
      'Publish the count in the staff room and keep it up to date.',
      'Agree on two rules for who is asked first.',
      'Send each change to everyone concerned in one message, not by board.',
    ],
  },
  {
    title: 'Offer a payment plan before the first reminder',
    opportunity: 'fees-reminders',
    why: 'Families who can choose a plan early seldom need a second letter.',
    steps: [
      'Write two plans that the school can live with.',
      'Add them to the invoice with a link to choose one.',
      'Send a friendly note five days before the due date.',
      'Give the name of a person for families who need to talk.',
    ],
  },
]
