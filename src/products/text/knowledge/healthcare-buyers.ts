import { type Buyers, terms } from './industry.ts'

/** Who decides in a healthcare practice, and how to begin a conversation that is worth their time. */
export const healthcareBuyers: Buyers = {
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
