import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a dental practice, and how to begin a useful conversation with them. */
const dentalBuyers: Buyers = {
  roles: [
    {
      title: 'Practice manager of a dental practice',
      aliases:
        terms(`practice manager, office manager, clinic manager, practice administrator, operations manager,
        operations, coo, front office, front desk, treatment coordinator, administrator`),
      cares: 'chairs that are in use, a calm front desk and hygienists who stay',
      objection: 'The practice software already has a reminder module, and it has disappointed everyone.',
      angle:
        'Talk about the next morning’s schedule and what happens when two patients cancel. Offer to start with a list that the practice software can already print.',
    },
    {
      title: 'Dentist and practice owner',
      aliases:
        terms(`owner, dentist, doctor, dental director, clinical director, partner, ceo, founder, president,
        managing director`),
      cares: 'time at the chair, treatment that patients say yes to and evenings without paperwork',
      objection: 'Patients come because they know us, and a machine that writes to them would spoil that.',
      angle:
        'Lead with treatment that was diagnosed and never booked, because it is the number an owner knows least. Say early that diagnosis and prices stay with the dentist.',
    },
    {
      title: 'Dental insurance coordinator',
      aliases:
        terms(`insurance coordinator, billing coordinator, billing manager, biller, billing, finance, cfo, controller,
        accounting, financial coordinator`),
      cares: 'estimates that hold, claims that go out once and patients who are not surprised by a bill',
      objection: 'Each insurer has its own portal and its own rules, and no tool has covered ours so far.',
      angle:
        'Ask for the five insurers that cover most patients and start with these alone. A check the day before the visit is worth more than a faster appeal after it.',
    },
    {
      title: 'IT and privacy lead of a dental group',
      aliases: terms(
        `it, it manager, cio, cto, technology, information, compliance, privacy, security, hipaa officer`,
      ),
      cares: 'patient privacy, images that stay where they belong and few accounts to look after',
      objection: 'The practice software is a closed system, and each add-on breaks with its next version.',
      angle:
        'Show which fields are read and written, and how it works on the day the connection fails. Bring the privacy agreement before it is asked for.',
    },
  ],
  hooks: [
    'Most dental practices can say how full next week is, but not how many patients left this month without their next check-up in the book.',
    'A treatment plan that nobody asks about again is refused by silence, and a short friendly message after a week is often all that was missing.',
    'An hour of hygiene that falls free at eight in the morning is lost by nine, unless someone who wanted to come sooner hears of it at once.',
  ],
  questions: [
    'When a patient leaves without the next check-up in the book, who notices, and when?',
    'How many treatment plans of last month are still without an answer, and who calls these patients?',
    'What do you need from an insurer before you can tell a patient what a crown will cost, and how long does it take?',
    'If a hygiene appointment is cancelled tonight for tomorrow at eight, who fills it, and how?',
    'Which notes are still open when the last patient has left the chair?',
    'Which three questions does your front desk answer most often on the phone?',
  ],
}

