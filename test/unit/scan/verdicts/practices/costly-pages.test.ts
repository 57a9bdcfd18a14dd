import { expect, test } from 'vitest'
import { accessibilityActionability } from '../../../../../src/products/scan/agents/accessibility-actionability/accessibility-actionability.ts'
import { ownProfiles } from '../../../../../src/products/scan/agents/entity-trust/own-profiles.ts'
import { aloneIn } from '../../../../../src/products/scan/agents/entity-trust/profile-addresses.ts'
import { firstWritings } from '../../../../../src/products/scan/report/blocks/facts/same-street.ts'
import { withoutAddresses } from '../../../../../src/products/scan/signals/brand-name.ts'
import { textOfOthers, writtenDates } from '../../../../../src/products/scan/site/dated-items.ts'
import { site } from '../../../../support/scans/captured.ts'
import { runCheck } from '../../../../support/scans/checks.ts'

/**
 * Small pages that are made to cost much. The large inputs here take a second at most, and would take longer than a
 * test may if each part of a page were compared with each.
 */

const at = 'https://lind.example/'
const read = (html: string) => site({ [at]: `<title>Lind</title><body><h1>Lind</h1>${html}` })

test('of twenty thousand streets each is its own, and the same one is found again', () => {
  const firstOf = firstWritings()
  const streets = Array.from({ length: 20_000 }, (_, place) => `${place} High Street`)
  expect(streets.filter((street) => firstOf(street) !== street)).toEqual([])
  expect(firstOf('19999 High St')).toBe('19999 High Street')
})

test('a street behind its building is looked for among the first three hundred', () => {
  const firstOf = firstWritings()
  for (let place = 1; place <= 400; place++) firstOf(`${place} High Street`)
  expect(firstOf('Lind House, 300 High Street')).toBe('300 High Street')
  expect(firstOf('Nord House, 301 High Street')).toBe('Nord House, 301 High Street')
})

test('of fifty thousand profiles only the one without another of its network is alone', () => {
  const keys = Array.from({ length: 50_000 }, (_, place) => `facebook/lind${place}`)
  const isAlone = aloneIn([...keys, 'xing/pages/lind'])
  expect([...keys, 'xing/pages/lind'].filter(isAlone)).toEqual(['xing/pages/lind'])
})

test('of two profiles in the footer, the one with the name of the site is its own', () => {
  const linked = ['facebook.com/nord', 'facebook.com/lind', 'x.com/nord']
  const lind = read(`<footer>${linked.map((one) => `<a href="https://${one}">f</a>`).join(' ')}</footer>`)
  expect(lind.home && [...ownProfiles(lind.home, lind).keys()]).toEqual(['facebook/lind', 'x/nord'])
})

test('a mail address is taken out of a text, and half a million letters are searched for one', () => {
  expect(withoutAddresses('Lind a@lind.example, Ulm www.lind.example @lind b@ (x@y)')).toBe(
    'Lind   Ulm   @lind b@  ',
  )
  expect(withoutAddresses('a'.repeat(500_000))).toHaveLength(500_000)
})

test.each(['pre', 'table'])('the text of %s elements within each other is read once', (name) => {
  const [open, close] = name === 'pre' ? ['<pre>', '</pre>'] : ['<table><tr><td>', '</table>']
  const text = `Deadline 3 May 2026<br>Lind${' x'.repeat(5_000)}`
  const nested = read(`${open.repeat(100)}${text}${close.repeat(100)}<p>Written on 4 April 2024</p>`)
  expect(nested.home && textOfOthers(nested.home).length).toBeLessThan(11_000)
  expect(writtenDates(nested).map(({ date }) => new Date(date).toISOString().slice(0, 10))).toEqual([
    '2024-04-04',
  ])
})

test('lines are looked for in two hundred thousand characters of code', () => {
  const { home } = read(`<pre>${'x\n'.repeat(200_000)}</pre>`)
  expect(home && textOfOthers(home)).toHaveLength(200_000)
})

test('the tile around three thousand empty links is read once, and each is named by its picture', () => {
  const gallery = Array.from({ length: 3_000 }, (_, n) => `<a href="#"><img src="/a${n}.jpg"></a>`).join('')
  const found = runCheck(accessibilityActionability, 'names', read(`<section>${gallery}</section>`))
  const named = 'work' in found && found.work?.kind === 'empty-links' ? found.work.named : []
  expect(named).toHaveLength(3_000)
  expect(named[2_999]).toBe('the picture “a2999.jpg”')
})
