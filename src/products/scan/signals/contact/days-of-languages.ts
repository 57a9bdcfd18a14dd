/**
 * Writes the days of some languages as schema.org does, so that the hours behind them are read: "pon – pt" becomes
 * `Mo – Fr`, and "Hafta içi" becomes `Mo-Fr`. Short names are words or other days elsewhere ("pt", "pet", "K"). They count
 * only in a text that proves its language.
 */
export function withKnownDays(text: string): string {
  const grouped = text
    .replace(sevenDays, 'Mo-Su ')
    .replace(weekdays, 'Mo-Fr')
    .replace(weekend, 'Sa-Su')
    .replace(noon, '12pm')
  // The full names prove a language, so they are replaced last.
  const short = languages.reduce(
    (read, { proof, names }) =>
      proof.test(read) ? read.replace(anyOf(names), (name) => codeOf(names, name)) : read,
    grouped,
  )
  return inHungarian(short).replace(anyFull, (name) => codeOf(fullNames, name))
}

const noon = /(?<!\p{L})(?:12\s?)?noon(?!\p{L})/giu

/** "Open 7 days a week, from 9 AM". Without "open", it may be the time that something takes. */
const sevenDays =
  /(?<!\p{L})open\s(?:7|seven)\sdays(?:\sa\sweek)?[\s:,–—-]{1,4}(?=(?:from\s)?\d{1,2}(?:[:.]\d{2})?\s?[ap]\.?m)/giu
const weekdays =
  /(?<!\p{L})(?:hafta\s?[iİ]ç[iİ]|(?:on\s)?weekdays|(?:svaki(?:m)?\s)?radni(?:m)?\s(?:dan(?:om|ima|a|i)?)|(?:w\s)?dni\s(?:robocze|powszednie)|hétköznap(?:okon)?|entre\ssemana|dias\súteis|(?:по\s)?будн(?:и|ям))(?=[\s:,–-]{1,4}(?:\p{L}{1,5}\s)?\d{1,2}(?!\d))/giu
const weekend =
  /(?<!\p{L})(?:hafta\s?sonu|(?:at\s|on\s)?weekends|vikendom|hétvégén?|fin(?:es)?\sde\ssemana)(?=[\s:,–-]{1,4}(?:\p{L}{1,5}\s)?\d{1,2}(?!\d))/giu

/** One line a day, from Monday on. */
type Names = readonly (readonly string[])[]

const codes = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

function codeOf(names: Names, name: string): string {
  return codes[names.findIndex((ofDay) => ofDay.includes(name.toLowerCase()))] ?? name
}

function anyOf(names: Names): RegExp {
  const all = names.flat().toSorted((one, other) => other.length - one.length)
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${all.join('|')})(?!\p{L})`, 'giu')
}

function namesOf(...lines: readonly string[]): Names {
  return lines.map((line) => line.split(' '))
}

/** Polish, the languages of South Slavs in Latin letters, and Hungarian. */
const fullNames = namesOf(
  'poniedziałek poniedziałku ponedjeljak ponedjeljka ponedeljak ponedeljka ponedeljek hétfő',
  'wtorek wtorku utorak utorka torek kedd',
  'środa środę środy srijeda srijede sreda srede szerda',
  'czwartek czwartku četvrtak četvrtka četrtek csütörtök',
  'piątek piątku petak petka petek péntek',
  'sobota sobotę soboty subota subotom subote szombat',
  'niedziela niedzielę niedzieli nedjelja nedjeljom nedjelje nedelja nedelje vasárnap',
)
const anyFull = anyOf(fullNames)

const languages: readonly { readonly proof: RegExp; readonly names: Names }[] = [
  {
    proof:
      /(?<!\p{L})(?:poniedział(?:ek|ku)|wtor(?:ek|ku)|środ[aęy]|czwart(?:ek|ku)|piąt(?:ek|ku)|niedziel[aęi]|(?:pon|czw|śr|niedz)\.?\s?(?:[-–—,]\s?(?:wt|śr|czw|cz|pt|sob|nd|niedz)\.?\s?)?:?\s?\d{1,2}[.:]?\d{0,2}\s?[-–—]\s?\d)/iu,
    names: namesOf('pon pn', 'wt', 'śr', 'czw cz', 'pt', 'sob sb', 'niedz ndz nd'),
  },
  {
    proof:
      /(?<!\p{L})(?:ponedjelja?k|ponedelja?k|utora?k|srijed[ae]|četvrta?k|četrtek|peta?k|petek|subot[aeu]|nedjelj[ae]|radni(?:m)? dan|pon\.?\s?[-–—]\s?(?:sri|čet|pet|sub|ned)\.?\s?:?\s?\d)/iu,
    names: namesOf('pon', 'uto tor', 'sri sre', 'čet', 'pet', 'sub', 'ned'),
  },
]

/** "H-P 7-19": single letters, so only behind a word for opening hours, and only before a span of time. */
function inHungarian(text: string): string {
  return hungarianHours.test(text)
    ? text.replace(hungarianDays, (days) =>
        days.replace(/\p{L}+\.?/gu, (day) => codeOf(hungarian, day.replace('.', ''))),
      )
    : text
}

const hungarian = namesOf('h', 'k', 'sze', 'cs', 'p', 'szo', 'v')
const hungarianHours =
  /(?<!\p{L})(?:nyitva\s?tartás(?:i idő|unk)?|rendelési idő|rendelés|ordinációs idő|ügyfélfogadás)(?!\p{L})/iu
/** "H-P", and "H, Sze" of "H, Sze 8-14". */
const hungarianDays =
  /(?<![\p{L}\d])(?:H|K|Sze|Cs|P|Szo|V)\.?(?:\s?[-–,/]\s?(?:H|K|Sze|Cs|P|Szo|V)\.?){0,6}(?=\s?:?\s?\d{1,2}(?:[:.]\d{2})?\s?[-–]\s?\d)/gu