/** First steps for a dental practice that need no change to its software. */
const dentalQuickWins: readonly QuickWin[] = [
  {
    title: 'Switch on a confirm-or-move text for the hygiene schedule',
    opportunity: 'dental-reminders',
    why: 'Most practice software already contains a reminder feature that is switched off or only sends one way.',
    steps: [
      'Count the empty chair hours of the last four weeks by weekday, so that there is something to compare with.',
      'Turn on a text two days ahead for one hygienist that asks for a reply of 1 to confirm or 2 to move.',
      'Keep a short-notice list of patients who can come within a day, with the times that suit them.',
      'Offer each freed hour to this list before noon.',
      'Compare after two weeks, and extend it to the dentists if fewer hours stay empty.',
    ],
  },
  {
    title: 'Write to the patients who have been overdue for three months',
    opportunity: 'dental-recall',
    why: 'The list is in the practice software already, and these patients know you.',
    steps: [
      'Print the list of patients whose check-up was due three to six months ago and who have no appointment.',
      'Strike those who moved away, and those whom a dentist wants to call in person.',
      'Send the others one short message with two times to choose from.',
      'Call those who have not answered after a week, ten a day.',
      'Count how many are in the book after two weeks.',
    ],
  },
  {
    title: 'Ask once about each open treatment plan of last month',
    opportunity: 'treatment-plans',
    why: 'One message per plan shows within days which patients had only waited to be asked.',
    steps: [
      'List last month’s treatment plans without an appointment, with dentist and amount.',
      'Let the dentist mark those that cannot wait.',
      'Send each of the others a message with the name of the person to ask, and without the treatment in it.',
      'Note the reason where a patient says no: fear, price, time or insurance.',
      'Discuss the most frequent reason in the next team meeting.',
    ],
  },
  {
    title: 'Check the insurance of tomorrow’s patients by four o’clock',
    opportunity: 'dental-benefits',
    why: 'A fixed hour and a short list end the surprises at the front desk on the next day.',
    steps: [
      'Print tomorrow’s schedule at three and mark the patients with a new plan or a large treatment.',
      'Check these first: cover, what is left of the yearly maximum, waiting periods.',
      'Write the result into the appointment, so that the chairside team sees it as well.',
      'Count for two weeks how many patients were surprised by their share.',
    ],
  },
  {
    title: 'Sort last month’s rejected dental claims by cause',
    opportunity: 'dental-claims',
    why: 'Two or three causes, such as a missing X-ray, usually account for most of the rework.',
    steps: [
      'Export last month’s rejected claims with code, insurer and reason.',
      'Group them by reason, and mark those where only an attachment was missing.',
      'Write down which attachments the three largest insurers want for crowns, implants and gum treatment.',
      'Hang the page where claims are sent, and look at the same groups after two weeks.',
    ],
  },
  {
    title: 'Send the health history with the booking of new patients',
    opportunity: 'dental-intake',
    why: 'It needs one form and one text, and shows within days how much typing disappears.',
    steps: [
      'Take the paper form and strike every question that no one at the chair reads.',
      'Build the rest as a form in a tool that signs a privacy agreement with you.',
      'Add the link to the confirmation for new patients only.',
      'Each evening, remind tomorrow’s new patients whose form is missing.',
    ],
  },
  {
    title: 'Try dictated notes in one treatment room',
    opportunity: 'dental-notes',
    why: 'Five days in one room show whether drafts save time, and nothing else has to change.',
    steps: [
      'Choose the three treatments that you do most, and write a note template for each.',
      'Let one dentist dictate into these templates for five days, and sign each note only after reading it.',
      'Write down the minutes of charting after hours before the trial and during it.',
      'Collect the three most frequent corrections and put them into the templates.',
    ],
  },
  {
    title: 'Count one week of calls by what they are about',
    opportunity: 'dental-calls',
    why: 'The count shows which two kinds of calls need no person, and which hour needs a second one.',
    steps: [
      'Put a tally sheet beside each telephone: appointment, price, pain, insurance, other.',
      'Count missed calls by hour from the telephone system.',
      'Put the answers to the two most frequent questions on the website and into the on-hold message.',
      'Write down which words always go straight to a dentist, such as swelling or bleeding.',
      'Count again a week later.',
    ],
  },
]

/**
 * Dental practices, a trade within healthcare. They live on recall and on treatment plans, have hygienists and assistants
 * instead of nurses, and ask insurers for pre-approval of single treatments. All figures are of one practice with 36 visits
 * a day: two dentists with ten each, two hygienists with eight each.
 */
