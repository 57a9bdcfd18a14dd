import type { QuickWin } from './industry.ts'

/** First steps for an agency or property manager, one building or one listing at a time. */
export const realEstateQuickWins: readonly QuickWin[] = [
  {
    title: 'Send a useful first reply to every inquiry within five minutes',
    opportunity: 'lead-response',
    why: 'One good template answers what most people ask and keeps them from writing to the next agency.',
    steps: [
      'Collect the ten questions asked most often about your listings.',
      'Write a reply that gives cost, availability and a viewing link, and asks for timing and financing.',
      'Switch it on for all portal inquiries, signed with a real name.',
      'Let that person call everyone who answers within the hour.',
      'Compare viewings for each hundred inquiries after two weeks.',
    ],
  },
  {
    title: 'Put the next twelve months of lease dates in one list',
    opportunity: 'lease-renewals',
    why: 'A sorted list with reminders ninety days ahead turns surprises into decisions.',
    steps: [
      'Export all leases with end date, notice period and rent.',
      'Add a column for the date on which the owner must be asked.',
      'Create calendar reminders for that date, not for the end.',
      'Write one letter for owners with two options to choose from.',
    ],
  },
  {
    title: 'Let tenants report repairs with a photo',
    opportunity: 'maintenance-requests',
    why: 'A photo and four questions replace the first call and often the first visit.',
    steps: [
      'Build a form with address, room, photo, urgency and times for access.',
      'Write at the top which emergencies need a call and give the number.',
      'Send the link to the tenants of one building and hang it in the hallway.',
      'Answer each report the same day with the next step.',
    ],
  },

  {
    title: 'Compare your ten newest listings across portals',
    opportunity: 'listing-syndication',
    why: 'An hour of comparing shows which channel is forgotten and what it costs in trust.',
    steps: [
      'Open the ten newest listings on the website and on each portal.',
      'Mark every difference in price, size, pictures and state.',
      'Correct them and note which channel was wrong most often.',
      'Name one person and one hour a week for this check until a feed does it.',
    ],
  },
  {
    title: 'Offer viewings in blocks by area',
    opportunity: 'viewing-scheduling',
    why: 'Two fixed blocks a week save driving and most of the messages about dates.',
    steps: [
      'Choose two blocks of three hours for one area.',
      'Open them as slots on a booking page with the address and access notes.',
      'Send the link with every first reply.',
      'Remind visitors the evening before and ask for a one-word answer.',
      'Ask each visitor two questions afterwards and forward them to the seller.',
    ],
  },
  {
    title: 'Send one status message every Friday',
    opportunity: 'transaction-coordination',
    why: 'A regular message answers the calls before they are made.',
    steps: [
      'List for each open deal the next three dates and who is due.',
      'Write a message of five lines with these facts.',
      'Send it every Friday at the same hour to all parties.',
      'Count the calls asking for the state before and after.',
    ],
  },
]
