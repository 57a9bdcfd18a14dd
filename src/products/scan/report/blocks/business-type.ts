import { offersDentalTreatments } from '../../signals/industry/dental-treatments.ts'
import { doctorOfDentistry, industryOf, readIndustry } from '../../signals/industry/industry.ts'
import { isOnePersons } from '../../signals/site-kind/one-person.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { typesBelow } from '../../site/html/schema-types.ts'
import { splitCamelCase } from '../../site/html/words.ts'
import type { Page, Site } from '../../site/site.ts'
import type { SiteFacts } from './facts/facts.ts'
import { isOfAnotherTrade } from './trades/beside-treatments.ts'
import { dentistSign, isBesideDentists, partsOfTitle } from './trades/dentists.ts'

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
  const meant = isKnown ? undefined : tradeIn(splitCamelCase(stated ?? '', ' '))
  if (meant !== undefined) return meant
  if (own === undefined && isOnePersons(site)) return 'Person'
  const kind = kindOfSite(site)
  if (/^(?:business|unclear)$/.test(kind) && isDentalPractice(home, facts.name ?? '', site)) return 'Dentist'
  // Two addresses that contradict each other are left out, and it is a place all the same.
  const hasAddress = facts.address !== undefined || facts.conflicts.address !== undefined
  const hasPhone = facts.telephone !== undefined || facts.conflicts.telephone !== undefined
  const name = facts.name ?? ''
  const isNoDentist = dentistSign(dentistParts(home, name)) === 'other'
  if (
    /^(?:business|unclear)$/.test(kind) &&
    isReachedForTreatment(hasPhone || hasAddress, isNoDentist, home, site)
  )
    return 'Dentist'
  if (kind !== 'business') return own ?? 'Organization'
  const hasHours = facts.openingHours.length > 0 || facts.conflicts.openingHours !== undefined
  const isPlace = hasAddress && (hasPhone || hasHours)
  const named = [name, home.title, ...mainHeadings(home)].join(' ').slice(0, 500)
  const told = isPlace ? tradeIn(named) : tradeOfName(site, facts, hasPhone)
  // A dealer's slogan may name a hotel as well, so only the own name says what else it is.
  const trade = told === 'Dentist' && isNoDentist ? otherTradeIn(name) : told
  if (trade !== undefined) return trade
  const isReached = hasPhone && (hasAddress || hasHours)
  if (isReached && !isNoDentist && isNamedDental(name, home) && industryOf(site) === 'healthcare')
    return 'Dentist'
  if (own !== undefined) return own
  if (site.profile.shop)
    return facts.address !== undefined && (isPlace || facts.openingHours.length > 0) ? 'Store' : 'OnlineStore'
  return isPlace ? 'LocalBusiness' : 'Organization'
}

/** Whether the pages name treatments of dentists, and neither title, headings nor text say that somebody else does so. */
function isReachedForTreatment(isReached: boolean, isNoDentist: boolean, home: Page, site: Site): boolean {
  const { shop, app, api } = site.profile
  const { slug, how } = readIndustry(site)
  return (
    isReached &&
    !isNoDentist &&
    !(shop || app || api) &&
    (slug === 'healthcare' || how === 'unclear') &&
    !isBesideDentists(`${home.title} ${home.description}`.slice(0, 1_000)) &&
    offersDentalTreatments(
      home,
      site.pages.filter((page) => page !== home),
    ) &&
    !isOfAnotherTrade(home)
  )
}

/**
 * A site of healthcare whose title or main heading names a dentist or a dental practice beside its own name, which may be
 * that of a product. Schools, dealers, laboratories and societies name dentists, too, and a hospital has some among others.
 */
function isDentalPractice(home: Page, name: string, site: Site): boolean {
  const { shop, app, api } = site.profile
  const title = [home.title === '' ? titlesOf(home) : home.title, ...mainHeadings(home).slice(0, 1)]
    .join(' ')
    .slice(0, 500)
  const told = `${title} ${home.description}`.slice(0, 1_000)
  const sign = dentistSign(dentistParts(home, name))
  return (
    !(shop || app || api) &&
    industryOf(site) === 'healthcare' &&
    tradeIn(title.replaceAll(name === '' ? ' ' : name, ' ')) === 'Dentist' &&
    otherTradeIn(told) === undefined &&
    (sign === 'practice' ||
      (sign === 'unclear' &&
        !(servesTrade.test(told) || sellsToTrade.test(told) || isBesideDentists(`${name} ${told}`))))
  )
}

function dentistParts(home: Page, name: string): string[] {
  const parts = [name, ...partsOfTitle(home.title.slice(0, 300)), ...mainHeadings(home).slice(0, 5)]
  return parts.map((part) => part.slice(0, 200))
}

/** Browsers show the first title of a page, which a template may have left empty. */
function titlesOf({ $ }: Page): string {
  return $('title').not('svg title').text().replace(/\s+/g, ' ').trim()
}

