import { describe, expect, test } from 'vitest'
import { contentAnswerability } from '../../../../../src/products/scan/agents/content-answerability/content-answerability.ts'
import { renderPerformance } from '../../../../../src/products/scan/agents/render-performance/render-performance.ts'
import { site } from '../../../../support/scans/captured.ts'
import { runCheck } from '../../../../support/scans/checks.ts'
import { at, read } from '../../../../support/scans/lind-site.ts'

/** What the scan denied or asked for though it stands on the pages of a practice, as readers of its reports saw. */

describe('a first paragraph that says who does what', () => {
  const opening = (lang: string, text: string) =>
    runCheck(
      contentAnswerability,
      'answer-first',
      site({
        [at()]: `<html lang="${lang}"><title>Praxis</title><main><h1>Lind</h1><p>${text}</p></main></html>`,
      }),
    ).result

  test.each([
    [
      'pt',
      'Somos três dentistas da mesma família, unindo prevenção, estética e implantes em um cuidado próximo, honesto e acolhedor para todas as idades.',
    ],
    [
      'pt',
      'Somos dentistas em Lindau, unindo prevenção, estética e implantes em um cuidado próximo, honesto e acolhedor para todas as idades.',
    ],
    [
      'es',
      'Somos tres dentistas de la misma familia, con prevención, estética e implantes en un trato cercano, honesto y sereno para todas las edades.',
    ],
    [
      'fr',
      'Nous sommes trois dentistes à Lindau, avec prévention, esthétique et implants pour petits et grands, dans un cadre calme et près de chez vous.',
    ],
    [
      'it',
      'Siamo tre dentisti a Lindau, con prevenzione, estetica e impianti per grandi e piccoli, in un ambiente sereno e a due passi da voi.',
    ],
    [
      'de',
      'Wir sind drei Zahnärzte in Lindau, mit Vorsorge, Ästhetik und Implantaten für Groß und Klein, in ruhiger Lage und nah am Bahnhof.',
    ],
  ])('does so with a number or a bare noun behind its verb: %s, %s', (lang, text) => {
    expect(opening(lang, text)).toBe('pass')
  })

  test('does not where the number is that of the minutes to the station', () => {
    const text =
      'Wir sind drei Minuten vom Bahnhof, mit Blick auf den See, in ruhiger Lage und doch mitten im Leben, nah am Hafen und am Markt.'
    expect(opening('de', text)).not.toBe('pass')
  })
})

describe('space for an image', () => {
  const sized = (css: string, html: string) =>
    runCheck(renderPerformance, 'img-dims', read(`<style>${css}</style>${html}`)).result
  const strip = '<div class="strip"><a><img src="/one.jpg"></a><a><img src="/two.jpg"></a></div>'

  test('is kept by a rule for all children but the first', () => {
    expect(sized('.strip a:not(:first-child) img, .strip a:first-child img { height: 62px }', strip)).toBe(
      'pass',
    )
  })

  test.each([
    ['pass', '.strip { display: grid; grid-auto-rows: 62px } .strip img { height: 100% }'],
    ['pass', '.strip { grid-template-rows: repeat(2, 62px) } .strip img { width: 100%; height: 100% }'],
    ['warn', '.strip { grid-auto-rows: 62px } .strip img { height: auto }'],
    ['warn', '.strip { grid-auto-rows: minmax(62px, auto) } .strip img { height: 100% }'],
    ['warn', '.strip { grid-template-rows: 62px 1fr } .strip img { height: 100% }'],
  ])('is kept by rows of a fixed height that the image fills: %s, %s', (verdict, css) => {
    expect(sized(css, strip)).toBe(verdict)
  })
})
