import type { IndustrySlug } from '../../text/knowledge/industry.ts'
import { findIndustry } from '../../text/local/industry.ts'
import { isShell } from '../findings/shell.ts'
import { pathOf } from '../site/addresses.ts'
import type { Page, Site } from '../site/site.ts'

/**
 * Which industry a site belongs to, for the directory. What the site declares in schema.org types comes
 * first: it was written to be read by programs. Then the words of its name, description and headings are
 * weighed by the same vocabulary that the paid texts use, so that a scan and an analysis of one business
 * name the same trade. The running text is left out: it speaks of too much. A shop or an API without such
 * words is what it is, and `other` remains when nothing points anywhere.
 */
export function industryOf(site: Site): IndustrySlug {
  return declaredIndustry(site.pages) ?? industryByWords(site)
}

/** The industry that most of the declaring pages name; the first one in the table of two equals. */
function declaredIndustry(pages: readonly Page[]): IndustrySlug | undefined {
  let best: IndustrySlug | undefined
  let maxCount = 0
  for (const [industry, types] of typesByIndustry) {
    const count = pages.filter((page) =>
      page.jsonLd.nodes.some((node) => node.types.some((type) => types.has(type))),
    ).length
    if (count <= maxCount) continue
    best = industry
    maxCount = count
  }
  return best
}

function industryByWords(site: Site): IndustrySlug {
  const { home } = site
  if (home === undefined || isShell(site)) return 'other'
  const { industry, how } = findIndustry({
    name: home.title.slice(0, 300),
    subject: [
      home.description.slice(0, 500),
      ...home.headings.slice(0, 12).map(({ text }) => text.slice(0, 120)),
    ].join('. '),
    website: site.origin,
  })
  const isHost = isHospitality(home)
  if (how !== 'unknown' && !(isHost && industry.slug === 'retail')) return industry.slug
  if (isHost) return 'other'
  if (site.profile.shop) return 'retail'
  return site.profile.api ? 'technology' : 'other'
}

/** By what it says of itself; where it links a menu to eat from, also by the beginning of its text. */
function isHospitality(home: Page): boolean {
  const hasMenu = home.links.some(
    ({ url, isInternal }) =>
      isInternal && /\/(?:menus?|speisekarte|carte|carta|menukaart)\/?$/i.test(pathOf(url)),
  )
  const selfDescription = [
    home.title.slice(0, 300),
    home.description.slice(0, 500),
    ...home.headings.slice(0, 5).map(({ text }) => text.slice(0, 120)),
    hasMenu ? home.mainText.slice(0, 1_000) : '',
  ]
  return hospitality.test(selfDescription.join('. '))
}

/** Restaurants and hotels sell meals and nights; that makes them no shop, and no industry of the list fits. */
const hospitality =
  /(?<!\p{L})(?:restaurants?|ristorante|restaurante|bistros?|brasserie|trattoria|osteria|pizzeria|taverna?|cafés?|gasth(?:aus|of)|gaststätte|hotels?|hôtels?|hostels?|pensione?|guest ?houses?|bed (?:and|&) breakfast|b&b)(?!\p{L})/iu

/**
 * Types of schema.org that only one industry uses. Those that every site carries (Organization, Product,
 * WebSite) say nothing and are left out.
 */
const typesByIndustry: readonly (readonly [IndustrySlug, ReadonlySet<string>])[] = [
  [
    'healthcare',
    types(
      'Dentist MedicalBusiness MedicalClinic MedicalOrganization Physician Hospital Optician Pharmacy VeterinaryCare',
      'Physiotherapy DiagnosticLab MedicalProcedure MedicalTherapy IndividualPhysician PhysiciansOffice Dermatology',
    ),
  ],
  [
    'finance',
    types(
      'FinancialService BankOrCreditUnion InsuranceAgency AccountingService FinancialProduct LoanOrCredit BankAccount',
    ),
  ],
  [
    'education',
    types(
      'EducationalOrganization School HighSchool Preschool CollegeOrUniversity ElementarySchool Course CourseInstance',
    ),
  ],
  ['real-estate', types('RealEstateAgent RealEstateListing ApartmentComplex')],
  ['professional-services', types('LegalService Attorney Notary')],
  [
    'other',
    types(
      'Restaurant FoodEstablishment FastFoodRestaurant CafeOrCoffeeShop BarOrPub Brewery Winery Hotel LodgingBusiness',
      'BedAndBreakfast Hostel Motel Resort Campground',
    ),
  ],
  [
    'retail',
    types(
      'Store OnlineStore ClothingStore BookStore BikeStore ElectronicsStore Florist FurnitureStore GardenStore GroceryStore',
      'HardwareStore HobbyShop HomeGoodsStore JewelryStore MusicStore PetStore ShoeStore SportingGoodsStore ToyStore',
      'ConvenienceStore DepartmentStore OutletStore',
    ),
  ],
  ['technology', types('SoftwareApplication WebApplication MobileApplication WebAPI APIReference')],
]

function types(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
