import type { CheerioAPI } from 'cheerio'
import { shown } from '../addresses.ts'
import type { JsonLd, JsonLdNode, Page } from '../site.ts'
import { oneLine } from './visible-text.ts'

/**
 * Reads the JSON-LD of a page as a flat list of nodes. Sites nest facts in every way that the format allows
 * (in
 * @graph, in arrays, in one another), and a check that read only the top level would call them missing.
 * Contexts are not fetched: nodes are read as they are written.
 */
export function readJsonLd($: CheerioAPI): JsonLd {
  const nodes: JsonLdNode[] = []
  const errors: string[] = []
  const scripts = $('script[type]')
    .toArray()
    .filter(({ attribs }) => /^\s*application\/ld\+json\s*(?:;|$)/i.test(attribs.type ?? ''))
  for (const script of scripts.slice(0, maxBlocks)) {
    const block = parseBlock($(script).text())
    if ('error' in block) errors.push(block.error)
    else collect(block.value, { isTop: true, isSchemaOrg: false, depth: 0 }, nodes)
  }
  return { nodes, errors, blocks: scripts.length }
}

const maxBlocks = 100
const maxBlockBytes = 512 * 1024
const maxNodes = 2_000
const maxDepth = 20

function parseBlock(text: string): { value: unknown } | { error: string } {
  if (Buffer.byteLength(text) > maxBlockBytes) return { error: 'the block is longer than 512 KiB' }
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { error: shown(error instanceof Error ? error.message : String(error), 160) }
  }
}

interface Place {
  readonly isTop: boolean
  readonly isSchemaOrg: boolean
  readonly depth: number
}

