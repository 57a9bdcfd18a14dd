import { describe, expect, test } from 'vitest'
import { datedItems, writtenDates } from '../../../../../src/products/scan/site/dated-items.ts'
import { datesIn, dayOf } from '../../../../../src/products/scan/site/dates.ts'
import { isAboutOnePerson } from '../../../../../src/products/scan/site/kinds/portraits.ts'
import { site } from '../../../../support/scans/captured.ts'

const at = 'https://lind.example/'

describe('days that were not read', () => {
  test.each([
    ['15 października 2025', '2025-10-15'],
    ['1 wrzesień 2025', '2025-09-01'],
    ['5 EKİM 2025', '2025-10-05'],
    ['5 ARALIK 2025', '2025-12-05'],
    ['3 de marzo del 2025', '2025-03-03'],
    ['1° marzo 2025', '2025-03-01'],
    ['令和7年3月3日', '2025-03-03'],
    ['令和元年6月1日', '2019-06-01'],
    ['03.04.25', '2025-04-03'],
    ['Aktualisiert: 03.04.25', '2025-04-03'],
  ])('%s', (text, day) => {
    expect(datesIn(text).map(dayOf)).toEqual([day])
  })

  test.each(['Version 03.04.25', 'Tel. 01.42.68', '10.12.11.1', '03.04.25.10.11', '5 Marks 2025'])(
    '%s is none',
    (text) => {
      expect(datesIn(text)).toEqual([])
    },
  )
})

describe('the month of a post', () => {
  const months = (html: string) => {
    const read = site({ [at]: `<html><main><h1>Lind</h1>${html}</main></html>` })
    return [...datedItems(read), ...writtenDates(read)].map(({ date }) => dayOf(date).slice(0, 7))
  }

  test.each([
    ['<span class="date">październik 2025</span>', ['2025-10']],
    ['<span class="date">2025年3月</span>', ['2025-03']],
    ['<span class="post-date">May 2021</span>', ['2021-05']],
    ['<span class="founding-date">May 1998</span>', []],
    ['<span class="birth-date">May 1991</span>', []],
    ['<span class="end-date">May 2020</span>', []],
    ['<span class="event-date">March 2021</span>', []],
    ['<div class="event"><span class="date">March 2021</span></div>', []],
    ['<blockquote>Great! <span class="date">March 2019</span></blockquote>', []],
  ])('%s', (html, expected) => {
    expect(months(html)).toEqual(expected)
  })
})

describe('a page about one person', () => {
  const isPortrait = (heading: string, below = '') => {
    const { home } = site({
      [at]: `<html><title>Lind</title><main><h1>${heading}</h1>${below === '' ? '' : `<h2>${below}</h2>`}</main></html>`,
    })
    return home !== undefined && isAboutOnePerson(home)
  }

  test.each([
    ['Ada Lind', 'Education &amp; Training'],
    ['Ada Lind', 'Formación académica'],
    ['Kit Lind', 'Qualifications'],
    ['Dr. Ada Lind', ''],
    ['Dr Kit Lind', ''],
  ])('is “%s” above “%s”', (heading, below) => {
    expect(isPortrait(heading, below)).toBe(true)
  })

  test.each([
    ['Clear Aligner Treatment', 'Training your bite'],
    ['Carie Dentaire Enfant', 'Formation des caries'],
    ['Ortodoncia Invisible', 'Estudios previos'],
    ['Impianti Dentali', 'Studi clinici'],
    ['Electric Tooth Brush', 'Education for children'],
    ['Electric Tooth Brush', 'Education'],
    ['Dental Nurse Course', 'Qualifications'],
    ['Dr Smile Whitening Kit', ''],
  ])('is not “%s” above “%s”', (heading, below) => {
    expect(isPortrait(heading, below)).toBe(false)
  })
})
