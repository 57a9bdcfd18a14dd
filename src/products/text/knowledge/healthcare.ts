import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a healthcare practice, and how to begin a useful conversation with them. */
const healthcareBuyers: Buyers = {
  roles: [
    {
      title: 'Practice manager',
      aliases:
        terms(`practice manager, office manager, clinic manager, practice administrator, operations manager,
        operations, coo, front office, administrator`),
      cares: 'a full schedule, a calm front desk and staff who stay',
      objection: 'The practice system is old, and the last integration was promised and never worked.',
      angle:
        'Talk about one queue at the front desk and what it looks like at eight on a Monday. Offer to start with a task that needs no change to the practice system.',
    },
    {
      title: 'Physician owner or medical director',
      aliases:
        terms(`owner, physician owner, dentist, doctor, medical director, clinical director, chief medical officer,
        cmo, partner, ceo, founder, president, managing director`),
      cares: 'time with patients, clinical safety and income that does not depend on working longer',
      objection: 'Anything that touches the visit must be proven safe before it is allowed near a patient.',
      angle:
        'Lead with evenings given back and with who signs what. Say early which decisions stay with clinicians.',
    },
    {
      title: 'Revenue cycle manager',
      aliases: terms(
        'revenue cycle, billing manager, biller, finance, cfo, controller, accounting, financial director',
      ),
      cares: 'clean claims, fewer denials and cash that arrives sooner',
      objection:
        'Denial tools have been bought before, and the denials stayed because the cause is upstream.',
      angle:
        'Ask for the five most frequent denial reasons and trace them back to registration. A conversation about causes is more welcome than another dashboard.',
    },
    {
      title: 'IT and compliance lead',
      aliases:
        terms(`it, it manager, cio, cto, technology, information, compliance, privacy, security, hipaa officer,
        health informatics`),
      cares: 'patient privacy, access logs and systems that do not need another interface to be watched',
      objection:
        'Every new vendor means a risk review, an agreement and one more account to remove when staff leave.',
      angle:
        'Bring the data flow on one page: what is read, what is written, where it is kept and for how long. Mention the business associate agreement before being asked.',
    },
  ],
  hooks: [
    'Most practices know how many patients miss visits in a month, but not which weekday and which type of visit causes most of it, and the remedy depends on that.',
    'A slot that is cancelled two days ahead is only lost if nobody asks the waitlist; that question takes a person ten calls and a system one message.',
    'When the same denial reason shows up every week, the cheapest place to fix it is the registration screen and not the billing office.',
  ],
  questions: [
    'When a patient cancels for tomorrow morning, what happens in the next ten minutes, and who does it?',
    'Which three reasons account for most of your denied claims, and at which step could each have been seen earlier?',
    'How much charting is still open when the last patient has left?',
    'If the phone stopped ringing for one hour a day, which hour would help your front desk most?',
    'Which form do patients fill in twice?',
  ],
}

