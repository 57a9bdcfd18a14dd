/** Types of schema.org, as far as the checks and blocks have to tell them apart: https://schema.org/docs/full.html. */

/** A type and its common subtypes. */
export function typesBelow(type: string): readonly string[] {
  return [type, ...(subtypes.get(type) ?? [])]
}

/** Whether schema.org has the type and it is no organization, or its name says that it is none. */
export function isOfOtherKind(type: string): boolean {
  return others.has(type) || ofOtherKinds.test(type)
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
