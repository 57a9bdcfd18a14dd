import { describe, expect, test } from 'vitest'
import { readFacts } from '../../../../src/products/scan/report/blocks/facts/facts.ts'
import type { Site } from '../../../../src/products/scan/site/site.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { at, page } from '../../../support/scans/lind-site.ts'

/** Facts that a scan read from pages and proposed to publish, though no page says them so. */

const factsOf = (entries: Entries) => {
  const { home, ...one }: Site = site(entries)
  if (home === undefined) throw new Error('the site has no home page')
  return readFacts({ home, ...one }, home)
}

describe('a telephone number has no digits of another line', () => {
  const phones = (contact: string) =>
    site({ [at()]: page(`<div id="contact">${contact}</div>`) }).home?.phones

  test.each([
    ['<p>08:00-20:00</p><h2>0709-388-288</h2>', ['0709-388-288']],
    ['<p>Open 8:00</p><p>(0113) 496 0123</p>', ['(0113) 496 0123']],
    ['<h2>0709-388-288</h2><p>24 h service</p>', ['0709-388-288']],
    ['<p>Since 2020</p><p>Room 0</p><p>0113 496 0123</p>', ['0113 496 0123']],
    ['<p>Tel. 0113 496 0123</p><p>24 h service</p>', ['0113 496 0123']],
    // Set in two lines, it is one number.
    ['<p>+44<br>113 496 0123</p>', ['+44 113 496 0123']],
    ['<p><span>0113</span> <b>496 0123</b></p>', ['0113 496 0123']],
    // A colon of a label, and no time.
    ['<p>Reception 1:0113 496 0123</p>', ['0113 496 0123']],
  ])('%s', (contact, numbers) => {
    expect(phones(contact)).toEqual(numbers)
  })
})
