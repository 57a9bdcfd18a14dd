export interface Street {
  readonly written: string
  /** Where it begins in the text. */
  readonly index: number
}

/**
 * Finds the streets with a number in a text, as the most used languages write them: "12 Mill Lane", "Mühlenweg 5",
 * "14 rue de la République", "Calle Mayor 3". Most addresses have no element of their own. Returns them in the order of
 * the text.
 */
export function streetsIn(text: string): readonly Street[] {
  const read = text.slice(0, maxCharacters)
  return streets
    .flatMap((pattern) => [...read.matchAll(pattern)])
    .filter(({ 0: written }) => !isSampleStreet(written))
    .filter(({ index }) => !copyrightSign.test(read.slice(Math.max(0, index - 30), index)))
    .map(({ 0: whole, index }) => {
      const written = whole
        .slice(0, 100)
        .replace(nextLabel, '')
        .replace(/\s[–—-](?:\s\D.*)?$/, '')
      const behind = read.slice(index + written.length, index + written.length + 20)
      // "4 rue Lind de 9h à 12h"
      return {
        written: /^ \d{1,2}\s?h/.test(behind)
          ? written.replace(/ de$/, '')
          : written + numberBehind(written, behind),
        index,
      }
    })
    .toSorted((one, other) => one.index - other.index)
}

const maxCharacters = 200_000

/** "/B" of "12/B", "/3/14" of "12/3/14", "-14" of "12-14": the stair, the flat or the next house. A postal code is longer. */
function numberBehind(street: string, behind: string): string {
  const [, first] = /(\d{1,4}) ?[a-zA-Z]?$/.exec(street) ?? []
  if (first === undefined) return ''
  const [further = '', next] = furtherHouse.exec(behind) ?? []
  if (next === undefined) return furtherNumber.exec(behind)?.[0] ?? ''
  const houses = Number(next) - Number(first)
  return houses > 0 && houses < 50 ? further : ''
}

const furtherNumber = /^(?:\/(?:\d{1,3}[a-zA-Z]?|[a-zA-Z])){1,3}(?![\p{L}\d/])/u
/** "3-5. Stock" is a floor, and "8-18 Uhr" are hours. */
const furtherHouse =
  /^[-–]([1-9]\d{0,2})[a-zA-Z]?(?![\p{L}\d/-]|\. ?(?:Stock|OG|Etage|floor|kat)|[:.]\d{2}|\s?(?:Uhr|h|hrs|[ap]m)(?!\p{L}))/u

/** "12 rue du", "7 avenue de la": the name was cut where it goes on in an unknown form. No map knows what is left. */
export function isHalfStreet(street: string): boolean {
  return halfName.test(street)
}

