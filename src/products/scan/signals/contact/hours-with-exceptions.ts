/**
 * Words beside opening hours by which they do not hold on each of the days that are named, or are the hours of something
 * else. What is stated as open has to be open: a patient who comes on the wrong Saturday stands before a closed door.
 */

/**
 * "Telefonisch erreichbar: Montag bis Freitag 8:00–12:00": the door may be closed then. A new sentence ends it. So it may be
 * before "Happy hour", a course, and the hours of a car park.
 */
export const ofElse =
  /(?<!\p{L})(?:telefonisch(?:e[nrs]?)?|telefon(?:sprech)?zeiten|(?:by|per|our) (?:tele)?phone|(?:reception )?phones?(?: (?:hours|lines))?\s?:|par téléphone|permanence téléphonique|por teléfono|telefónicamente|telefonicamente|per telefono|por telefone)(?!\p{L})[^.!?]{0,90}$|(?<!\p{L})happy hours?[\s:,–-]{0,5}$|(?<!\p{L})(?:(?:free |customer )?(?:car park|parking)|park(?:platz|haus|en)|aparcamiento|parcheggio|estacionamento|otopark|\p{L}{0,20}(?:kurs|seminar)e?|courses?|class(?:es)?|workshops?|cours|cursos?|corso)[\s:,–-]{1,5}$/iu

/** "2019 11/8 Friday 11:00 - 17:00" is one day on which something takes place. */
export const dateAtEnd =
  /(?<!\d)(?:19|20)\d{2}[\s./年-]{1,3}\d{1,2}[\s./月-]{1,4}\d{1,2}[\s.,日(（-]{1,4}$|(?<!\d)\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d{2}[\s,(-]{1,4}$/u

/** Before a day, "Every second Saturday": the door is closed on the other ones. */
export const onSomeOfThem =
  /(?<!\p{L})(?:every (?:second|other|2nd|third|3rd)|alternate|(?:first|last|1st|2nd|3rd)(?: and (?:third|3rd))?|jede[nrs]? (?:zweiten?|\d\.|ersten?|dritten?|letzten?)|un(?:e)? .{3,9} sur deux|cada (?:dos|segundo)|ogni (?:secondo|due)|elke tweede|om de|(?:co|każd[aąy]) (?:drug[aąi]|pierwsz[aąy]|ostatni[aą]?)|svak[aeu] (?:drug[aeu]|prv[aeu])|minden (?:második|első|páros|páratlan)|her ayın (?:ilk|son)|каждую (?:вторую|первую)|varannan|hver anden)\s{1,3}$/iu

/** Behind the times, "(first Saturday of the month)", "by appointment only". */
export const onSomeOfThemBehind =
  /^[\s,;(–-]{0,5}(?:uhr |h )?(?:(?:on )?(?:the )?(?:first|second|third|last|every (?:second|other)|alternate)\s|co drug|jede[nr]? (?:zweite|2\.)|svak[aeu] drug|un(?:e)? .{3,9} sur deux|alterno|(?:nur |only |just |uniquement |solo |tylko )?(?:by (?:prior )?appointment|nach (?:vereinbarung|absprache|terminvereinbarung)|sur rendez-vous|con cita(?: previa)?|su appuntamento|com (?:hora )?marcaç|op afspraak|po uzgodnieniu|randevu ile)|(?:un)?gerade (?:woche|kw)|(?:ne)?parn[aeiu]|pár(?:os|atlan)|odd |even weeks|semaines? (?:im)?paires?)/iu

/** "außer" before a day. */
export const otherThan =
  '(?:except(?:ing)?|excluding|but not|außer|ausser|ausgenommen|sauf|hormis|excepto|salvo|menos|tranne|eccetto|escluso|exceto|behalve|oprócz|poza|z wyjątkiem|kivéve|osim|kromě|hariç|кроме|undtagen|utom)'
