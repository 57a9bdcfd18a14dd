import type { IndustrySlug } from '../../text/knowledge/industry.ts'

/**
 * Types of schema.org that only one industry uses. Types that every site may have (Organization, Product,
 * WebSite) are left out. Of several that a page declares, the first of the table decides.
 */
export const industryTypes: readonly (readonly [IndustrySlug, ReadonlySet<string>])[] = [
  [
    'healthcare',
    types(
      'Dentist MedicalBusiness MedicalClinic MedicalOrganization Physician Hospital Optician Pharmacy VeterinaryCare',
      'Physiotherapy DiagnosticLab MedicalProcedure MedicalTherapy IndividualPhysician PhysiciansOffice Dermatology',
      'Psychiatric Pediatric Gynecologic Midwifery Nursing Optometric Podiatric PrimaryCare CommunityHealth PlasticSurgery',
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
      'EducationalOrganization School HighSchool MiddleSchool Preschool CollegeOrUniversity ElementarySchool Course CourseInstance',
    ),
  ],
  ['real-estate', types('RealEstateAgent RealEstateListing ApartmentComplex')],
  ['professional-services', types('LegalService Attorney Notary')],
  [
    'other',
    types(
      'Restaurant FoodEstablishment FastFoodRestaurant CafeOrCoffeeShop BarOrPub Brewery Winery Hotel LodgingBusiness Bakery',
      'BedAndBreakfast Hostel Motel Resort Campground HomeAndConstructionBusiness Electrician GeneralContractor HVACBusiness',
      'HousePainter Locksmith MovingCompany Plumber RoofingContractor AutoRepair AutoWash AutomotiveBusiness BeautySalon HairSalon',
      'HealthAndBeautyBusiness NailSalon DaySpa TattooParlor DryCleaningOrLaundry NGO PoliticalParty GovernmentOrganization Museum',
      'Church Mosque PlaceOfWorship MusicGroup PerformingGroup SportsClub SportsTeam ExerciseGym HealthClub TravelAgency',
      'TouristInformationCenter EntertainmentBusiness NewsMediaOrganization ChildCare AnimalShelter MusicEvent Festival',
    ),
  ],
  [
    'retail',
    types(
      'Store OnlineStore ClothingStore BookStore BikeStore ElectronicsStore Florist FurnitureStore GardenStore GroceryStore',
      'HardwareStore HobbyShop HomeGoodsStore JewelryStore MusicStore PetStore ShoeStore SportingGoodsStore ToyStore',
      'ConvenienceStore DepartmentStore OutletStore AutoDealer ComputerStore LiquorStore MensClothingStore OfficeEquipmentStore',
    ),
  ],
  [
    'technology',
    types('SoftwareApplication WebApplication MobileApplication WebAPI APIReference SoftwareSourceCode'),
  ],
]

function types(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
