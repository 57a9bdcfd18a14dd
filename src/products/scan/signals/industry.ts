import type { IndustrySlug } from '../../text/knowledge/industry.ts'
import { findIndustry } from '../../text/local/industry.ts'
import { isShell } from '../findings/shell.ts'
import { pathOf } from '../site/addresses.ts'
import type { Page, Site } from '../site/site.ts'

/**
 * Returns the industry of a site for the directory. Its schema.org types decide first, because they were
 * written for programs. Otherwise the words of its title, description and headings decide, by the vocabulary
 * that the paid texts use too, so that a scan and an analysis of one business agree. The running text is
 * left out because it mentions too many subjects. Without such words a shop is `retail` and an API
 * `technology`; everything else is `other`.
 */
export function industryOf(site: Site): IndustrySlug {
  return declaredIndustry(site.pages) ?? industryByWords(site)
}

/** The industry that most pages declare; with equal counts the first one of the table. */
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

/**
 * Whether it is a restaurant or a hotel, by its title, description and headings, and by the beginning of its
 * text when it links a menu.
 */
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

/**
 * Restaurants and hotels sell meals and nights. They are not retail, and the list has no industry for them.
 */
const hospitality =
  /(?<!\p{L})(?:restaurants?|ristorante|restaurante|bistros?|brasserie|trattoria|osteria|pizzeria|taverna?|cafés?|gasth(?:aus|of)|gaststätte|hotels?|hôtels?|hostels?|pensione?|guest ?houses?|bed (?:and|&) breakfast|b&b)(?!\p{L})/iu

/**
 * Types of schema.org that only one industry uses. Types that every site may have (Organization, Product,
 * WebSite) are left out.
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