export const dentistry: Industry = {
  slug: 'healthcare',
  name: 'Dentistry',
  field: 'dentistry',
  organizations: 'dental practices',
  customers: 'patients',
  scale: 'a practice with two dentists, two hygienists, two assistants and two people at the front desk',
  people: 8,
  aliases:
    terms(`dental, dentist, dentists, dentistry, dental practice, dental clinic, dental office, dental surgery, dental care,
    orthodontist, orthodontists, orthodontics, endodontist, endodontics, periodontist, oral surgeon, oral surgery, prosthodontist,
    dental hygienist, dental hygiene, tooth, teeth, braces, dental implants, root canal`),
  common: terms('dental, dentist, dentistry, patient, treatment, treat, tooth, teeth, care, gum, x-ray'),
  opportunities: [
    {
      id: 'dental-reminders',
      title: 'Appointment reminders and a short-notice list for empty chairs',
      subject: 'appointment reminders',
      description:
        'Patients confirm or move a visit by text, and an hour that falls free is offered at once to those who asked for an earlier one.',
      currentState:
        'The front desk calls through tomorrow’s schedule in the afternoon, reaches half of the patients, and learns of most no-shows when the chair is empty.',
      potentialState:
        'Replies change the schedule by themselves, freed hours go to the short-notice list in order, and people only call those who have not answered.',
      impact: 'high',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 36, unit: 'booked visits', per: 'day', minutes: 2, removed: [45, 70] }),
      automationApproach:
        terms(`a reminder service that reads and writes the schedule of the practice software,
        texts and e-mails with a reply that is understood, a short-notice list by length of visit and operator`),
      recommendedTools: ['NexHealth', 'Weave', 'Lighthouse 360'],
      watchOut:
        'A text on a phone that others see must not name the treatment; the date, the time and the practice are enough.',
      measure: 'the chair hours that stay empty, by weekday and by operator',
      topics:
        terms(`texting, text messages, hipaa, reminder, reminders, no-show, noshow, missed appointment, show up, cancellation,
        cancel, confirm, appointment, appointments, schedule, scheduling, booking, waitlist, calendar, empty chair, short notice`),
    },
    {
      id: 'dental-recall',
      title: 'Recall of patients who are due or overdue',
      subject: 'recall',
      description:
        'Patients who are due hear of it before the date and can choose a time, and those who are overdue are asked again until they answer.',
      currentState:
        'Whoever leaves without the next date falls out of the book; a list of overdue patients is printed when the hygiene schedule looks thin, and half of it is called.',
      potentialState:
        'Each patient who is due gets a message with times to choose from, later a second one, and only those who stay silent come onto a call list.',
      impact: 'high',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({
        count: 80,
        unit: 'patients due for recall',
        per: 'week',
        minutes: 3,
        removed: [40, 65],
      }),
      automationApproach:
        terms(`a daily list of due patients from the practice software, messages in steps with a link to free times,
        a call list of those who have not answered`),
      recommendedTools: ['RevenueWell', 'Lighthouse 360', 'Dental Intelligence'],
      watchOut:
        'The dentist sets the interval for each patient; software that invites everyone every six months is wrong for some and looks like selling.',
      measure: 'the share of active patients who have their next check-up in the book',
      topics: terms(`recall, recalls, recare, check-up, checkup, check-ups, overdue, due, reactivation,
        inactive patients, retention, six months`),
    },
    {
      id: 'treatment-plans',
      title: 'Treatment plans from estimate to appointment',
      subject: 'treatment plans',
      description:
        'Each plan gets a written estimate, an owner and a date for the next step, so that none is forgotten between diagnosis and appointment.',
      currentState:
        'The dentist explains the plan at the chair, the front desk writes an estimate between two calls, and the patient wants to think about it; after that nobody asks.',
      potentialState:
        'The estimate is made from the plan with the insurer’s share, goes out the same day, and open plans come back to the coordinator’s list after a week and after a month.',
      impact: 'high',
      effort: 'medium',
      category: 'workflow',
      hours: hoursSaved({
        count: 20,
        unit: 'new treatment plans',
        per: 'week',
        minutes: 15,
        removed: [35, 55],
      }),
      automationApproach:
        terms(`estimates filled in from the plan and the fee list, a list of open plans by age and amount,
        follow-up messages that the coordinator releases`),
      recommendedTools: ['Dental Intelligence', 'Adit', 'RevenueWell'],
      watchOut:
        'What is treated, and how urgent it is, stays with the dentist; a message may ask for an answer and must never press for one.',
      measure: 'the share of planned treatment that is booked within 30 days',
      topics:
        terms(`treatment plan, treatment plans, treatment planning, estimate, estimates, quote, quotes, case acceptance, acceptance, unscheduled,
        financing, instalments, payment plan, follow-up, coordinator`),
    },
    {
      id: 'dental-benefits',
      title: 'Insurance checks and pre-approval',
      subject: 'insurance pre-approval',
      description:
        'What the insurer covers is looked up before the visit, and treatments that need a pre-approval are sent with their X-rays and followed up until the answer comes.',
      currentState:
        'Someone opens one insurer’s portal after the other, waits on the phone for what is left of the yearly maximum, and the patient hears the own share at checkout.',
      potentialState:
        'Cover is read the evening before, requests for pre-approval are filled in from the plan, and the desk sees only the patients where something is missing.',
      impact: 'high',
      effort: 'medium',
      category: 'data',
      hours: hoursSaved({ count: 90, unit: 'insurance checks', per: 'week', minutes: 8, removed: [40, 65] }),
      automationApproach:
        terms(`electronic eligibility checks for the next two days, pre-approval requests with images from the treatment plan,
        a list of answers that are overdue`),
      recommendedTools: ['Vyne Dental', 'DentalXChange', 'Zuub'],
      watchOut:
        'An estimate is no promise of the insurer: say so on it, and let a person explain a large share to the patient.',
      measure:
        'the share of visits whose cover is known the evening before, and the days until a pre-approval is answered',
      topics:
        terms(`insurance, insurer, benefits, coverage, cover, eligibility, verification, authorization, pre-approval, preapproval,
        predetermination, preauthorization, maximum, co-payment, payer, approval, portal`),
    },
    {
      id: 'dental-claims',
      title: 'Dental claims with their attachments, and denial follow-up',
      subject: 'claims and denials',
      description:
        'Claims are checked for codes, tooth numbers and attachments before they leave, and denials come back sorted by cause.',
      currentState:
        'A claim for a crown goes out without its X-ray, comes back three weeks later, and is put together again from the chart between two patients.',
      potentialState:
        'Missing images and narratives are seen the same day, the answer of the insurer is posted by itself, and appeals begin with a filled-in draft.',
      impact: 'medium',
      effort: 'medium',
      category: 'finance',
      hours: hoursSaved({
        count: 12,
        unit: 'rejected or denied claims',
        per: 'week',
        minutes: 16,
        removed: [40, 65],
      }),
      automationApproach:
        terms(`attachment rules for each insurer and code, claims sent with images from the chart,
        automatic posting of remittances`),
      recommendedTools: ['Vyne Dental', 'DentalXChange', 'Open Dental'],
      watchOut:
        'A narrative that software words must match the chart, because the dentist answers for what the claim says.',
      measure: 'the share of claims that are paid at first submission, and the days until payment',
      topics:
        terms(`claim, claims, denial, denials, denied, billing, codes, coding, attachments, x-ray, narrative, reimbursement, remittance, appeal,
        accounts receivable, collections, payment, invoice, revenue cycle`),
    },
    {
      id: 'dental-intake',
      title: 'Intake forms before the first visit',
      subject: 'digital intake',
      description:
        'New patients fill in health history, consent and insurance on their own phone, and the answers stand in the chart before they sit down.',
      currentState:
        'A clipboard in the waiting room delays the first appointment, and someone types medication and allergies into the chart while the dentist waits.',
      potentialState:
        'The link comes with the confirmation, a change of medication is marked for the dentist, and the desk only asks for what is missing.',
      impact: 'medium',
      effort: 'low',
      category: 'data',
      hours: hoursSaved({ count: 25, unit: 'form packets', per: 'week', minutes: 12, removed: [55, 80] }),
      automationApproach:
        terms(`mobile forms that write into the practice software, a picture of the insurance card,
        a reminder the evening before for missing forms`),
      recommendedTools: ['YAPI', 'NexHealth', 'Curve Dental'],
      watchOut:
        'The dentist still asks about medication and allergies at the chair: a form that was tapped through is no history.',
      measure: 'the share of new patients whose forms are complete the evening before',
      topics:
        terms(`intake, form, forms, paperwork, registration, new patient, consent, health history, medical history, allergies, insurance card,
        check-in, waiting room, onboarding, questionnaire, data entry`),
    },
    {
      id: 'dental-notes',
      title: 'Draft treatment notes for the dentist to sign',
      subject: 'treatment notes',
      description:
        'Findings that are spoken at the chair become a note by a template, with tooth numbers and materials, that the dentist corrects and signs.',
      currentState:
        'Notes are typed between two patients or after the last one, from memory, and the anaesthetic and the material are looked up once more.',
      potentialState:
        'The draft is ready when the patient stands up, gum measurements are entered by voice, and signing takes a minute.',
      impact: 'medium',
      effort: 'medium',
      category: 'documentation',
      hours: hoursSaved({ count: 36, unit: 'treatment notes', per: 'day', minutes: 5, removed: [25, 45] }),
      automationApproach: terms(`note templates for each treatment, dictation or voice charting at the chair,
        write-back into the practice software as an unsigned draft`),
      recommendedTools: ['Bola AI', 'Denti.AI', 'Heidi Health'],
      watchOut:
        'A draft may hold the wrong tooth, so a note counts only once the dentist has read and signed it.',
      alone: true,
      measure: 'minutes of charting after the last patient for each dentist',
      topics:
        terms(`note, notes, charting, documentation, dictation, voice, perio charting, record, chart, transcription, burnout, after hours,
        scribe, template`),
    },
    {
      id: 'dental-calls',
      title: 'Calls and messages at the front desk',
      subject: 'patient calls and messages',
      description:
        'Questions about times, prices and directions get an answer by themselves, requests for appointments arrive with their reason, and pain reaches a person at once.',
      currentState:
        'Two people greet, collect payments and answer the phone; at nine o’clock callers hang up, and messages are read when the waiting room is empty.',
      potentialState:
        'A caller can book a check-up without waiting, a missed call is answered with a text, and words such as swelling ring through to the team.',
      impact: 'medium',
      effort: 'medium',
      category: 'communication',
      hours: hoursSaved({ count: 45, unit: 'calls and messages', per: 'day', minutes: 3, removed: [30, 50] }),
      automationApproach:
        terms(`online booking for check-ups and cleanings, a text in reply to each missed call,
        answers to the ten most frequent questions that the practice has written`),
      recommendedTools: ['Weave', 'Adit', 'NexHealth'],
      watchOut:
        'Whether pain can wait is judged by a person; an assistant asks for the number and passes the call on.',
      measure: 'missed calls by hour, and the minutes until a message is answered',
      topics:
        terms(`phone, phones, call, calls, callers, missed calls, message, messages, inbox, answering, online booking, chatbot, receptionist, front desk,
        communication, question, questions, emergency, toothache, whatsapp`),
    },
  ],
  workflows: [
    {
      name: 'From check-up to next check-up',
      description: 'A patient who has been seen comes back when the dentist has set it.',
      steps: [
        manual('Set the interval', 'The dentist or hygienist says when the patient should come again.'),
        manual('Book ahead', 'The front desk offers a date, and many patients say they will call.'),
        automatic('List who is due', 'The practice software knows it.'),
        manual('Invite', 'Someone writes or calls when there is time.'),
        manual('Ask again', 'Overdue patients are called when the schedule looks thin.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The software knows who is due, and people have to find the time to say so.',
    },
    {
      name: 'From diagnosis to treatment',
      description: 'A finding becomes a plan, an estimate, an approval and an appointment.',
      steps: [
        manual('Plan', 'The dentist writes down teeth, treatments and their order.'),
        manual('Estimate', 'The front desk works out fees and the insurer’s share.'),
        manual('Ask the insurer', 'A request for pre-approval goes out with X-rays.'),
        manual('Explain', 'The coordinator talks about costs and answers questions.'),
        manual('Book', 'The treatment is booked, or the plan waits in the chart.'),
      ],
      isDeterministic: false,
      automationPotential: 'high',
      currentState: 'Each step ends with a person who has to think of the next one.',
    },
    {
      name: 'From treatment to payment in a dental practice',
      description: 'What was done at the chair becomes a note, a claim and a payment.',
      steps: [
        manual('Write the treatment note', 'The dentist or the assistant documents what was done.'),
        manual('Attach', 'X-rays and narratives are added for the codes that need them.'),
        automatic('Send', 'The clearinghouse takes the claim.'),
        manual('Post the answer', 'Payments of insurers are entered by hand.'),
        manual('Bill the share', 'The patient gets a statement and, later, a reminder.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Attachments and postings are handwork around an electronic claim.',
    },
  ],
  painPoints: [
    {
      title: 'Patients who drop out of recall',
      detail:
        'A patient who leaves without a date is not lost at once but forgotten slowly, and with the check-up goes the treatment that it would have found.',
      sign: 'The website has no way to book a check-up, and reviews come from people who were there once.',
    },
    {
      title: 'Treatment that was planned and never booked',
      detail:
        'Plans without a next step lie in the charts, and nobody can say how many there are, although their diagnosis has already been paid for with chair time.',
      sign: 'The website names crowns and implants without a word on costs, payment by instalments or whom to ask.',
    },
    {
      title: 'Patients who are surprised by their share',
      detail:
        'When the insurer’s answer comes after the treatment, the front desk has the hardest talk of the day, and the bill is paid late.',
      sign: 'Reviews mention bills, insurance or prices that were not told before.',
    },
    {
      title: 'A front desk of two for phone, payments and arrivals',
      detail:
        'Whoever stands at the counter cannot pick up the phone, so the caller with a toothache tries the next practice.',
      sign: 'Reviews mention unanswered phones, and the website offers a number as the only way to book.',
    },
  ],
  buyers: dentalBuyers,
  quickWins: dentalQuickWins,
  facts: [
    'A recall system is older than any software: what automation adds is that nobody has to find the time for it.',
    'In the United States, a vendor that handles patient data for a dental practice has to sign a business associate agreement under HIPAA; in Europe it is a processing agreement under the GDPR.',
    'Many dental plans have a yearly maximum, so what is left of it decides in autumn whether a treatment is booked this year or next.',
    'A pre-approval names what an insurer intends to pay and is in most plans no guarantee, which is why estimates say so.',
  ],
}
