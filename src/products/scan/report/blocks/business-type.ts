import { isOnePersons } from '../../signals/site-kind/one-person.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { typesBelow } from '../../site/html/json-ld.ts'
import type { Page, Site } from '../../site/site.ts'
import type { SiteFacts } from './facts/facts.ts'

/**
 * The schema.org type of the business: the one that its own markup states, else the trade that its name, title or main
 * heading names, else what can be told from the kind of site. A wrong trade is worse than a general type, so only
 * whole words count. A general type of the site's own markup gives way to the trade, which says more and nothing else.
 */
export function businessType(home: Page, facts: SiteFacts, site: Site): string {
  const stated = facts.ownNode?.types[0]
  // schema.org has no "DentalClinic", but its trade is clear.
  const isKnown = stated !== undefined && typesBelow('Organization').includes(stated)
  const own = isKnown ? stated : undefined
  if (own !== undefined && !general.has(own)) return own
  const meant = isKnown ? undefined : tradeIn((stated ?? '').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
  if (meant !== undefined) return meant
  if (own === undefined && isOnePersons(site)) return 'Person'
  if (kindOfSite(site) !== 'business') return own ?? 'Organization'
  // Two addresses that contradict each other are left out, and it is a place all the same.
  const hasAddress = facts.address !== undefined || facts.conflicts.address !== undefined
  const hasPhone = facts.telephone !== undefined || facts.conflicts.telephone !== undefined
  const isPlace = hasAddress && hasPhone
  const trade = isPlace
    ? tradeIn([facts.name ?? '', home.title, ...mainHeadings(home)].join(' ').slice(0, 500))
    : tradeOfName(site, facts, hasPhone)
  if (trade !== undefined || own !== undefined) return trade ?? own ?? 'Organization'
  if (site.profile.shop)
    return facts.address !== undefined && (isPlace || facts.openingHours.length > 0) ? 'Store' : 'OnlineStore'
  return isPlace ? 'LocalBusiness' : 'Organization'
}

/** Types that say hardly more than that it is a business. */
const general: ReadonlySet<string> = new Set(['Organization', 'LocalBusiness'])

function mainHeadings({ headings }: Page): string[] {
  return headings.filter(({ level }) => level === 1).map(({ text }) => text)
}

function tradeIn(text: string): string | undefined {
  if (dentist.test(text)) return 'Dentist'
  return trades.find(([, words]) => words.test(text))?.[0]
}

/** Korean, Japanese and Chinese put no spaces between a word and the name. Laboratories, dealers and schools bear it, too. */
const dentist =
  /치과(?!기공|재료|기기|기자재|위생|대학|협회|의사회)|(?:歯|齒)科(?!技工|材料|器材|機器|衛生|大学|学校|医師会|学会|用品)|牙科(?!技工|材料|器材|耗材|设备|設備|器械|用品|大学|大學|学院|學院|学会|协会)/u

/**
 * Where no address was read, the name itself has to say the trade, and a telephone number or hours that people can come.
 * A maker of programs for dentists has a telephone, too, and so has their chamber.
 */
function tradeOfName({ profile }: Site, facts: SiteFacts, hasPhone: boolean): string | undefined {
  const { name = '', openingHours, conflicts } = facts
  const isReached = hasPhone || openingHours.length > 0 || conflicts.openingHours !== undefined
  if (!isReached || profile.shop || profile.app || profile.api || servesTrade.test(name)) return undefined
  return tradeIn(name)
}

const servesTrade =
  /(?<!\p{L})(?:software|apps?|systems?|suppl(?:y|ies|iers?)|equipment|products?|wholesale|academy|akademie|school|schule|college|university|courses?|training|association|society|chamber|federation|union|verband|verein|kammer|forum|jobs?|recruitment|magazine|news|blog|guide|directory|finder|reviews?|insurance|marketing|media|agency|consult(?:ing|ants?)|lab(?:s|or|oratory|oratories)?|charity|trust|foundation)(?!\p{L})/iu

const trades: readonly (readonly [string, RegExp])[] = [
  [
    'Dentist',
    whole(
      'dentists?|dental (?:practice|clinic|surgery|care|centre|center)|zahn(?:arzt|ärztin|arztpraxis)|dentista|studio dentistico|clínica dental|odontológica|odontologia|cabinet dentaire|tandarts\\p{L}*|diş (?:kliniği|hekimi|polikliniği)|стоматолог\\p{L}*',
    ),
  ],
  [
    'Physiotherapy',
    whole(
      'physiotherap(?:y|ists?|ie|eut(?:in|en)?)|physical therapy|krankengymnastik|kinésithérapeute|fisioterapi(?:a|sta)|fysiotherapie|fysiotherapeut',
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
    whole('vets?|veterinar(?:y|ians?)|tierarzt(?:praxis)?|vétérinaire|veterinario|dierenarts'),
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
