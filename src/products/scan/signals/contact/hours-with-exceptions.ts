/**
 * Words beside opening hours by which they do not hold on each of the days that are named, or are the hours of something
 * else. What is stated as open has to be open: a patient who comes on the wrong Saturday stands before a closed door.
 */
import { monthName } from '../../site/dates.ts'
import { byAppointment } from './appointment-only.ts'
import { fullName, half, halfDay, name, time } from './days-and-times.ts'

/** Words that join a label to its hours: "Our phone lines are open from". Any other word begins another subject. */
const joining =
  '(?:is|are|open|opens|hours?|times?|lines?|available|runs?|takes place|on|us|at|every|from|in|ist|sind|wir|geöffnet|erreichbar|besetzt|offen|findet statt|immer|von|vom|jeden|est|sont|ouverte?s?|joignable|disponible|du|le|les|des?|abiert[oa]s?|los|el|l[ao]|aperto|attivo|dal|attiv[oa]|abert[oa]s?|das|open|op|van|czynn[aey]|od)'
const ends = String.raw`(?:[\s:,(–-]{1,3}${joining}(?!\p{L})){0,4}[\s:,(–-]{1,5}$`

/**
 * "Telefonisch erreichbar: Montag bis Freitag 8:00–12:00": the door may be closed then. A new sentence ends it. So it may be
 * at the hours of a chat, an emergency line, a kitchen, a course, a car park, and of the shop next door.
 */
export const ofElse = new RegExp(
  [
    String.raw`(?<!\p{L})(?:telefonisch(?:e[nrs]?)?|telefon(?:sprech)?zeiten|(?:by|per|our) (?:tele)?phone|par téléphone|permanence téléphonique|por teléfono|telefónicamente|telefonicamente|per telefono|por telefone)(?!\p{L})[^.!?]{0,90}$`,
    String.raw`(?<!\p{L})(?:next door|nebenan|d['’]à côté|di fianco|hiernaast)(?!\p{L})[^.!?\d]{0,30}$`,
    String.raw`(?<!\p{L})(?:(?:tele)?phone|telefon|téléphone|teléfono|telefone|telefoon|tel|whatsapp)\.?\s?:[\s–-]{0,4}$`,
    String.raw`(?<!\p{L})(?:phones?|phone lines?|telephone (?:hours|lines?)|our lines|call(?:ing)? us|call (?:cent(?:re|er)|now)|ring us|(?:\p{L}{1,20}-?)?hotline|helpline|live[- ]?chat|chat with us|anrufbeantworter|rufen sie uns an|appelez[- ]nous|llám[ae]nos|chiamaci|ligue|bel ons|infolinia)(?!\p{L})${ends}`,
    String.raw`(?<!\p{L})(?:visit(?:ing|ors?['’]?) (?:hours|times)|besuch(?:er|s)?zeit(?:en)?|(?:horaires|heures) (?:de|des) visites?|horarios? de visitas?|orari(?:o)? (?:di|delle) visit[ae]|bezoek(?:uren|tijden)|godziny odwiedzin)(?!\p{L})${ends}`,
    String.raw`(?<!\p{L})(?:blutabnahmen?|labor|blood (?:tests?|samples?)|prises? de sang|prélèvements|extracciones|(?:prelievi|colheitas)(?: ematici)?|bloedafname|pobieranie krwi)(?!\p{L})${ends}`,
    String.raw`(?<!\p{L})(?:on[- ]call|emergency (?:lines?|numbers?|phone|service|cover|rota)|not(?:fall)?(?:dienst|telefon|ruf|nummer)|bereitschaft(?:sdienst)?|(?:service|ligne) d['’]urgences?|(?:médecin|pharmacie) de garde|(?:servicio de )?urgencias|guardia medica|reperibilità|spoed(?:dienst|lijn)|dyżur)(?!\p{L})${ends}`,
    String.raw`(?<!\p{L})(?:happy hours?|kitchen|küchenzeiten|küche|deliver(?:y|ies)|lieferservice|lieferzeiten|lieferung|livraisons?|entregas?|consegne|(?:free |customer )?(?:car park|parking)|park(?:platz|haus|en)|aparcamiento|parcheggio|estacionamento|otopark)(?!\p{L})${ends}`,
    String.raw`(?<!\p{L})(?:\p{L}{0,20}(?:kurs|seminar)e?|courses?|class(?:es)?|workshops?|webinars?|webinaire|cours|cursos?|corso|yoga|pilates|gottesdienst|(?:holy )?mass)(?!\p{L})${ends}`,
  ].join('|'),
  'iu',
)

