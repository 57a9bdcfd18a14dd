import { wholeWords } from '../../../site/html/words.ts'
/**
 * Whether words that name dentists come from a dental practice. Vets, dealers, schools, finders and brokers name
 * dentists in their titles, too, and none of them may be published as one. A practice in turn writes of dogs, finance
 * and the hospital next door in its slogan: there its name decides, if that says the trade itself.
 */
export type DentistSign = 'practice' | 'other' | 'unclear'

/** @param parts the name, the parts of the title and the main headings */
export function dentistSign(parts: readonly string[]): DentistSign {
  const all = parts.join(' | ')
  if (larger.test(all) || aboutPractices.test(all)) return 'other'
  if (parts.some(isPracticeName)) return 'practice'
  return isBesideDentists(all) ? 'other' : 'unclear'
}

/** "Lind Dental Practice - dentist in Leeds" has two parts, and one of them may be no more than a slogan. */
export function partsOfTitle(title: string): string[] {
  return title.split(/\s[-–—]\s|[|·•:,»«]/).map((part) => part.trim())
}

/** Who works for dentists, teaches or sends them, treats animals, or has a dentist among others. */
export function isBesideDentists(text: string): boolean {
  return larger.test(text) || besideDentists.some((words) => words.test(text))
}

/** The phrase alone, or next to a word that is written like a name. A part that says anything else beside it is no name. */
function isPracticeName(part: string): boolean {
  const found = practice.exec(part)
  if (found === null || isBesideDentists(part)) return false
  const before = wordsOf(part.slice(0, found.index)).at(-1)
  const after = wordsOf(part.slice(found.index + found[0].length)).find((word) => !joining.test(word))
  if (before === undefined && after === undefined) return true
  return [before, after].some((word) => word !== undefined && /^\p{Lu}/u.test(word) && !common.test(word))
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}’']+/gu) ?? []
}

const joining = /^(?:dr|dra|dott|dottssa|ssa|med|dent|mag|prof|du|de|la|del|della|am|an|der|die|and|und|et)$/i
const common = /^(?:your|our|my|the|a|an|in|at|of|for|to|we|any|every|all|ihre?|unsere?|votre|tu|su|il)$/i

const practiceWords = [
  'dental (?:special(?:i?ty|ists?) )?(?:practice|clinics?|surgery|care|centre|center|centar|studio|office|klinika|ordinacija)',
  'clínica (?:dental|odontológica)|clinica (?:dentale|dentaria|dentária|odontoiatrica)|studio (?:dentistico|odontoiatrico)',
  'cabinet dentaire|centre dentaire|clinique dentaire|zahnarztpraxis|zahnarztpraxen|kieferorthopädische praxis|tandarts(?:en)?praktijk',
  'gabinet stomatologiczny|diş (?:kliniği|klinikası|polikliniği|hekimi)|stomatoloji klinika\\p{L}*|stomatološka ordinacija',
  'zubní ordinace|zubná ambulancia|zobna ordinacija|стоматологическая клиника|tannlegekontor\\p{L}*|tandläkarmottagning\\p{L}*',
]
const practice = wholeWords(...practiceWords)

/** "Dental Studio Photography", "Zahnarztpraxis Lind zu verkaufen": something else bears the name of a practice. */
const aboutPractices = new RegExp(
  [
    'photograph\\p{L}+|products?|plans?|buildings?|museum|cleaners|cleaning(?=$| (?:company|services?|\\|))',
    'fotograf\\p{L}*|reinigung|produkte|gründ\\p{L}+|nettoyage|reformas|pulizie|arredament\\p{L}+|schoonmaak|inrichting|temizliği|sprzątanie|wyposażenie',
    '(?:\\p{L}{1,20} )?(?:reviews|bewertungen|avis|opiniones|recensioni|yorumları|opinie|отзывы)',
    "(?:[\\p{L}.’'-]{1,20} ){0,3}(?:(?:for|to) (?:sale|let|rent)|zu (?:verkaufen|vermieten)|abzugeben|à (?:céder|vendre|louer|reprendre)|en (?:venta|alquiler|traspaso)|se (?:vende|traspasa|alquila))",
    "(?:[\\p{L}.’'-]{1,20} ){0,3}(?:in vendita|in affitto|vendesi|cedesi|affittasi|à venda|te (?:koop|huur)|ter overname|satılık|kiralık|na sprzedaż|do wynajęcia|прода[её]тся|продажа)",
  ]
    .map((what) => wholeWords(`(?:${practiceWords.join('|')}) (?:${what})`).source)
    .join('|'),
  'iu',
)

