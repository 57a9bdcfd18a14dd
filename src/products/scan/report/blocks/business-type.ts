import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import type { Page, Site } from '../../site/site.ts'
import type { SiteFacts } from './facts/facts.ts'

/**
 * The schema.org type of the business: the one that its own markup states, else the trade that its name, title or main
 * heading names, else what can be told from the kind of site. A wrong trade is worse than a general type, so only
 * whole words count.
 */
export function businessType(home: Page, facts: SiteFacts, site: Site): string {
  const own = facts.ownNode?.types[0]
  if (own !== undefined) return own
  if (kindOfSite(site) !== 'business') return 'Organization'
  const headline = [
    facts.name ?? '',
    home.title,
    ...home.headings.filter(({ level }) => level === 1).map(({ text }) => text),
  ]
    .join(' ')
    .slice(0, 500)
  // Two addresses that contradict each other are left out, and it is a place all the same.
  const hasAddress = facts.address !== undefined || facts.conflicts.address !== undefined
  const isPlace = hasAddress && facts.telephone !== undefined
  const trade = isPlace ? trades.find(([, words]) => words.test(headline))?.[0] : undefined
  if (trade !== undefined) return trade
  if (site.profile.shop)
    return facts.address !== undefined && (isPlace || facts.openingHours.length > 0) ? 'Store' : 'OnlineStore'
  return isPlace ? 'LocalBusiness' : 'Organization'
}

const trades: readonly (readonly [string, RegExp])[] = [
  [
    'Dentist',
    whole(
      'dentists?|dental (?:practice|clinic|surgery|care)|zahn(?:arzt|ärztin|arztpraxis)|dentista|studio dentistico|clínica dental|odontológica|odontologia|cabinet dentaire|tandarts\\p{L}*|diş (?:kliniği|hekimi|polikliniği)|стоматолог\\p{L}*',
    ),
  ],
  ['Plumber', whole('plumbers?|plumbing|klempner|plombier|fontanero|loodgieter')],
  ['Electrician', whole('electricians?|elektriker|électricien|electricista|elektricien')],
  ['HairSalon', whole('hair ?(?:salon|dressers?)|barbers?|friseur|coiffeur|peluquería|kapper')],
  ['Restaurant', whole('restaurants?|trattoria|ristorante|bistro|gasthaus')],
  ['Bakery', whole('baker(?:y|ies)|bäckerei|boulangerie|panadería|panetteria|bakkerij')],
  ['Hotel', whole('hotels?|hôtel')],
  [
    'LegalService',
    whole(
      'solicitors?|law (?:firm|office)|attorneys?|lawyers?|rechtsanwält\\p{L}*|rechtsanwalt\\p{L}*|avocats?|abogados?|notaris',
    ),
  ],
  ['AutoRepair', whole('auto repair|car repair|garage|autowerkstatt|kfz-werkstatt')],
  [
    'VeterinaryCare',
    whole('vets?|veterinar(?:y|ian)|tierarzt(?:praxis)?|vétérinaire|veterinario|dierenarts'),
  ],
  ['Pharmacy', whole('pharmacy|apotheke|pharmacie|farmacia|apotheek')],
  [
    'RealEstateAgent',
    whole('estate agents?|real estate|realtors?|immobilien(?:makler)?|agence immobilière|inmobiliaria'),
  ],
]

function whole(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
}