/** "2019 11/8 Friday 11:00 - 17:00" is one day on which something takes place. */
export const dateAtEnd =
  /(?<!\d)(?:19|20)\d{2}[\s./年-]{1,3}\d{1,2}[\s./月-]{1,4}\d{1,2}[\s.,日(（-]{1,4}$|(?<!\d)\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d{2}[\s,(-]{1,4}$/u

/**
 * Signs for what expressions below look for in many places. With all the names in each place, the engine would compile them
 * for seconds.
 */
const [aDate, aSeason, anOrdinal, aRhythm] = ['\uE000', '\uE001', '\uE002', '\uE003']

/** Writes a sign for each date, season, ordinal and rhythm: "from \uE000: " of "from 1 December: ". */
export function withSigns(text: string): string {
  return text
    .replace(rhythm, aRhythm)
    .replace(date, aDate)
    .replace(season, aSeason)
    .replace(ordinal, anOrdinal)
}

/** "24.12.", "24 December", "24/12" */
const date = new RegExp(
  String.raw`(?<![\p{L}\d.:/])(?:\d{1,2}(?:st|nd|rd|th|er|[.°º])?\s(?:de |of )?${monthName}|${monthName}\s\d{1,2}(?:st|nd|rd|th)?(?![\d:.])|\d{1,2}\.\s?\d{1,2}\.|\d{1,2}\/\d{1,2}(?:\/|(?!\d)))(?:[\s,]{0,2}(?:de )?(?:20)?\d{2}(?!\d|[:.]\d))?`,
  'giu',
)
const season = new RegExp(
  String.raw`(?<!\p{L})(?:(?:school |summer |winter |christmas |easter )(?:holidays?|break)|half[- ]term|term[- ]?time|christmas|\p{L}{0,12}ferien|weihnacht(?:en|szeit)|vacances(?: scolaires)?|vacaciones|vacanze|férias|schoolvakanties?|ferie|wakacje|summer(?:time)?|winter(?:time)?|sommer(?:monaten?)?|wintermonaten?|été|hiver|verano|invierno|inverno|(?<!real )estate|verão|zomer|yaz|kış|лет[оа]м?|зим[аы]|зимой|${monthName})(?!\p{L})`,
  'giu',
)
const ordinal =
  /(?<!\p{L})(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|other|erste[nr]?|zweite[nr]?|dritte[nr]?|vierte[nr]?|letzte[nr]?|premiers?|1er|deuxièmes?|2e|troisièmes?|3e|quatrièmes?|derniers?|primer|segundo|tercer|cuarto|último|primeiro|terceiro|quarto|prim[oi]|second[oi]|terzo|ultim[oi]|eerste|tweede|derde|laatste|pierwsz[aąye]|drug[aąieu]|trzeci[aą]?|ostatni[aą]?|prv[aeu]|zadnj[aeu]|első|második|harmadik|utolsó|páros|páratlan|ilk|ikinci|son|перв(?:ая|ую|ой|ое|ый)|втор(?:ая|ую|ой|ое)|треть[яюе]|последн(?:яя|юю|ий|ее)|anden|andra|varannan)(?!\p{L})/giu
/** "once a month", "alle 14 Tage", "om de week" */
const rhythm =
  /(?<!\p{L})(?:(?:once|twice|one|two|1|2|three times)(?: \p{L}{3,10})? (?:a|per|each|every) (?:month|fortnight|year)|fortnightly|bi-?weekly|monthly|every (?:other|second|2nd|two|2|three|3|four|4) weeks?|every month|alternat(?:e|ing)(?: weeks?)?|(?:odd|even) weeks?|(?:ein|zwei|drei)mal (?:im|pro) monat|[123] ?x (?:im|pro) monat|monatlich|14[- ]?tägig|vierzehntägig|zweiwöchentlich|alle (?:14 tage|(?:zwei|drei|vier|2|3|4) wochen)|(?:in )?(?:un)?geraden? (?:wochen?|kw|kalenderwochen?)|(?:un|deux|1|2)e? fois par mois|une? \p{L}{3,9} sur (?:deux|trois)|tous les (?:quinze|15) jours|semaines? (?:im)?paires?|(?:una|dos) (?:vez|veces) al mes|cada (?:dos|2) semanas|cada (?:quince|15) días|altern[oa]s?|alternad[oa]s?|quincenal(?:mente)?|(?:una|due) volt[ae] al mese|ogni (?:due|2) settimane|a settimane alterne|quinzenal(?:mente)?|(?:uma|duas) vez(?:es)? (?:por|ao) mês|om de(?: andere)?(?: week)?|(?:een|twee|één) ?keer per maand|tweewekelijks|co (?:dwa|2) tygodnie|raz w miesiącu|(?:dwa|2) razy w miesiącu|(?:ayda|iki haftada) (?:bir|iki)(?: kez| defa)?|через неделю|(?:раз|два раза) в (?:месяц|две недели)|svake druge (?:nedelje|sedmice)|jednom mjesečno|kéthetente|havonta|parn[aeiu]|neparn[aeiu]|varannan vecka|hver anden uge)(?!\p{L})/giu

const when = `[${aDate}${aSeason}]`
const year = String.raw`(?:\s20\d{2})?`
const hoursWord =
  '(?:(?:opening |business |trading |office )?(?:hours|times)|(?:öffnungs|sprech|praxis)?zeit(?:en)?|horaires?|horarios?|orario|openingstijden)'
const inBrackets = String.raw`(?:\s?\([^()]{0,40}\))`

/** "Summer hours (July and August):", "In den Ferien:", "Until 31 December 2025:", "ab Januar:" before a day. */
export const ofSeason = new RegExp(
  [
    String.raw`(?:${aSeason}[- ]?${hoursWord}|(?<!\p{L})(?:sommer|winter)${hoursWord}|horaires? d['’]${aSeason}|orario (?:estivo|invernale))${inBrackets}?[\s:,–-]{1,5}$`,
    String.raw`${aSeason}(?:(?:\s?[-–,/&]\s?|\s(?:to|and|bis|und|et|à|au|y|a|e|i|en|tot|t\/m)\s)${aSeason}){0,2}${year}(?:${inBrackets}\s?:?|\s?:)\s{0,3}$`,
    String.raw`(?<!\p{L})(?:in|during|im|während|en|pendant|durante|from|starting|until|till|through|as of|effective|ab|seit|bis(?: zum)?|vom|gültig|à partir d[eu]|à compter du|dès|jusqu['’]au|depuis|a partir del?|desde|hasta|dal|fino al|d['’]|dall['’]|vanaf|tot|od|do|с|до)\s?(?:(?:dem|den|der|le|les|las|los|the|el|il)\s)?(?:(?:early|mid|late|anfang|mitte|ende)\s)?${when}${year}(?:(?:\s?[-–]\s?|\s(?:to|until|bis|au|al|a|do|tot|и|по)\s(?:zum\s)?)${when}${year})?[\s:,)–-]{1,5}$`,
    String.raw`${aDate}\s?(?:[-–]|to|until|bis|au|al|a|do|tot)\s?${aDate}[\s:,)–-]{1,5}$`,
  ].join('|'),
  'iu',
)

/** Behind "Open Monday 13 - 17": " May". */
export const monthNext = new RegExp(String.raw`^\.?\s(?:de |of )?${monthName}`, 'iu')
/** Behind "Closed Monday": ", 24 December", and " in August". */
export const dateNext = new RegExp(String.raw`^\.?,?\s\(?(?:the |den |le |el |il )?${aDate}`, 'iu')
export const seasonNext = new RegExp(
  String.raw`^[\s,(–-]{0,3}(?:(?:in|during|from|until|till|im|während|ab|bis|vom|en|pendant|à partir de|jusqu['’]au|desde|hasta|dal|od|do|с|до)\s(?:\p{L}{2,3}\s)?)?${when}`,
  'iu',
)

const nths = String.raw`${anOrdinal}(?:\s?(?:,|&|\+|and|und|u\.|oder|or|et|ou|y|o|e|en|i|и|ve)\s?${anOrdinal}){0,3}`
const eachOf =
  '(?:every|each|jede[nrs]?|am|chaque|cada|ogni|elke|co|każd[aąey]|svak[aeiu]|minden|her|кажд(?:ая|ую|ый|ое)|hver)'
const month =
  '(?:month|monats?|mois|mes|mese|mês|maand|miesiąca|miesiącu|měsíci|měsíce|mjesec[ua]|mesec[ua]|hónap|месяца?|ayın)'

/** Before a day, "Every second Saturday": the door is closed on the other ones. */
export const onSomeOfThem = new RegExp(
  [
    String.raw`${nths}\s{1,3}$`,
    String.raw`${aRhythm}[\s:,(–-]{1,4}(?:(?:on|am|le|el|il|op|w)\s)?$`,
    String.raw`(?<!\p{L})${eachOf}\s(?:\d\.|dos|due)\s{1,3}$`,
    String.raw`(?<!\p{L})\d\.\s?(?:und|u\.|&|,|\+)\s?\d\.\s{1,3}$`,
    String.raw`(?<!\p{L})(?:some|selected|certain|occasional|odd|even|einige|manche|ausgewählte|certains|quelques|algunos|ciertos|alcuni|alguns|sommige|niektóre|некоторые)\s{1,3}$`,
    String.raw`(?<!\p{L})(?:${month}|(?:for )?emergenc(?:y|ies) only|nur (?:für )?notfälle)[\s:,–-]{1,4}$`,
    String.raw`(?<!\p{L})(?:(?:on|by) (?:request|arrangement|appointment)(?: only)?|auf anfrage|nach vereinbarung)\s?:\s{0,3}$`,
  ].join('|'),
  'iu',
)

const onRequest =
  '(?:(?:by|on) (?:prior )?(?:arrangement|request)|auf (?:anfrage|wunsch|bestellung)|sur demande|bajo (?:petición|demanda)|su richiesta|sob (?:pedido|consulta)|mediante agendamento|op aanvraag|na życzenie|по (?:запросу|договор[её]нности))'

/** Behind the times, "(first Saturday of the month)", "by appointment only", "on request", "(in summer)". */
export const onSomeOfThemBehind = new RegExp(
  String.raw`^[\s,;:*(–-]{0,5}(?:uhr |h )?(?:${[
    String.raw`(?:\p{L}{2,5}\s){0,3}(?:${nths}\s?(?:\)|${name}(?!\p{L})|of|in|im|du|del|des|do|van)|${aRhythm})`,
    String.raw`${eachOf}\s(?:${nths}|\d\.)`,
    String.raw`(?:(?:nur|only|just|uniquement|seulement|solo|tylko|sadece)\s)?(?:${byAppointment}|${onRequest})(?!\p{L})`,
    String.raw`nur (?!bis)\p{L}`,
    '(?:for )?emergenc(?:y|ies) only',
    '(?:urgences|urgencias|urgenze|notfälle) (?:uniquement|seulement|solo|nur)',
    '(?:solo|uniquement|seulement) (?:les )?(?:urgenc|urgenz)',
    String.raw`(?:(?:nur|only)\s)?(?:(?:in|during|im|en|durante|pendant)\s${aSeason}|(?:from|until|till|ab|bis|bis zum|à partir d[eu]|jusqu['’]au|desde|hasta|dal|fino al|vanaf|tot|od|do|с|до)\s${when})`,
    String.raw`${aSeason}\s(?:only|nur|uniquement|seulement)`,
  ].join('|')})|^\s{0,2}\(\s?(?:\p{L}{2,5}\s){0,2}${when}`,
  'iu',
)

/** "Mi nachmittags geschlossen", "außer Mittwoch", "mittwochs nur bis 13 Uhr": the door is closed in a part of what is stated. */
export function hasException(text: string): boolean {
  return exceptions.some((one) => one.test(text))
}

export const closed =
  '(?:closed|not open|no surgery|nicht geöffnet|keine sprechstunde|pas ouverte?s?|niet open|geschlossen|ruhetag|chius[oiae]|chiusura|riposo(?: settimanale)?|fermée?s?|fermeture(?: hebdomadaire)?|cerrad[oa]s?|descanso(?: semanal)?|fechad[oa]s?|encerrad[oa]s?|folga|gesloten|kapalı|nieczynne|zamknięte|zárva|zatvoren[oa]?|zavřeno|lukket|stängt|stengt|закрыто|не работаем|выходн(?:ой|ые)(?: день| дни)?)'

const closes =
  '(?:clos(?:e|es|ing)|schlie(?:ß|ss)(?:en|t)|fermons|ferme|cerramos|cierra|chiudiamo|chiude|fechamos|sluiten|sluit)'
const article = '(?:(?:on|at|le|les|la|el|los|il|am|im|na|à|um)\\s)'
const only = '(?:nur|only|just|solo|seulement|uniquement|apenas|alleen|slechts|tylko|csak|samo|sadece|только)'

const exceptions: readonly RegExp[] = [
  // "Thursday 9-12 (afternoon closed)" below "Monday - Friday 9-12, 15-17:30", and "woensdagmiddag gesloten"
  String.raw`\([^()\d]{0,20}${halfDay}[^()\d]{0,12}(?:${closed}|frei|zu)[^()\d]{0,10}\)`,
  String.raw`(?<!\p{L})${name}s?\.?\s?(?:in the )?${halfDay}[^\p{L}\p{N}]{0,4}(?:\p{L}{1,10}\s){0,4}(?:${closed}|frei|zu)(?!\p{L})`,
  String.raw`(?<!\p{L})${closed}\s(?:(?:on|every|le|la|el|il|am)\s){0,2}${name}s?\.?\s(?:in the )?${halfDay}(?!\p{L})`,
  String.raw`(?<!\p{L})${fullName}[:,]?\s(?:\p{L}{1,10}\s){0,4}${closed}\s(?:an? )?${half}`,
  // "außer Mittwoch", "except the first Monday"
  String.raw`(?<!\p{L})(?:except(?:ing)?(?: for)?|excluding|but not|außer|ausser|ausgenommen|sauf|hormis|excepto|salvo|menos|tranne|eccetto|escluso|exceto|behalve|oprócz|poza|z wyjątkiem|kivéve|osim|kromě|hariç|кроме|undtagen|utom)\s(?:(?:the|on|every|each|le|les|el|los|il|la|am|den|jeden|de|w|u)\s){0,2}(?:(?:first|second|third|last|ersten|letzten|premier|dernier|primer|último|primo|ultimo|eerste|laatste)\s)?${name}s?(?!\p{L})`,
  String.raw`\(\s?(?:not|nicht)\s(?:on |am )?${name}s?\s?\)`,
  // "mittwochs nur bis 13 Uhr", "Mittwoch nur vormittags"
  String.raw`(?<!\p{L})${name}s?\.?[:,]?\s${only}\s(?:(?:until|till|to|bis|jusqu.à|hasta(?: las)?|fino alle|até(?: as| às)?|tot|do|до)\s${time}|(?:the )?${half})`,
  // "We close at 1pm on Wednesdays.", "Am Mittwoch schließen wir um 13 Uhr."
  String.raw`(?<!\p{L})${closes}\s(?:(?:at|um|à|a las|alle|às|early at)\s)?${time}\s${article}?${name}s?(?!\p{L})`,
  String.raw`(?<!\p{L})${fullName}s?[.,:]?\s(?:\p{L}{1,10}\s){0,3}${closes}\s(?:\p{L}{1,10}\s){0,3}\d{1,2}(?:[:.h]\d{2}|\s?(?:uhr|h|[ap]\.?m|o.clock)(?!\p{L}))`,
].map((source) => new RegExp(source, 'iu'))