/** "Nord Dental": so are makers of programs and tools called, but those are no part of healthcare and keep no hours. */
function isNamedDental(name: string, { title, mainText }: Page): boolean {
  return (
    /(?<!\p{L})dental$/iu.test(name.trim()) &&
    !servesTrade.test(title) &&
    !sellsToTrade.test(mainText.slice(0, 3_000))
  )
}

const sellsToTrade =
  /(?<!\p{L})(?:laborator(?:y|ies)|manufactur\p{L}+|suppl(?:ier|ies)|wholesale\p{L}*|distribut\p{L}+|dealers?|to clinics|to dentists)(?!\p{L})/iu

/** Types that say hardly more than that it is a business. */
export const general: ReadonlySet<string> = new Set(['Organization', 'LocalBusiness'])

function mainHeadings({ headings }: Page): string[] {
  return headings.filter(({ level }) => level === 1).map(({ text }) => text)
}

function tradeIn(text: string): string | undefined {
  if (dentist.test(text) || doctorOfDentistry.test(text)) return 'Dentist'
  return trades.find(([, words]) => words.test(text))?.[0]
}

function otherTradeIn(text: string): string | undefined {
  return trades.find(([type, words]) => type !== 'Dentist' && words.test(text))?.[0]
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
      'dentists?|oral (?:and maxillofacial )?surge(?:ons?|ry)|orthodontists?|periodontists?|(?:family|cosmetic|kids|children’?s) (?:dental|dentistry)|dental (?:special(?:i?ty|ists?) )?(?:practice|clinics?|surgery|care|centre|center|centar|studio|office|group|associates)|institut[eo]? (?:dental|dentaire|odontol[óo]gico)|dental institute|centre dental|cliniques? dentaires?|(?<!of )dentistry|(?:praxis|praxen|zentrum) für (?:\\p{L}{3,20} )?zahnheilkunde|зъболекар\\p{L}*|zahn(?:arzt|ärztin|ärzte|ärztinnen|arztpraxis)|lek\\. dent\\.|lekarz dentysta|dentista|studio dentistico|clínica dental|odontológica|odontolog[ií]a|ağız ve diş|mondzorg|tandenpraktijk|odontologij\\p{L}*|odontólog\\p{L}*|ortodon\\p{L}*|orthodont\\p{L}*|endodon\\p{L}*|kieferorthop\\p{L}*|cabinet dentaire|dentistes?|dentysta|gabinet stomatologiczny|tandarts\\p{L}*|diş (?:kliniği|hekimi|polikliniği)|стоматолог\\p{L}*|tandläkar\\p{L}*|tandvård|tannlege\\p{L}*|tannklinikk\\p{L}*|tandlæge\\p{L}*|hammaslääkäri\\p{L}*|stomatol\\p{L}*|zubn[íéiýa] (?:ordina\\p{L}+|lékař\\p{L}*|lekár\\p{L}*)|zubař\\p{L}*|zubár\\p{L}*|zubar\\p{L}*|fogorvos\\p{L}*|fogászat\\p{L}*|zobozdravni\\p{L}+|zobna ordinacija|zobārst\\p{L}*|hambaravi|hambaarst\\p{L}*|οδοντ[ιί]ατρ\\p{L}*|odontiatr\\p{L}*|דנטל\\p{L}*|nha khoa|klinik gigi|dokter gigi',
      'ทันตกรรม|ทันตแพทย์|דנטלי|מרפאת שיניים|دندانپزشک|طبيب أسنان|عيادة أسنان|(?<!(?:كلية|جامعة|نقابة) )طب الأسنان',
    ),
  ],
  [
    'Physiotherapy',
    whole(
      'physiotherap(?:y|ists?|ie|eut(?:in|en)?)|physical therapy|krankengymnastik|kinésithérapeute|fisioterapi(?:a|sta)|fysiotherapie|fysiotherapeut',
    ),
  ],
  [
    'Plumber',
    whole(
      'plumbers?|plumbing|klempner(?:ei)?|plombier|fontaner(?:o|ía)|idraulico|encanador|loodgieter|hydraulik|tesisatçı|сантехник\\p{L}*',
    ),
  ],
  [
    'Electrician',
    whole(
      'electricians?|elektriker|elektro(?:installation(?:en)?|betrieb|meister)|électricien|electricista|eletricista|elettricista|elektricien|elektryk|elektrikçi|электрик\\p{L}*',
    ),
  ],
  ['RoofingContractor', whole('roofers?|roofing|dachdecker\\p{L}*|couvreur|dakdekkers?')],
  [
    'HousePainter',
    whole(
      'house ?painters?|painters? (?:and|&) decorators?|malerbetrieb|malermeister|peintre en bâtiment|imbianchino|schildersbedrijf',
    ),
  ],
  ['Locksmith', whole('locksmiths?|schlüsseldienst|serrurier|cerrajer(?:o|ía)|fabbro|slotenmaker')],
  [
    'MovingCompany',
    whole('moving company|umzugs(?:unternehmen|firma)|déménageurs?|verhuisbedrijf|mudanzas|traslochi'),
  ],
  ['HomeAndConstructionBusiness', whole('handym[ae]n|klusjesman|klussenbedrijf')],
  [
    'HairSalon',
    whole(
      'hair ?(?:salon|dressers?)|barbers?|friseur(?:salon)?|coiffeur|salon de coiffure|peluquería|parrucchier[ei]|cabeleireir[oa]s?|kapper|fryzjer|kuaför|парикмахерская|барбершоп',
      '美容室|ヘアサロン|미용실',
    ),
  ],
  [
    'BeautySalon',
    whole(
      'beauty salon|kosmetikstudio|institut de beauté|salón de belleza|salone di bellezza|centro estetico|schoonheidssalon|салон красоты',
      'エステサロン|피부관리실',
    ),
  ],
  [
    'Restaurant',
    whole(
      'restaurants?|restaurantes?|restoran|trattoria|ristorante|osteria|pizzeria|bistro|brasserie|gasthaus|gaststätte|wirtshaus|ресторан',
      'レストラン|레스토랑|餐厅|餐廳',
    ),
  ],
  [
    'Bakery',
    whole(
      'baker(?:y|ies)|bäckerei|boulangerie|panadería|panetteria|padaria|piekarnia|bakkerij|пекарня',
      'ベーカリー|베이커리|面包店|麵包店',
    ),
  ],
  [
    'CafeOrCoffeeShop',
    whole(
      '(?<!(?:internet|repair)[ -])caf[ée]s?|coffee ?(?:shop|house|bar)|konditorei|pasticceria|caffetteria|cafetería|cafetaria|kawiarnia|koffiehuis|kahvehane|кафе|кофейня',
      'カフェ(?!イン|オレ|ラテ)|喫茶店|(?<!네이버 ?)카페(?!인)|咖啡(?:馆|館|店|厅|廳)',
    ),
  ],
  ['Hotel', whole('hotels?|hôtel')],
  [
    'BedAndBreakfast',
    whole(
      "bed (?:and|&) breakfast|b&b|chambres? d[’']hôtes?|guest ?house|gästehaus|affittacamere|гостевой дом",
      '民宿|ゲストハウス|게스트하우스',
    ),
  ],
  [
    'LegalService',
    whole(
      'solicitors?|law (?:firm|office)|attorneys?|lawyers?|rechtsanwält\\p{L}*|rechtsanwalt\\p{L}*|anwaltskanzlei|avocate?s?|abogad[oa]s?|advogad[oa]s?|avvocat[oi]|studio legale|advocaat|advocaten|avukat\\p{L}*|hukuk bürosu|адвокат\\p{L}*|notaris',
      '法律事務所|법률사무소|法律事务所|律师事务所|律師事務所',
    ),
  ],
  [
    'AutoRepair',
    whole(
      'auto repair|car repair|garage|autowerkstatt|kfz-werkstatt|autofficina|taller mecánico|oficina mecânica|warsztat samochodowy|автосервис',
      '自動車整備',
    ),
  ],
  [
    'VeterinaryCare',
    whole(
      'vets?|veterinar(?:y|ians?)|tierarzt(?:praxis)?|vétérinaire|veterinari[oa]|dierenarts|ветеринарн\\p{L}*',
      '動物病院|동물병원|动物医院|動物醫院',
    ),
  ],
  [
    'Pharmacy',
    whole('pharmacy|apotheke|pharmacie|farmacia|farmácia|apotheek|eczane|аптека', '薬局|약국|药房'),
  ],
  [
    'Optician',
    whole('opticians?|(?:augen)?optiker|opticiens?|(?<!fibra )[óo]ptica|(?<!fibra )ottica', '眼鏡店|안경원'),
  ],
  [
    'Physician',
    whole(
      'family doctor|gp surgery|arztpraxis|(?:haus|augen|haut|frauen|kinder)(?:arzt(?:praxis)?|ärztin|ärzte)|médecin généraliste|cardiologue|dermatologue|ophtalmologue|oftalmologista|dermatologista|huisarts(?:enpraktijk)?',
    ),
  ],
  [
    'TravelAgency',
    whole(
      'travel agency|reisebüro|agence de voyages?|agencia de viajes|agenzia (?:di )?viaggi|reisbureau|турагентство',
      '旅行代理店|여행사|旅行社',
    ),
  ],
  [
    'AccountingService',
    whole(
      'accountants?|accounting firm|steuerberat\\p{L}*|experts?-comptables?|commercialista',
      '税理士|会計事務所|세무사',
    ),
  ],
  [
    'RealEstateAgent',
    whole('estate agents?|real estate|realtors?|immobilien(?:makler)?|agence immobilière|inmobiliaria'),
  ],
]

/** @param unspaced words of scripts that put no space between a word and a name */
function whole(words: string, unspaced?: string): RegExp {
  const bounded = `(?<!\\p{L})(?:${words})(?!\\p{L})`
  return new RegExp(unspaced === undefined ? bounded : `${bounded}|${unspaced}`, 'iu')
}
