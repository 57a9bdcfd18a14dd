import { type AutomationRule, alternatives, byHand, bySoftware, seenAt } from '../automation-rule.ts'

/** Rules for what people ask of the business: enquiries, appointments, questions, applications. */
export const contactRules: readonly AutomationRule[] = [
  {
    id: 'opp-lead-intake',
    title: 'Enquiries by form',
    category: 'lead-management',
    impact: 'high',
    effort: 'low',
    hours: [8, 16],
    isDeterministic: true,
    currentState: ({ leads }) =>
      leads.how === 'mailto'
        ? `For enquiries the pages that were read show an e-mail address${leads.phone ? ' and a telephone number' : ''}${leads.hasFormInVain ? ', and a form that delivers nothing' : ' and no form'}: ${seenAt(leads.evidence)}. What arrives by mail usually has to be read and typed into the next system.`
        : undefined,
    description:
      'Have a form beside the mail address whose answers are stored, confirmed and passed to the right person at once.',
    potentialState:
      'Each enquiry is a record with a name, a wish and an owner within seconds, and the sender has a confirmation.',
    approach: [
      'a contact form with the fields you always ask for',
      'a form that writes each enquiry into your list of contacts',
      'a rule that picks the owner by topic',
    ],
    workflow: {
      name: 'Enquiry by e-mail',
      description: 'How an enquiry becomes a record that somebody works on.',
      steps: [
        byHand('Read the e-mail', 'The mailbox is opened and the message read.'),
        byHand(
          'Record the enquiry',
          'Name, address and wish usually have to be typed into a list or a contact system.',
        ),
        byHand('Pass it on', 'The message is forwarded to whoever should answer it.'),
        byHand('Answer', 'The person replies and asks for what is missing.'),
      ],
    },
  },
  {
    id: 'opp-crm-sync',
    title: 'Enquiries into your list of contacts',
    category: 'data',
    impact: 'medium',
    effort: 'low',
    hours: [4, 8],
    isDeterministic: true,
    currentState: ({ leads, services }) =>
      leads.how === 'form' && !services.some(({ kinds }) => kinds.includes('crm'))
        ? `Enquiries arrive through a form, ${seenAt(leads.evidence)}, and no known contact system was seen on the pages.`
        : undefined,
    description:
      'Send each form entry to a contact system, with duplicates merged, where it is now copied from a mailbox. Name the system in the privacy notice.',
    potentialState:
      'Every entry opens or updates a contact, and follow-ups start from there without copying.',
    approach: [
      'a form that writes into your list of contacts by itself',
      'a match on the e-mail address before a contact is made',
      'a follow-up task for each new contact',
    ],
    workflow: {
      name: 'Enquiry by form',
      description: 'How the entries of the contact form reach the list of contacts.',
      steps: [
        bySoftware('Send the form', 'The visitor fills in the form and the site takes it.'),
        byHand('Copy the entry', 'It usually has to be copied from a notification to the list of contacts.'),
        byHand('Look for duplicates', 'The contact is compared with those that exist already.'),
        byHand('Plan the follow-up', 'Without a contact system, a reminder is usually set by hand.'),
      ],
    },
  },
  {
    id: 'opp-self-service-scheduling',
    title: 'Online booking',
    category: 'scheduling',
    impact: 'high',
    effort: 'low',
    hours: [10, 20],
    isDeterministic: true,
    currentState: ({ booking }) =>
      booking.how === 'contact' && booking.ways.includes('telephone')
        ? `The site speaks of appointments or reservations, ${seenAt(booking.evidence)}. The site can be reached by ${alternatives(booking.ways)}. No booking was seen in the HTML.`
        : undefined,
    description:
      'Show free times online and let visitors, and agents on their behalf, book, move and cancel by themselves.',
    potentialState:
      'Bookings enter the calendar at any hour, with a confirmation and a reminder, and calls are left for exceptions.',
    approach: [
      'a booking page that reads and writes your calendar',
      'reminders by e-mail or text message',
      'a link to that page on every page of the site',
    ],
    workflow: {
      name: 'Appointment by telephone',
      description: 'How an appointment is made, moved and kept.',
      steps: [
        byHand('Take the call', 'The call is answered during opening hours.'),
        byHand('Find a time', 'Caller and calendar are usually matched in conversation.'),
        byHand('Write it down', 'The appointment is entered by hand.'),
        byHand('Remind', 'A reminder takes another call or message.'),
      ],
    },
  },
  {
    id: 'opp-support-answers',
    title: 'Answers to common questions',
    category: 'communication',
    impact: 'high',
    effort: 'medium',
    hours: [12, 30],
    isDeterministic: false,
    // A mailbox that already counts for enquiries is left out: its hours would be counted twice.
    currentState: ({ faq, support, leads }) =>
      faq.how === 'none' &&
      support.how !== 'pages' &&
      support.mailbox &&
      !(leads.how === 'mailto' && leads.evidence.some(({ value }) => value === support.mailbox?.value))
        ? `The pages show a mailbox for questions, ${seenAt([support.mailbox])}, and no page with several answered questions was found among those that were read.`
        : undefined,
    description:
      'Collect the questions that come back, publish their answers, and let an assistant draft replies from them.',
    potentialState:
      'Visitors and assistants find the answer on the site, and the mailbox gets drafts that a person approves.',
    approach: [
      'a list of questions from the last three months of mail',
      'a page with the answers',
      'an assistant that drafts replies from that page only',
    ],
    workflow: {
      name: 'Questions by e-mail',
      description: 'How a question from a visitor gets its answer.',
      steps: [
        byHand('Read the question', 'The mailbox is opened and the message read.'),
        byHand('Look up the answer', 'It usually has to be remembered, searched or asked from a colleague.'),
        byHand('Write the reply', 'Common questions usually get the same reply again.'),
      ],
    },
  },
  {
    id: 'opp-applicant-screening',
    title: 'Applicant screening',
    category: 'hr',
    impact: 'medium',
    effort: 'medium',
    hours: [4, 10],
    isDeterministic: false,
    currentState: ({ hiring }) =>
      hiring.how === 'mailto'
        ? `The page about jobs gives an e-mail address and no form or job board: ${seenAt(hiring.evidence)}.`
        : undefined,
    description:
      'Take applications through a form that asks everybody the same, and sort them by the answers before people decide.',
    potentialState:
      'Each application is complete when it arrives, applicants hear back at once, and people compare like with like.',
    approach: [
      'a form or a job board with your questions',
      'a confirmation with the next step',
      'a summary for the person who decides',
    ],
    workflow: {
      name: 'Application by e-mail',
      description: 'How an application is received and compared.',
      steps: [
        byHand('File the application', 'Attachments usually have to be saved from the mailbox.'),
        byHand('Ask for what is missing', 'Without a form, applications differ in what they tell.'),
        byHand('Compare', 'Files are read one by one and put into a list.'),
        byHand('Reply', 'Invitations and refusals are usually written one by one.'),
      ],
    },
  },
]
