import { expect, test } from 'vitest'
import { analyze } from '../../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow } from '../../../../support/scans/captured.ts'
import { at, words } from '../../../../support/scans/lind-site.ts'

/** A site that names treatments of dentists, and says in no title what it is. */

const typesOf = (title: string, menu: string, more = '') => {
  const links = menu.split(', ').map((text, place) => `<li><a href="/p${place}">${text}</a></li>`)
  const html = `<html lang="en"><head><title>${title}</title></head><body><nav><ul>${links.join('')}</ul></nav><main><h1>Welcome</h1><p>${words(60)}</p><p>12 Mill Lane, Totnes TQ9 5AB. Call 01803 496021.</p>${more}</main></body></html>`
  const { analysis } = analyze(captured({ [at()]: html }), defaultNow)
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
