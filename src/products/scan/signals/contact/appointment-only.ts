import type { Evidence } from '../../findings/check.ts'
import type { Page } from '../../site/site.ts'

/**
 * The line that says instead of opening hours that people come by appointment only: "Hours: By appointment only". Below the
 * name of a day it holds for that day alone, so a word for hours has to stand before it or in the line above, and the page
 * may name no times.
 */
export function appointmentOnly(
  pages: readonly Pick<Page, 'url' | 'lines' | 'text'>[],
): Evidence | undefined {
  for (const { url, lines, text } of pages) {
    if (times.test(text.slice(0, maxCharacters))) continue
    const read = lines.slice(0, maxLines)
    for (const [at, line] of read.entries()) {
      if (line.length > 120) continue
      const { label, words } = whole.exec(line)?.groups ?? {}
      if (words !== undefined && (label !== undefined || labelAlone.test(read[at - 1] ?? '')))
        return { url, value: words }
    }
  }
  return undefined
}

const maxCharacters = 100_000
const maxLines = 3_000

const times =
  /(?<!\d)\d{1,2}(?:[:.h]\d{2}|\s?[ap]\.?m\.?|\s?(?:uhr|h))?\s?(?:-|–|—|to|bis|à|a|às|alle|tot)\s?\d{1,2}(?:[:.h]\d{2}|\s?[ap]\.?m|\s?(?:uhr|h))(?![\p{L}\d])/iu

const label =
  "(?:(?:opening|office|clinic|practice|business|our) )?hours|öffnungszeiten|sprechzeiten|praxiszeiten|horaires(?: d[’']ouverture)?|heures d[’']ouverture|horarios?(?: de (?:atención|atendimento|funcionamento))?|orari(?:o)?(?: di apertura)?|openingstijden|godziny (?:otwarcia|przyjęć)|(?:часы|режим|время) работы|çalışma saatleri|öppettider|åbningstider|åpningstider"
const only =
  'by (?:prior )?appointment only|only by (?:prior )?appointment|(?:termine? )?(?:nur|ausschließlich) nach (?:(?:vorheriger|telefonischer) )?(?:termin)?(?:vereinbarung|absprache)|uniquement sur rendez-vous|sur rendez-vous (?:uniquement|seulement)|(?:solo|únicamente) con cita(?: previa)?|(?:solo|únicamente) previa cita|(?:somente|apenas|só) com (?:hora marcada|marcação)|solo su appuntamento|(?:alleen|uitsluitend) op afspraak|(?:tylko|wyłącznie) po (?:wcześniejszym )?umówieniu(?: wizyty)?|только по (?:предварительной )?записи|sadece randevu ile|endast (?:efter )?tidsbokning|kun efter aftale|kun etter avtale'

const whole = new RegExp(String.raw`^(?:(?<label>${label})\s?[:–-]?\s)?(?<words>${only})[.!]?$`, 'iu')
const labelAlone = new RegExp(String.raw`^(?:${label})\s?:?$`, 'iu')
