import { describe, expect, test } from 'vitest'
import { businessType } from '../../../../../src/products/scan/report/blocks/business-type.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { site } from '../../../../support/scans/captured.ts'
import { at } from '../../../../support/scans/lind-site.ts'

/** A site that is published as a dentist, and is none, sends patients to a dealer, a vet or a school. */

const typeOf = (title: string, heading: string, footer: string) => {
  const one = site({
    [at()]: `<html lang="en"><title>${title}</title><main><h1>${heading}</h1><p>Welcome.</p></main><footer>${footer}</footer></html>`,
  })
  const home = one.home ?? expect.fail('the home page was not read')
  return businessType(home, readFacts(one, home), one)
}

const leeds = '12 High Street, Leeds LS1 4AB. Tel 0113 249 6021. Mon-Fri 9am-5pm'

describe('no dentist is', () => {
  test.each([
    ['Paws Vets – veterinary dentistry in Leeds', 'Veterinary dentist', 'VeterinaryCare'],
    ['Clínica Veterinaria Lind – odontología para perros', 'Odontología veterinaria', 'VeterinaryCare'],
    ['Pferdezahnarzt Lind', 'Zahnarzt für Pferde', 'LocalBusiness'],
    ['Dentiste équin Ada Lind', 'Dentiste équin', 'LocalBusiness'],
    ['Lind Dental – Praxisbedarf für Zahnärzte', 'Lind Dental', 'LocalBusiness'],
    ['Lind Dental – depósito dental', 'Depósito dental', 'LocalBusiness'],
    ['Lind Dental – forniture dentali', 'Tutto per lo studio dentistico', 'LocalBusiness'],
    ['Lind Dental – diş deposu', 'Diş hekimi malzemeleri', 'LocalBusiness'],
    ['Lind Dental – hurtownia stomatologiczna', 'Hurtownia stomatologiczna', 'LocalBusiness'],
    ['Dentaldepot Lind – Bedarf für die Zahnarztpraxis', 'Alles für die Zahnarztpraxis', 'LocalBusiness'],
    ['リンド歯科商店|歯科医院向け通販', 'リンド歯科商店', 'LocalBusiness'],
    ['Nord School of Dentistry', 'Study dentistry in Leeds', 'LocalBusiness'],
    ['Find a dentist near you | ToothMap', 'Find a dentist near you', 'LocalBusiness'],
    ['Dental nurse jobs in Leeds | Lind Recruitment', 'Jobs in dental practice', 'LocalBusiness'],
    ['The Old Dentist – coffee and cake in Leeds', 'The Old Dentist', 'LocalBusiness'],
    ['Lind Interiors | Dental surgery design and fit-out', 'Dental practice design', 'LocalBusiness'],
    ['Lind Insurance | Dental plans', 'Dental care plans', 'LocalBusiness'],
    ['Lind Braces | Orthodontic lab', 'Orthodontic laboratory', 'LocalBusiness'],
    ['Ordre des chirurgiens-dentistes du Nord', 'Conseil de l’Ordre des dentistes', 'Organization'],
    ['Lind Yazılım – diş kliniği programı', 'Diş kliniği yazılımı', 'LocalBusiness'],
    ['Zahnarztpraxis Lind zu verkaufen', 'Zahnarztpraxis Lind', 'LocalBusiness'],
    ['Cabinet dentaire Lind à céder', 'Cabinet dentaire Lind', 'LocalBusiness'],
    ['Praxisberatung Lind | Zahnarztpraxis Gründung', 'Zahnarztpraxis gründen', 'LocalBusiness'],
    ['Dental Clinic Leeds Reviews', 'Dental Clinic Leeds Reviews', 'LocalBusiness'],
    ['Lind Dental Office Building', 'Lind Dental Office', 'LocalBusiness'],
    ['Lind Dental Studio Photography', 'Lind Dental Studio', 'LocalBusiness'],
    ['Dental Care Products Lind', 'Lind', 'LocalBusiness'],
    ['Lind Dental Care plan', 'Lind Dental Care', 'LocalBusiness'],
    ['The Tooth Fairy Dental Centre Cleaning', 'Tooth Fairy', 'Organization'],
    ['St Ada Hospital – Dental Clinic', 'Dental Clinic', 'LocalBusiness'],
    ['Gesellschaft für Zahnheilkunde Nord', 'Zahnheilkunde', 'LocalBusiness'],
    ['Clinique dentaire Lind à vendre', 'Clinique dentaire Lind', 'LocalBusiness'],
    ['كلية طب الأسنان', 'كلية طب الأسنان', 'Organization'],
  ])('%s', (title, heading, type) => {
    expect(typeOf(title, heading, leeds)).toBe(type)
  })
})

describe('a dentist is', () => {
  test.each([
    ['Your dentist in Leeds | Lind Smile', 'Your dentist in Leeds'],
    ['Lind Dental Practice | 0% finance, dentist Leeds', 'Lind Dental Practice'],
    ['Lind Dental Practice, opposite the hospital', 'Lind Dental Practice'],
    ['Lind Dental Practice – loved by kids and dogs', 'Welcome'],
    ['Go to the dentist without fear | Lind Dental Practice', 'Lind Dental Practice'],
    ['Lind Dental Clinics | Dentists in Leeds', 'Dentists in Leeds'],
    ['Ihre Zahnärzte für Kinder in Celle – Praxis Lind', 'Zahnärzte für Kinder'],
    ['Zahnarztpraxis Lind mit eigenem Dentallabor', 'Zahnarztpraxis Lind'],
    ['Praxis für Zahnheilkunde Dr. Lind', 'Willkommen'],
    ['Clinique dentaire Lind', 'Bienvenue'],
    ['مركز ليند - طب الأسنان', 'عيادة ليند'],
    ['Lind Fogászat', 'Fogorvosi rendelő'],
    ['Instituto Dental Lind', 'Instituto Dental Lind'],
    ['White Horse Dental Practice', 'Welcome'],
    ['Isle of Dogs Dentist | Lind Smile', 'Your local dentist'],
    ['Dental Centar Lind', 'Dobrodošli'],
    ['Nord Ortodonti', 'Ortodonti'],
    ['Lind Dental Clinic Cleaning and Whitening', 'Lind Dental Clinic'],
    ['Lind Dental Practice | Reviews of 500 patients', 'Lind Dental Practice'],
    ['Lind Dental Studio, The Old Photography Building', 'Lind Dental Studio'],
  ])('%s', (title, heading) => {
    expect(typeOf(title, heading, leeds)).toBe('Dentist')
  })

  test('one whose template has the cart of a shop, for what patients ask about', () => {
    const cart = '<a>0 item(s)</a><p>Your Enquiry cart is empty!</p>'
    expect(typeOf('Lind Dental Speciality Centre', 'Root canal', `${cart}${leeds}`)).toBe('Dentist')
  })

  test('one without an address that has a laboratory of its own', () => {
    expect(typeOf('Lind Diş - Stomatoloji Klinika', 'Lind Diş Stomatoloji klinika & laboratoriya', '')).toBe(
      'Dentist',
    )
  })
})
