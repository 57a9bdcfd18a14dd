import { expect, test } from 'vitest'
import { businessType } from '../../../../../src/products/scan/report/blocks/business-type.ts'
import { readFacts } from '../../../../../src/products/scan/report/blocks/facts/facts.ts'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, site } from '../../../../support/scans/captured.ts'
import { at, words } from '../../../../support/scans/lind-site.ts'

/** A site that names treatments of dentists, and says in no title what it is. */

const htmlOf = (title: string, menu: string, more: string) => {
  const links = menu.split(', ').map((text, place) => `<li><a href="/p${place}">${text}</a></li>`)
  return `<html lang="en"><head><title>${title}</title></head><body><nav><ul>${links.join('')}</ul></nav><main><h1>Welcome</h1><p>${words(60)}</p><p>12 Mill Lane, Totnes TQ9 5AB. Call 01803 496021.</p>${more}</main></body></html>`
}

const typesOf = (title: string, menu: string, more = '') => {
  const { analysis } = analyze(captured({ [at()]: htmlOf(title, menu, more) }), defaultNow)
  const text = JSON.stringify(analysis.report.actions)
  return [text.includes('\\"@type\\": \\"Dentist\\"'), analysis.industry]
}

test.each([
  ['Lind & Nord', 'Implants, Orthodontics, Root canal treatment, Teeth whitening', ''],
  ['Lind', 'Имплантация, Ортодонтия, Отбеливание, Протезирование', ''],
  ['Lind', 'Implants, Orthodontics', '<h2>Stomatologia w Ulm</h2>'],
])('%s with %s is a dentist', (title, menu, more) => {
  expect(typesOf(title, menu, more)).toEqual([true, 'healthcare'])
})

test.each([
  ['Lind & Nord', 'Implants, Teeth whitening, Prices, Contact', ''],
  ['Lind | dental laboratory', 'Crowns, Veneers, Implants, Dentures, Orthodontics', ''],
  ['Lind | veterinary dentistry for dogs', 'Root canal, Extractions, Orthodontics, Fillings', ''],
  ['Lind | supplies for dental practices', 'Implants, Orthodontics, Endodontics, Whitening', ''],
])('%s with %s is none', (title, menu, more) => {
  expect(typesOf(title, menu, more)[0]).toBe(false)
})

const isDentist = (title: string, menu: string, text: string) => {
  const one = site({ [at()]: htmlOf(title, menu, `<p>${text}</p>`) })
  const home = one.home ?? expect.fail('the home page was not read')
  return businessType(home, readFacts(one, home), one) === 'Dentist'
}

const treatments = 'Root canal treatment, Teeth whitening, Implants, Orthodontics'

test.each([
  ['a laboratory', 'Crowns and veneers, Dentures, Implants, Orthodontics', 'We make them by hand.'],
  ['a laboratory that tells whom it serves', treatments, 'We deliver crowns to your surgery.'],
  ['a vet', 'Dental cleaning, Tooth extraction, Root canal, Implants', 'We look after rabbits and parrots.'],
  ['a spa', 'Teeth whitening, Lip fillings, Hair implants, Veneers, Botox', 'A medical spa.'],
  ['an aesthetic clinic', 'Dudak dolgusu, Meme implantı, Protez saç, Diş beyazlatma', 'Estetik cerrahi.'],
  ['a finder', treatments, 'Compare prices near you. Our partner clinics pay us.'],
  ['a newspaper', treatments, 'News from the profession.'],
  ['a forum', treatments, 'Members discuss.'],
  ['a maker', 'Implant systems, Surgical kits, Crowns, Orthodontic wires, Endodontic files', 'In Leeds.'],
  ['a sender of aligners', 'Clear aligners, Whitening kit, Veneers at home, Implants', 'By post.'],
  ['a dealer', treatments, 'Everything for dental practices.'],
])('%s that names treatments is no dentist', (_who, menu, text) => {
  expect(isDentist('Lind', menu, text)).toBe(false)
})

test.each([
  ['has a dog', 'Our dog Ada calms you before the treatment.'],
  ['fills lips as well', '<h2>Lip fillers</h2>'],
  ['makes its own crowns', 'We make crowns in our own laboratory, and deliver care that lasts.'],
  ['takes patients from others', 'For dentists: refer a patient to us.'],
  ['has news', 'Latest posts. Our practice stands at the Forum.'],
])('a practice that %s stays a dentist', (_what, text) => {
  expect(isDentist('Lind & Nord', treatments, text)).toBe(true)
})
