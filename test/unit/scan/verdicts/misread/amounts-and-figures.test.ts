import { expect, test } from 'vitest'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { amountsIn } from '../../../../../src/products/scan/site/amounts.ts'
import { site } from '../../../../support/scans/captured.ts'
import { quotesOf, runCheck } from '../../../../support/scans/checks.ts'

/** What is a price or a figure with a unit, and what only looks like one. */

const at = 'https://nord.example'
const words = (count: number) => 'word '.repeat(count)

test.each(['B/.60', 'KSh 1,500', '5 000 F CFA', '12 000 FCFA', 'UGX 40,000', '25 balboas'])(
  '%s is an amount of money',
  (price) => expect(amountsIn(`Desde ${price} por persona`, 5)).toEqual([price]),
)

test('the plain letter of a building is no currency', () =>
  expect(amountsIn('Nave B/22, planta 3', 5)).toEqual([]))

test.each(['40 złotych', '1500 korun', '250 kronor'])('%s is an amount of money in words', (price) =>
  expect(amountsIn(`od ${price} za sztukę`, 5)).toEqual([price]),
)

test('a Dutch postcode is no amount', () => {
  expect(amountsIn('Molenaarserf 57, 3991 KR Houten', 5)).toEqual([])
  expect(amountsIn('Keizersgracht 12 1015 TL Amsterdam', 5)).toEqual([])
  expect(amountsIn('Kira 1250 TL Depozito yok', 5)).toEqual(['1250 TL'])
})

test.each(['24 hectáreas', '3 ettari', '5300 square feet', '120 sq. ft', '85 metri quadri', '40 PAX'])(
  '%s is a figure',
  (figure) => {
    const page = `<h1>Finca</h1><p>It has ${figure} in all, and ${figure} more. ${words(150)}</p>`
    expect(quotesOf(runCheck(contentAnswerability, 'evidence', site({ [`${at}/`]: page })))).toContain(figure)
  },
)

test.each([
  ['pass', 'Hog roast from £25.00 per head'],
  ['pass', 'Zimmer ab 120 € pro Nacht'],
  ['pass', 'Forfait à partir de 45 € par personne'],
  ['pass', 'Desde US$ 30 por persona'],
  ['warn', 'We raised £25.00 for the school. Request a quote.'],
])('pricing is %s for a single amount: %s', (result, line) => {
  const page = `<title>Smokehouse</title><h1>Catering in London</h1><p>We cook for customers in London. Prices on request.</p><p>${line}</p><p>Call our office to book an order, tel. 020 7946 0018.</p>`
  expect(runCheck(workflowAutomation, 'pricing', site({ [`${at}/`]: page })).result).toBe(result)
})

test.each([
  ['à partir de 45 €', 'Un menu à partir de 45 € par personne'],
  ['from £25.00', 'Delivery is £25.00 in all; buffets from £25.00 per head'],
])('a starting price is quoted whole: %s', (quote, line) => {
  const page = `<title>Smokehouse</title><h1>Catering</h1><p>${line}</p><p>Call our office to book an order, tel. 020 7946 0018.</p>`
  expect(quotesOf(runCheck(workflowAutomation, 'pricing', site({ [`${at}/`]: page })))).toContain(quote)
})