/** A house that has dentists among others stays that, also where a heading names its dental clinic. */
const larger = wholeWords(
  '(?<!(?:the|near|opposite|behind|beside) )hospitals?|krankenhaus|(?<!(?:near|opposite|behind|beside) (?:the )?)universi\\p{L}+',
  'hochschule|facult(?:y|ad|é|à)|fakült\\p{L}*|fakult\\p{L}+|medical (?:cent(?:re|er)|group)',
)

const besideDentists: readonly RegExp[] = [
  // Whom it works for.
  wholeWords(
    '(?:our partner|become an?|without an?|no) (?:\\p{L}{2,12} )?(?:dent(?:ists?|al)|orthodontists?)',
    '(?:for|to|with) (?:\\p{L}{2,12} )?(?:dentists|orthodontists|dental (?:practices?|clinics?|professionals?|surger(?:y|ies)|offices?|teams?|nurses?|students|practitioners|industry|laborator\\p{L}+))|for (?:the|your|my) (?:dentists?|dental|orthodontist)',
    '(?:find|compare|search|choose|pay|sell|buy|hire|sue|rate|locate) (?:an?|the|your|my|our|local|top|nhs) (?:\\p{L}{2,12} )?dent(?:ists?|al)',
    '(?:find|compare|search|sell|buy|sue|rate|locate) (?:\\p{L}{2,12} )?(?:dentists|dental (?:practices|clinics))',
    '(?:für|partner der) (?:\\p{L}{2,12} )?(?:zahnärzte|zahnärztinnen|zahnarztprax\\p{L}+|kieferorthopäden)',
    'pour (?:\\p{L}{2,12} )?(?:dentistes|chirurgiens|cabinets? dentaires?)|para (?:\\p{L}{2,12} )?(?:dentistas|odontólogos|clínicas? dental(?:es)?|clínicas odonto\\p{L}+)',
    'per (?:\\p{L}{1,12} )?(?:dentisti|odontoiatri|ortodont\\p{L}+|stud(?:io|i) dentistic[oi])|voor (?:\\p{L}{2,12} )?(?:tandartsen|tandartspraktijk\\p{L}*)',
    'diş hekimleri için|dla (?:stomatologów|dentystów|gabinet\\p{L}+)|do gabinet\\p{L}*|для стоматолог\\p{L}*',
    '(?:practice|surgery|clinic) (?:design|cleaning|sales?|valuations?|owners?|growth|supplies|interiors|furniture|build\\p{L}*)',
  ),
  // Animals. "Los Gatos", the "Isle of Dogs" and Perros-Guirec are places, and horses stand on the signs of inns.
  wholeWords(
    'animals?|pets?|(?<!isle of )dogs?|cats?|(?<!(?:white|black|red|grey|iron|flying|trojan) )horses?|equine|vets?|veterin\\p{L}+|véterin\\p{L}*|vétérin\\p{L}*|tier(?:arzt|ärzt)\\p{L}*',
    'pferde?n?|pferdezahn\\p{L}*|pferdedent\\p{L}*|hunde?n?|katzen?|équine?s?|chevaux|chiens?|chats|animaux|animales|perros?(?!-)|(?<!los )gatos?|caballos?|mascotas?',
    'cavalli|cani|gatti|animali|equin[oi]s?|cavalos?|cães|paarden\\p{L}*|honden|katten|dierenarts\\p{L}*|köpek\\p{L}*|hayvan\\p{L}*|zwierz\\p{L}+|weteryn\\p{L}+|ветеринар\\p{L}*|животн\\p{L}+|лошад\\p{L}+',
  ),
  // Dealers, laboratories and those who furnish.
  wholeWords(
    'suppl(?:y|ies|iers?)|wholesale\\p{L}*|distribut\\p{L}+|dealers?|manufactur\\p{L}+|(?:dental|care|practice|surgery) equipment|handpieces?|furniture|fit-?outs?|interiors|dental depot|dentaldepot\\p{L}*',
    'praxisbedarf|praxisberat\\p{L}*|praxisgründ\\p{L}*|praxisübernahme|dentalbedarf|dentalhandel|großhandel|bedarf für|praxiseinrichtung\\p{L}*|praxisbörse|praxisvermittlung|verkaufen|kaufen',
    'depósitos? dental(?:es)?|deposito dentale|fornitur\\p{L}+|arred\\p{L}+|fournitures?|fournisseur\\p{L}*|fauteuils?|matériel (?:dentaire|pour)|suministros|insumos|material odontol\\p{L}+|productos (?:dentales|odontol\\p{L}+)|produtos odontol\\p{L}+',
    'groothandel|hurtowni\\p{L}+|sklep|meble|zaopatrzenie|sprzęt (?:dla|stomatologiczny)|(?:diş|dental) depo\\p{L}*|(?:diş|hekimi|dental) malzeme\\p{L}*|стоматологическ\\p{L}+ оборудовани\\p{L}+|расходн\\p{L}+|магазин\\p{L}*',
    'for sale|valuations?|brokers?|à vendre|en venta|in vendita|satılık|na sprzedaż',
    'technici?ans?|techni[kc]i dent\\p{L}+|zahntechnik\\p{L}*|(?<!eigene[mnrs]? )dentallabor\\p{L}*|prothésiste|(?<!(?:own|in-house|eigene[mnrs]?) )laborato?\\p{L}+|(?:dental|orthodontic) labs?|odontot[eé]cni\\p{L}+|protez lab\\p{L}*|protety\\p{L}+|зуботехн\\p{L}+',
  ),
  // Schools, finders, jobs.
  wholeWords(
    'schools? (?:of|for)|(?:dental|dentistry) school|academ(?:y|ia|ies)|akademie|académie|accademia|colleges? of|institutes? (?:of|for)|courses?|training|stud(?:y|ying) dent\\p{L}+|congress\\p{L}*|kongress|conference|magazine|journal',
    'escuela|école|escola|scuola|okulu|szkoła|szkoleni\\p{L}+|cursos?|cors[oi]|kurse|formations|formaciones|fortbildung\\p{L}*|weiterbildung\\p{L}*|studieren|studium|étud(?:es|ier)|laurea|eğitim\\p{L}*|обучени\\p{L}+|курсы',
    'finder|directory|annuaire|directorio|verzeichnis|zahnarztsuche|(?:zahnarzt|zahnärzte) finden|trouver un|encuentra|encontre|trova (?:un|il)|znajdź|hekimi bul|найти',
    "jobs?|vacanc(?:y|ies)|recruit\\p{L}*|staffing|locum|stellenangebote|stellenmarkt|jobbörse|recrutement|offres d[’']emploi|empleos?|vacatures?|iş ilan\\p{L}*|вакансии",
  ),
  // Societies, money, law.
  wholeWords(
    'associations?|society|societies|chamber|federation|dental union|charit(?:y|ies)|volunteers?|ordre (?:des|national)|ordine (?:dei|degli)|colegio (?:oficial )?de|conse(?:jo|lho) (?:de|regional|federal)|\\p{L}{0,20}kammer|verband|verein',
    'sindicato|syndicat|asociación|associação|associazione|vereniging|izba|odası|derneği|birliği|towarzystwo|ассоциаци\\p{L}+|палата',
    'insurance(?! (?:accepted|welcome))|insurers?|(?:dental|care|payment) plans|zahnzusatz\\p{L}*|versicherung\\p{L}*|assurances?|mutuelles?|seguros?(?: de| para| dental)|seguros dentales|pólizas?|assicurazion\\p{L}+|verzekering\\p{L}*|sigorta\\p{L}*|ubezpiecz\\p{L}+|страхов\\p{L}+',
    'loans?|financ\\p{L}+|billing|negligenc\\p{L}+|solicitors?|lawyers?|attorneys?|abogad[oa]s?|avocate?s?|avvocat[oi]|anwalt|rechtsanw\\p{L}+|avukat\\p{L}*|accountants?|accounting|steuerberat\\p{L}*',
  ),
  // Programs, agencies, and houses that bear the word in their name.
  wholeWords(
    'software|apps?|platform|management|booking for|marketing|websites?|consulting|consultancy|agency|clinics(?<!dental clinics)|logiciels?|yazılım\\p{L}*|programı|praxisverwaltung\\p{L}*|agentur|agence (?:web|de)|agencia|agenzia',
    'coffee|caf[eé]s?|cakes?|cocktails?|pub|(?<!(?:am|the|near) )museums?|museo|musée|muzeum|(?:dental|health|medical) tourism',
  ),
  /求人|経営|コンサル|集客|商店|通販|向け|口コミ|システム|ソフト|専門学校|医師会|구인|구직|마케팅|컨설팅|招聘|商城|培训|管理系统/u,
]