const halfName = / (?:du|des?|de la|aux?|del?|della|dei|las?|los|les?|[dl][’'])$/i

/** Whether it is the street of a template: "Musterstraße 123", "A108 Adam Street". */
export function isSampleStreet(text: string): boolean {
  return sample.test(text)
}

const sample =
  /muster(?:stra(?:ß|ss)e|str\.|weg|gasse|platz|allee)|beispielstra(?:ß|ss)e|(?:example|sample|any|fake) (?:street|st|road|rd|avenue|ave)|(?<!\d)108 adam street|(?<!\p{L})(?:smile city|anytown|any ?city|your ?(?:city|town)|sample (?:city|town)),? [A-Z]{2} \d{5}|voorbeeldstraat|calle falsa|rue (?:de l[’'])?exemple|via (?:dell[’'])?esempio|rua (?:do )?exemplo|örnek (?:mah|cad|sok)/iu

/** What stands behind the street in a menu or a footer: "66 Rue de la Vicomté Contact". */
const nextLabel = /\s(?:contact|t[ée]l(?:[ée]phone)?|e-?mail|horaires|menu|mentions|plan|accueil)\.?$/i

/** "© 2025 Henry Street Bakery": a year, and not the number of a house. */
const copyrightSign = /(?:©|\(c\)|copyright)[\s:]{0,3}(?:\d{4}\s?[–-]\s?)?$/i

const streets: readonly RegExp[] = [
  // "Im Dörener Feld 3": only in front of a postal code, because nothing in it says that it is a street.
  /(?<!\p{L})(?:Im|Am|An der|An den|Auf dem|Auf der|Zum|Zur|In der|Unter den) \p{Lu}[\p{L}-]{1,40}(?: \p{Lu}[\p{L}-]{1,40})? \d{1,4} ?[a-zA-Z]?(?=[,\s]{1,3}(?:D-)?\d{5}(?!\d))/gu,
  // Not "§ 5 TMG Dr. Lind", a law and a name.
  // "9-170 Fuller Road": the unit stands before the number in Canada. "No.53 Fuller Road" in Nigeria, Ghana and India.
  /(?<![\d,/]|(?<!(?<!\p{L})No)\.|§ ?|\d[–-])(?:\d{1,4}[-/])?\d{1,5}(?:-\d{1,3})?[a-z]?,? (?:\p{Lu}[\p{L}'’.-]{0,30} ){1,3}(?:[Ss]treet|St|[Rr]oad|Rd|[Aa]venue|Ave|[Ll]ane|Ln|Drive|Dr(?!\. \p{Lu}\p{L}+ \p{Lu})|Boulevard|Blvd|Way|Court|Ct|Place|Pl|Square|Terrace|Row|Close|Quay|Gardens|Parade|Highway|Hwy|Parkway|Pkwy|Crescent|Mews|Yard|Wharf|Hill)(?!\p{L})/gu,
  // "5 South 700 East #204" of the towns of Utah, whose streets are numbers.
  /(?<![\d.,])\d{1,5} (?:North|South|East|West|[NSEW]\.?) \d{2,5} (?:North|South|East|West|[NSEW])(?!\p{L})\.?(?:,? ?(?:#|Suite|Ste\.?|Unit) ?\d{1,5}[A-Z]?)?/gu,
  /(?<!\p{L})\p{Lu}[\p{L}-]{0,40}[ -]?(?:[Ss]traße|[Ss]trasse|[Ss]tr\.|[Gg]asse|[Aa]llee|[Pp]latz|[Ww]eg|[Dd]amm|[Uu]fer|[Rr]ing|straat|laan|gracht|plein|kade) \d{1,4} ?[a-zA-Z]?(?![\p{L}\d])/gu,
  // "Petrikirchhof 8": words that end so are much else, so a code with its town has to follow.
  /(?<!\p{L})\p{Lu}[\p{L}-]{2,40}(?:hof|markt|berg|tor|graben|stieg|steig|wall|bogen|brücke|chaussee|zeile) \d{1,4} ?[a-zA-Z]?(?=[,\s|·–-]{1,4}(?:D-|A-|CH-)?\d{4,5} \p{Lu})/gu,
  /(?<![\d.,])\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|bd|place|quai|chemin|allée|impasse|cours|route) (?:du \d{1,2}(?:er)?[ -](?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?:[ -]1[89]\d{2}(?!\d))?(?!\p{L})|[\p{L}'’.-]{1,30}(?: [\p{L}'’-]{1,30}){0,4})/giu,
  // "Jr. los Canelos 138", "Av. Brasil 1200", "Carrera 7 # 12-30": names may begin small there.
  /(?<!\p{L})(?:Jr\.|Calz\.|Blvd\.|Prol\.|Psje\.|Av\.|Cra\.|(?:Jirón|Calzada|Privada|Cerrada|Pasaje|Avenida|Avinguda|Calle|Carrera|Carrer|Plaça|Passeig|Autopista|Travessa|Estrada|Alameda|Rodovia|Piazzale|Vicolo|Strada|Contrada|Ronda|Camino)(?!\p{L})) ?[\p{L}\d][\p{L}\d'’.-]{0,30}(?: [\p{L}'’.-]{1,30}){0,4},? (?:[nN][.º°]? ?|# ?|No\.? ?)?\d{1,5}(?:[A-Za-z](?![\p{L}\d]))?(?!\d)/gu,
  // Turkish and Russian.
  /(?<!\p{L})\p{Lu}[\p{L}'’.-]{1,30}(?: \p{Lu}[\p{L}'’.-]{0,30}){0,3} (?:[Cc]ad(?:desi|\.)?|CAD(?:DESİ|\.)?|[Ss]ok(?:ak|ağı|\.)?|SOK(?:AK|AĞI|\.)?|S[Kk]\.|Bulvarı|BULVARI|Blv\.)[\s,]{1,3}(?:N[oO] ?[.:]? ?)?\d{1,4}(?:-\d{1,4})?(?:[A-Za-z](?![\p{L}\d]))?(?!\d)(?: (?:Daire|D|Kat|K) ?: ?\d{1,3}(?!\d)){0,2}/gu,
  // Polish, where the word before the name says that it is a street: "ul. Wolska 81".
  /(?<!\p{L})(?:ul|al|pl|os)\. ?\p{Lu}[\p{L}'’.-]{1,30}(?: \p{Lu}[\p{L}'’.-]{0,30}){0,3} \d{1,4}[A-Za-z]?(?:\/\d{1,4}[A-Za-z]?)?(?![\p{L}\d])/gu,
  /(?<!\p{L})(?:ул(?:\.|ица)|вул(?:\.|иця)|просп(?:\.|ект)|пр-т|пер(?:\.|еулок)|наб(?:\.|ережная)|пров(?:\.|улок)|шоссе|бульвар|б-р) ?[\p{L}\d][\p{L}\d.-]{0,30}(?: [\p{L}.-]{1,30}){0,3},? (?:д(?:\.|ом) ?)?\d{1,4}(?:[а-я](?!\p{L}))?(?!\d)(?:,? ?(?:НП|н\.п\.|кв|оф|офис|пом|помещение|корп|корпус|стр|строение|блок)[.:]? ?\d{1,4}(?!\d)){0,2}/giu,
  // Japanese, Korean and Chinese.
  /[\p{Script=Han}ヶケ]{1,20}(?:[1-9]\d{0,2}|[一二三四五六七八九十]{1,3})丁目\d{1,4}(?:番地?\d{0,4}号?|[－-]\d{1,4}){0,2}|[\p{Script=Hangul}\d]{1,12}(?:로|길)(?: ?\d{1,4}번?길)? ?\d{1,4}(?:-\d{1,3})?(?:,? ?\d{1,4}호)?(?![\d분개명년월일시원대회차세배인곳위%km]|번(?!지)| ?번?길)|\p{Script=Han}{1,12}(?:路|街|大道|巷)(?:[一二三四五六七八九十]段)?\d{1,5}[号號]/gu,
  // "町 9-25": the town is followed by the numbers of block and house.
  /[\p{Script=Han}ヶケ]{2,14}[町村区] ?\d{1,4}(?:[－-]\d{1,4}){1,3}(?!\d)/gu,
  // "世田谷区池尻2-31-5": a quarter stands in between. Three numbers, because two may be hours.
  /[\p{Script=Han}ヶケ]{2,14}[市区][\p{Script=Han}\p{Script=Katakana}ー]{1,8} ?[1-9]\d{0,2}(?:[－-]\d{1,3}){2}(?!\d|[－-])/gu,
  // Without a number: "Avda. de la Salud, s/n".
  /(?<!\p{L})(?:Av\.|Avda?\.|Avd\.|[Aa]venida|[Cc]alle|C\/|Plaza|Paseo|Camino|Carretera|Ctra\.|[Rr]ua|Praça|Estrada|Via|Strada) ?[\p{L}][\p{L}'’.-]{0,30}(?: [\p{L}'’.-]{1,30}){0,4},? s\/[nº]\.?(?!\p{L})/gu,
  // A street has no number like "2025": "Corso insegnanti Novembre 2025" is a course.
  /(?<!\p{L})(?:Via|Viale|Piazza|Corso|Frazione|Località|[Cc]alle|[Aa]venida|Avda?\.|Avd\.|Plaza|Paseo|[Rr]ua|Praça|Largo|C\/|C\.(?: de)?(?= \p{Lu}\p{Ll}+ \p{Lu})) ?\p{Lu}[\p{L}'’.-]{0,30}(?: [\p{L}'’.-]{1,30}){0,4},? (?:n[.º°]? ?)?(?!(?:19|20)\d\d(?!\d))\d{1,4}(?:[A-Za-z](?![\p{L}\d]))?(?!\d)/gu,
]
