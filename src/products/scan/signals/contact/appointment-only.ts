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
/** Words by which one has to have an appointment. */
export const byAppointment =
  '(?:by (?:prior )?appointment|nach (?:(?:vorheriger|telefonischer|persönlicher) )?(?:termin)?(?:vereinbarung|absprache)|sur (?:rendez-vous|rdv)|con cita(?: previa)?|previa cita|com (?:hora )?(?:marcada|marcação)|su appuntamento|op afspraak|po (?:wcześniejszym )?(?:umówieniu(?: wizyty)?|uzgodnieniu)|по (?:предварительной )?записи|randevu ile|(?:efter )?tidsbokning|efter aftale|etter avtale)'
const only =
  '(?:only|just|nur|ausschließlich|uniquement|seulement|solo|únicamente|somente|apenas|só|alleen|uitsluitend|tylko|wyłącznie|только|sadece|endast|kun)'

const whole = new RegExp(
  String.raw`^(?:(?<label>${label})\s?[:–-]?\s)?(?<words>(?:termine? )?${only} ${byAppointment}|${byAppointment} ${only})[.!]?$`,
  'iu',
)
const labelAlone = new RegExp(String.raw`^(?:${label})\s?:?$`, 'iu')