function collect(value: unknown, place: Place, nodes: JsonLdNode[]): void {
  if (place.depth > maxDepth || nodes.length >= maxNodes) return
  if (Array.isArray(value)) {
    for (const member of value) collect(member, { ...place, depth: place.depth + 1 }, nodes)
    return
  }
  if (!isRecord(value) || '@value' in value) return
  const { '@context': context, '@type': type, '@graph': graph, ...properties } = value
  const written = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string').slice(0, 20)
  const isSchemaOrg = context === undefined ? place.isSchemaOrg : isSchemaOrgContext(context)
  if (written.length > 0 || (place.isTop && graph === undefined)) {
    nodes.push({
      types: written.map((one) => one.trim().replace(schemaOrgPrefix, '')),
      isTop: place.isTop,
      isSchemaOrg:
        isSchemaOrg || written.some((one) => /^\s*https?:/i.test(one) && schemaOrgPrefix.test(one.trim())),
      properties: Object.assign(Object.create(null), properties),
    })
  }
  const inside = { isSchemaOrg, depth: place.depth + 1 }
  collect(graph, { ...inside, isTop: true }, nodes)
  for (const member of Object.values(properties)) collect(member, { ...inside, isTop: false }, nodes)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSchemaOrgContext(context: unknown): boolean {
  if (typeof context === 'string') return /^\s*https?:\/\/(?:www\.)?schema\.org(?:[/#]|\s*$)/i.test(context)
  if (Array.isArray(context))
    return context.slice(0, 20).some((one) => !Array.isArray(one) && isSchemaOrgContext(one))
  return isRecord(context) && typeof context['@vocab'] === 'string' && isSchemaOrgContext(context['@vocab'])
}

const schemaOrgPrefix = /^(?:https?:\/\/(?:www\.)?schema\.org[/#]|schema:)/i

/**
 * The nodes of these types in page order, including common subtypes of `Organization`, `Article` and
 * `Product`.
 */
export function nodesOf(page: Page, ...types: string[]): JsonLdNode[] {
  const wanted = new Set(types.flatMap((type) => [...typesBelow(type)]))
  return page.jsonLd.nodes.filter((node) => node.types.some((type) => wanted.has(type)))
}

/** A type and its common subtypes. */
export function typesBelow(type: string): readonly string[] {
  return [type, ...(subtypes.get(type) ?? [])]
}

/**
 * Whether a node describes a business by a type that schema.org does not have, such as "DentalClinic": it has a name, and
 * an address or a telephone number; both where it has no url.
 */
export function isOfUnknownType({ types, properties }: JsonLdNode): boolean {
  const [type = ''] = types
  if (
    !/^[A-Z][A-Za-z]{1,60}$/.test(type) ||
    others.has(type) ||
    ofOtherKinds.test(type) ||
    typesBelow('Organization').includes(type)
  )
    return false
  if (textOf(properties.name) === '') return false
  const [hasPhone, hasAddress] = ['telephone' in properties, 'address' in properties]
  return textOf(properties.url) === '' ? hasPhone && hasAddress : hasPhone || hasAddress
}

/** Types of schema.org that may have a telephone number and an address, and are no organization. */
const others: ReadonlySet<string> = new Set(
  (
    'Person Patient Place Event JobPosting Offer Product Service WebSite WebPage ContactPoint PostalAddress RealEstateListing ' +
    'Accommodation Apartment CampingPitch House SingleFamilyResidence Room HotelRoom MeetingRoom Suite ' +
    'AdministrativeArea City Country SchoolDistrict State CivicStructure Airport Aquarium Beach BoatTerminal ' +
    'Bridge BusStation BusStop Cemetery Crematorium EventVenue GovernmentBuilding CityHall Courthouse ' +
    'DefenceEstablishment Embassy LegislativeBuilding Museum MusicVenue Park ParkingFacility ' +
    'PerformingArtsTheater PlaceOfWorship BuddhistTemple Church CatholicChurch HinduTemple Mosque Synagogue ' +
    'Playground PublicToilet RVPark SubwayStation TaxiStand TrainStation Zoo Landform ' +
    'LandmarksOrHistoricalBuildings Residence ApartmentComplex GatedResidenceCommunity TouristAttraction ' +
    'TouristDestination DefinedRegion'
  ).split(' '),
)

const ofOtherKinds = /(?:Event|Page|Action|Article|Review|Rating|Service|Listing)$/

const localBusiness = (
  'LocalBusiness AnimalShelter ArchiveOrganization AutoBodyShop AutoDealer AutoRepair AutomotiveBusiness Bakery ' +
  'BarOrPub BeautySalon BedAndBreakfast BikeStore BookStore CafeOrCoffeeShop ChildCare ClothingStore Dentist ' +
  'DryCleaningOrLaundry Electrician ElectronicsStore EmploymentAgency EntertainmentBusiness ExerciseGym ' +
  'FinancialService Florist FoodEstablishment FurnitureStore GardenStore GeneralContractor GroceryStore HVACBusiness ' +
  'HairSalon HardwareStore HealthAndBeautyBusiness HealthClub HobbyShop HomeAndConstructionBusiness HomeGoodsStore ' +
  'Hostel Hotel HousePainter InsuranceAgency InternetCafe JewelryStore LegalService Library Locksmith ' +
  'LodgingBusiness MedicalBusiness MedicalClinic MovingCompany MusicStore NailSalon Notary Optician PetStore ' +
  'Pharmacy Physician Physiotherapy Plumber ProfessionalService RadioStation RealEstateAgent Restaurant RoofingContractor ' +
  'SelfStorage ShoeStore ShoppingCenter SportsActivityLocation SportsClub Store TattooParlor TireShop ' +
  'TouristInformationCenter ToyStore TravelAgency VeterinaryCare AccountingService Attorney BankOrCreditUnion ' +
  'DaySpa IceCreamShop FastFoodRestaurant Brewery Winery' +
  ' AutoPartsStore AutoRental AutoWash GasStation MotorcycleDealer MotorcycleRepair EmergencyService FireStation ' +
  'PoliceStation AdultEntertainment AmusementPark ArtGallery Casino ComedyClub MovieTheater NightClub ' +
  'AutomatedTeller Distillery GovernmentOffice PostOffice Campground Motel Resort SkiResort VacationRental ' +
  'CommunityHealth Dermatology DietNutrition Emergency Geriatric Gynecologic CovidTestingFacility Midwifery ' +
  'Nursing Obstetric Oncologic Optometric Otolaryngologic Pediatric IndividualPhysician PhysiciansOffice ' +
  'PlasticSurgery Podiatric PrimaryCare Psychiatric PublicHealth RecyclingCenter BowlingAlley GolfCourse ' +
  'PublicSwimmingPool StadiumOrArena TennisComplex ComputerStore ConvenienceStore DepartmentStore LiquorStore ' +
  'MensClothingStore MobilePhoneStore MovieRentalStore OfficeEquipmentStore OutletStore PawnShop ' +
  'SportingGoodsStore WholesaleStore TelevisionStation'
).split(' ')

/** Types of businesses that customers visit. */
export const localTypes: ReadonlySet<string> = new Set(localBusiness)

const organization = (
  'Corporation OnlineBusiness OnlineStore EducationalOrganization CollegeOrUniversity School HighSchool Preschool ' +
  'GovernmentOrganization MedicalOrganization Hospital NGO NewsMediaOrganization PerformingGroup MusicGroup ' +
  'ResearchOrganization SportsOrganization SportsTeam Airline Consortium Cooperative FundingScheme LibrarySystem ' +
  'PoliticalParty Project WorkersUnion' +
  ' ElementarySchool MiddleSchool DiagnosticLab OnlineMarketplace DanceGroup TheaterGroup FundingAgency ResearchProject SearchRescueOrganization'
).split(' ')

const subtypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['Organization', [...organization, ...localBusiness]],
  ['LocalBusiness', localBusiness],
  [
    'Article',
    'AdvertiserContentArticle AnalysisNewsArticle BlogPosting LiveBlogPosting NewsArticle OpinionNewsArticle Report ReportageNewsArticle ReviewNewsArticle SatiricalArticle ScholarlyArticle SocialMediaPosting TechArticle'.split(
      ' ',
    ),
  ],
  [
    'Product',
    'DietarySupplement Drug IndividualProduct ProductCollection ProductGroup ProductModel Vehicle Car'.split(
      ' ',
    ),
  ],
])

/**
 * A property as text: a string or number, the name or @value of a node, or the first of an array with text.
 */
export function textOf(value: unknown): string {
  return textAt(value, 0)
}

function textAt(value: unknown, depth: number): string {
  if (typeof value === 'string') return oneLine(value)
  if (typeof value === 'number') return String(value)
  if (depth > 4) return ''
  if (Array.isArray(value)) {
    for (const member of value.slice(0, 100)) {
      const text = textAt(member, depth + 1)
      if (text !== '') return text
    }
    return ''
  }
  if (!isRecord(value)) return ''
  return textAt(Object.hasOwn(value, '@value') ? value['@value'] : value.name, depth + 1)
}