/** First steps for a clinic or practice that need no change to its systems. */
const healthcareQuickWins: readonly QuickWin[] = [
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

/** Healthcare front desks and billing offices: schedules, payers, charts and messages. */
export const healthcare: Industry = {
  slug: 'healthcare',
  name: 'Healthcare',
  field: 'healthcare',
  organizations: 'clinics and practices',
  customers: 'patients',
  scale: 'a practice with four clinicians and three people at the front desk',
  people: 7,
  aliases:
    terms(`health, healthcare, health care, medical, medicine, clinic, clinical, dental, dentist, dentistry,
    orthodontist, orthodontics, hospital, physician, doctor, doctors office, nurse, nursing, nursing home, pharmacy,
    pharmacist, physiotherapy, physical therapy, chiropractor, chiropractic, therapist, psychotherapy, marriage counseling, family counseling,
    mental health, telehealth, telemedicine, dermatology, pediatric, pediatrics, optometry, optician, eye care,
    radiology, laboratory, home care, elder care, assisted living, hospice, patient, patients, veterinary,
    veterinarian, vet, animal hospital, wellness clinic, medspa, fertility, urgent care, smile, prior authorization,
    ehr, emr, hipaa, no-show`),
  opportunities: [
    {
      id: 'appointment-reminders',
      title: 'Two-way appointment reminders and waitlist filling',
      subject: 'appointment reminders',
      description:
        'Messages go out before each visit, the reply changes the calendar by itself, and a slot that is cancelled is offered to people on the waitlist at once.',
      currentState:
        'The front desk works down a call list every afternoon, leaves voicemails, and learns about most no-shows when the chair is already empty.',
      potentialState:
        'Patients confirm, cancel or move a visit by text, the schedule updates itself, and staff only call the few who have not answered or who need to talk to someone.',
      impact: 'high',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 60, unit: 'booked visits', per: 'day', minutes: 2, removed: [45, 70] }),
      automationApproach:
        terms(`a reminder service that reads and writes the practice calendar, text and e-mail messages with a reply that is understood,
        a waitlist rule that offers freed slots in order`),
      recommendedTools: ['NexHealth', 'Weave', 'Luma Health'],
      watchOut:
        'A text message must not name the treatment or the condition; the date, the time and the practice are enough.',
      measure: 'the share of booked slots that go unused, by weekday and by type of visit',
      topics:
        terms(`texting, text messages, hipaa, reminder, reminders, no-show, noshow, missed appointment, show up, not showing up, cancellation, cancel, confirm,
        appointment, appointments, schedule, scheduling, booking, waitlist, calendar, recall, empty chair`),
    },
    {
      id: 'prior-authorization',
      title: 'Prior authorization from order to answer',
      subject: 'prior authorization',
      description:
        'Orders that need approval are recognized when they are written, the request is put together from the chart, and its state is followed up until the payer answers.',
      currentState:
        'A coordinator looks up the rules of each payer, retypes the chart into a portal or a fax form, and calls again days later to hear whether anything happened.',
      potentialState:
        'The system checks the payer’s rule against the order, fills in the request with the supporting notes, and puts only denials and missing documents in front of a person.',
      impact: 'high',
      effort: 'high',
      category: 'workflow',
      hours: hoursSaved({ count: 35, unit: 'requests', per: 'week', minutes: 24, removed: [35, 60] }),
      automationApproach:
        terms(`payer rule checks at the moment of ordering, electronic submission through a clearinghouse or the payer’s interface,
        a work queue sorted by the date of the visit`),
      recommendedTools: ['CoverMyMeds', 'Availity', 'Cohere Health'],
      watchOut:
        'Clinical justification stays with a clinician: software may collect the evidence, but a person signs the reason.',
      unfit: terms('veterinary, veterinarian, vet, animal, medspa'),
      measure: 'the days between an order and the payer’s decision, and the share approved at first pass',
      topics:
        terms(`prior authorization, authorization, approval, payer, insurer, insurance, preauthorization,
        utilization, coverage, medical necessity, portal, fax`),
    },
    {
      id: 'digital-intake',
      title: 'Intake forms and insurance checks before the visit',
      subject: 'digital intake',
      description:
        'History, consent and insurance details are collected on the patient’s own phone, checked for gaps, and written to the chart before anyone arrives.',
      currentState:
        'New patients fill in a clipboard in the waiting room; someone types it into the record and discovers at checkout that the insurance card was out of date.',
      potentialState:
        'A link sent with the booking collects the forms and a picture of the card, eligibility is checked overnight, and the desk sees a short list of exceptions in the morning.',
      impact: 'high',
      effort: 'medium',
      category: 'data',
      hours: hoursSaved({ count: 45, unit: 'intake packets', per: 'week', minutes: 12, removed: [55, 80] }),
      automationApproach:
        terms(`mobile forms mapped to fields of the health record, card capture with text recognition,
        overnight eligibility checks for the next two days`),
      recommendedTools: ['Phreesia', 'IntakeQ', 'Yosi Health'],
      watchOut:
        'Keep a paper or tablet path for people who cannot or do not want to use a phone, or intake turns into a barrier.',
      measure: 'the share of visits where forms and eligibility are complete the evening before',
      topics:
        terms(`intake, form, forms, paperwork, registration, new patient, consent, eligibility, insurance card,
        check-in, waiting room, onboarding, questionnaire, data entry`),
    },
    {
      id: 'clinical-notes',
      title: 'Draft visit notes for the clinician to sign',
      subject: 'clinical documentation',
      description:
        'With consent, the conversation in the room becomes a structured draft note that the clinician corrects and signs instead of writing from memory.',
      currentState:
        'Notes are finished after the last patient or at home, from memory, and the wording is copied forward from the visit before.',
      potentialState:
        'A draft with history, findings and plan is ready when the visit ends; the clinician edits it in a minute or two and the codes are suggested beside it.',
      impact: 'high',
      effort: 'medium',
      category: 'documentation',
      hours: hoursSaved({ count: 60, unit: 'visit notes', per: 'day', minutes: 6, removed: [30, 50] }),
      automationApproach:
        terms(`ambient transcription on a phone or a desktop, note templates for each specialty,
        write-back into the health record as an unsigned draft`),
      recommendedTools: ['Microsoft Dragon Copilot', 'Abridge', 'Heidi Health'],
      watchOut:
        'A draft can contain a finding nobody made, so signing must remain a deliberate act and not the default button.',
      alone: true,
      measure: 'minutes of charting after hours for each clinician',
      topics:
        terms(`note, notes, charting, documentation, scribe, dictation, transcription, burnout, record, ehr,
        coding, after hours, physician burnout`),
    },
    {
      id: 'claims-denials',
      title: 'Claim checks before sending and denial follow-up',
      subject: 'claims and denials',
      description:
        'Claims are tested against payer edits before they leave, and denials come back sorted by reason with the next step already prepared.',
      currentState:
        'Errors surface weeks later as a denial code; the biller looks up the visit, guesses the cause, and corrects claims one at a time between other work.',
      potentialState:
        'Missing modifiers and expired coverage are caught the same day, repeat denials are grouped by cause, and appeal letters start from a filled-in draft.',
      impact: 'high',
      effort: 'medium',
      category: 'finance',
      hours: hoursSaved({
        count: 40,
        unit: 'rejected or denied claims',
        per: 'week',
        minutes: 16,
        removed: [40, 65],
      }),
      automationApproach: terms(`claim scrubbing rules for each payer, automatic reading of remittance files,
        appeal templates filled from the chart`),
      recommendedTools: ['Waystar', 'Claim.MD', 'Availity'],
      watchOut:
        'Sending corrected claims in bulk without finding the cause hides a training problem at the front desk.',
      unfit: terms('veterinary, veterinarian, vet, animal, medspa'),
      measure: 'the first-pass acceptance rate and the days in accounts receivable',
      topics:
        terms(`claim, claims, denial, denials, billing, revenue cycle, coding, reimbursement, remittance, payer,
        accounts receivable, appeal, collections, payment, invoice`),
    },
    {
      id: 'patient-messages',
      title: 'Sorting of portal messages, calls and refill requests',
      subject: 'patient messages',
      description:
        'Incoming messages are sorted by subject and urgency, routine ones get a drafted answer, and refills and results go straight to the right queue.',
      currentState:
        'Everything lands in one inbox and one phone line; nurses read each message to find out whether it is a refill, a bill or a symptom that cannot wait.',
      potentialState:
        'Words that signal an emergency alert a nurse at once, refills and directions are prepared for one-click approval, and the rest waits in a queue with an owner.',
      impact: 'medium',
      effort: 'medium',
      category: 'communication',
      hours: hoursSaved({ count: 55, unit: 'messages and calls', per: 'day', minutes: 4, removed: [30, 50] }),
      automationApproach:
        terms(`message classification with a fixed list of subjects, drafted replies from approved texts,
        escalation rules for symptom words`),
      recommendedTools: ['Artera', 'Spruce Health', 'Hyro'],
      watchOut:
        'Anything that could be a symptom goes to a clinician unanswered; the cost of a wrong automatic reply is not time.',
      measure: 'the hours until a message is answered, and the share answered without a nurse',
      topics:
        terms(`message, messages, inbox, phone, call, calls, portal, refill, triage, results, answering, chatbot,
        receptionist, front desk, communication, question`),
    },
  ],
  workflows: [
    {
      name: 'From booking to arrival',
      description: 'A request for a visit becomes a confirmed slot with forms and coverage in order.',
      steps: [
        manual('Take the request', 'Someone answers the phone or reads the web form.'),
        manual('Find a slot', 'Staff match type of visit, clinician and room.'),
        manual('Send forms', 'A packet is mailed or handed over on arrival.'),
        manual('Check coverage', 'Each payer portal is opened in turn.'),
        automatic('Remind', 'A message goes out the day before.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Three of five steps depend on someone being free at the front desk.',
    },
    {
      name: 'From visit to payment',
      description: 'What was done in the room becomes a note, a code, a claim and at last a payment.',
      steps: [
        manual('Write the note', 'The clinician documents the visit, often hours later.'),
        manual('Code the visit', 'A coder or the clinician picks codes and modifiers.'),
        automatic('Send the claim', 'The clearinghouse receives the file.'),
        manual('Work denials', 'A biller corrects and resubmits one by one.'),
        manual('Bill the patient', 'Statements are printed and calls are made.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The claim travels electronically, but the work before and after it is done by hand.',
    },
    {
      name: 'Refills and results',
      description: 'Requests and test results reach the right clinician and the answer reaches the patient.',
      steps: [
        automatic('Receive', 'The laboratory or the pharmacy sends a message.'),
        manual('Sort', 'A nurse reads each item and decides who must see it.'),
        manual('Decide', 'A clinician approves or asks for a visit.'),
        manual('Tell the patient', 'Someone calls or writes, sometimes twice.'),
      ],
      isDeterministic: false,
      automationPotential: 'medium',
      currentState: 'Sorting takes longer than deciding, and nobody sees how old the oldest item is.',
    },
  ],
  painPoints: [
    {
      title: 'Empty slots that could have been filled',
      detail:
        'A missed visit costs the whole slot, because rent, staff and equipment are paid either way, and the person who wanted that slot is still waiting.',
      sign: 'Reviews complain about long waits for an appointment while the booking page shows slots for this week.',
    },
    {
      title: 'Front desks that answer phones and greet people at once',
      detail:
        'The same two people check in arrivals, answer calls and chase forms, so each task interrupts the other and callers hang up.',
      sign: 'Reviews mention unanswered phones, and there are open positions for receptionists.',
    },
    {
      title: 'Payment that arrives late or in part',
      detail:
        'Most denials go back to something small at registration, such as an old insurance card or a missing approval, yet they are found weeks after the visit.',
      sign: 'Job ads look for billing specialists with denial experience.',
    },
    {
      title: 'Clinicians who chart in the evening',
      detail:
        'Documentation grows with every rule while the visit does not get longer, so it moves to the end of the day and shortens the careers of the people who are hardest to replace.',
      sign: 'Clinician profiles change often, and job ads promise administrative support.',
    },
  ],
  buyers: healthcareBuyers,
  quickWins: healthcareQuickWins,
  facts: [
    'In the United States, a vendor that handles protected health information for a practice has to sign a business associate agreement under HIPAA before it sees any.',
    'Eligibility, claims and remittances have had standard electronic formats for years, so most retyping happens around those systems and not because there is no standard.',
    'A reminder is only useful if answering it is easier than ignoring it, which is why a message that can be replied to works differently from one that only informs.',
    'United States federal rules push many payers toward electronic prior authorization with fixed decision times, so manual faxing is a habit with an end date.',
  ],
}
