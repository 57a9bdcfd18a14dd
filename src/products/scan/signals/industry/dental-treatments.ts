import { pathOf } from '../../site/addresses.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import { wholeWords } from '../../site/html/words.ts'
import type { Page } from '../../site/site.ts'

/**
 * Whether the headings and links of a page name treatments of dentists: four different ones are a list that no trade has
 * which has nothing to do with teeth. A practice may be called "Lind & Nord", and say nowhere in its title what it is.
 * @param others further pages, whose titles and addresses name treatments, too
 */
export function namesDentalTreatments(home: Page, others: readonly Page[] = []): boolean {
  return readTreatments(home, others).count >= minTreatments
}

/** The same, where some of them are done in the mouth of a patient. Laboratories and spas list crowns and whitening, too. */
export function offersDentalTreatments(home: Page, others: readonly Page[]): boolean {
  const { count, proof } = readTreatments(home, others)
  return count >= minTreatments && proof >= minProof
}

/** Whether a short text, such as a heading, names a treatment of dentists. */
export function isDentalTreatment(text: string): boolean {
  return treatments.some(([, , words]) => words.test(text)) && !isOfOtherThings(text)
}

function readTreatments(home: Page, others: readonly Page[]): { count: number; proof: number } {
  const phrases = phrasesOf(home, others)
  const named = treatments.filter(([, , words]) =>
    phrases.some((phrase) => words.test(phrase) && !isOfOtherThings(phrase)),
  )
  const isTradeNamed = phrases.some((phrase) => trade.test(phrase))
  return {
    count: new Set(named.map(([treatment]) => treatment)).size + (isTradeNamed ? tradeCounts : 0),
    proof: named.reduce((sum, [, weight]) => sum + weight, isTradeNamed ? 1 : 0),
  }
}

const minTreatments = 4
/** The trade itself, beside two treatments. A hospital or a news site names it once, and no treatment. */
const tradeCounts = 2
/** Root canals alone, or whitening beside braces. */
const minProof = 2

function phrasesOf({ headings, links, description, $ }: Page, others: readonly Page[]): string[] {
  const sentences = [
    // A slogan in large letters may be no heading in the code.
    ...$('body p')
      .toArray()
      .slice(0, 3)
      .map((element) => textWithin([element]).slice(0, 200)),
    description.slice(0, 300),
  ]
  return [
    ...others.slice(0, 30).flatMap(({ title, url }) => [
      title.slice(0, 200),
      pathOf(url)
        .slice(0, 200)
        .replace(/[-_/.]/g, ' '),
    ]),
    ...headings.slice(0, 60).map(({ text }) => text.slice(0, 120)),
    ...links.slice(0, 300).map(({ text }) => text.slice(0, 80)),
    ...sentences.flatMap((text) => text.split(/[.,;:|·•]/)),
  ]
}

/** "Lip fillings", "breast implants", "implant systems": a word that dentists use, of another part of the body or of goods. */
function isOfOtherThings(phrase: string): boolean {
  return otherParts.test(phrase) || otherGoods.test(phrase)
}

const otherParts = wholeWords(
  'lips?|hair|breasts?|cheeks?|noses?|skin|eye\\p{L}*|knees?|hips?|cochlear|contraceptive|microchip\\p{L}*',
  'lippen?\\p{L}*|haar(?:implant|transplant|ersatz)\\p{L}*|brust\\p{L}*|wangen?|nasen?|haut\\p{L}*|augen?\\p{L}*|knie\\p{L}*|hüft\\p{L}*|borst\\p{L}*|huid\\p{L}*',
  'lèvres?|cheveux|capillaires?|seins|mammaires?|peau|labios?|capilar\\p{L}*|senos?(?! (?:maxil|mascell))|mamari[oa]s?|piel',
  'lábios?|labial|cabelos?|seios|mamas?|pele|labbra|capelli|mammari\\p{L}*|pelle|dudak|saç|meme|yanak|burun|cilt|diz|kalça',
  'powiększani\\p{L}+ ust|włos\\p{L}+|piersi|skóry|губ\\p{L}*|волос\\p{L}*|груд\\p{L}*|кож\\p{L}*',
)

const otherGoods = wholeWords(
  'kits?|systems?|wires?|files|instruments?|abutments?|bars?|drills?|systeme|instrumente|sistemas?|sistemi|systèmes?',
)

/** Beginnings of words, so that each language adds its own ending. */
function beginning(...words: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.join('|')})`, 'iu')
}

const trade = beginning(
  'dentists?(?!\\p{L})',
  'dental (?:practice|clinic|care|office|surgery)',
  'zahn[aä]rzt',
  'chirurgiens?[- ]dentistes?',
  'dentistes?(?!\\p{L})',
  'odont[oó]log',
  'dentista',
  'tandarts',
  'tandläkar',
  'tannlege',
  'tandlæge',
  'stomatol',
  'zubn[ií]',
  'fogorvos',
  'fogászat',
  'diş hekim',
  'стоматолог',
  '歯科',
  '치과',
  '牙科',
)

/**
 * How far a treatment tells a dentist from others: 2 where only dentists do it, 1 where few others do, and 0 where
 * laboratories, makers and clinics of other kinds name it as well.
 */
type Proof = 0 | 1 | 2

const treatments: readonly (readonly [treatment: string, proof: Proof, words: RegExp])[] = [
  [
    'root canal',
    2,
    beginning(
      'endodon',
      'root canal',
      'wurzel(?:kanal)?behandlung',
      'kanal tedavi',
      'tratamento de canal',
      'rotfyllning',
      'leczenie kanałowe',
      'эндодон',
      '根管',
      '신경치료',
    ),
  ],
  [
    'braces',
    1,
    beginning(
      'orthodon',
      'ortodon',
      'kieferorthop',
      'kfo(?!\\p{L})',
      'tandreglering',
      'fogszabályozás',
      'ортодон',
      '(?:歯列)?矯正',
      '교정',
      '正畸',
    ),
  ],
  // Sold by post, too.
  ['braces', 0, beginning('invisalign', 'clear aligners?')],
  ['implants', 0, beginning('zahnimplantat', 'implant', 'имплант', 'インプラント', '임플란트', '种植牙')],
  [
    'whitening',
    1,
    beginning(
      'whitening',
      '(?:tooth|teeth) whitening',
      'bleaching',
      'blanchiment',
      'blanqueamiento',
      'clareamento',
      'sbiancamento',
      'diş beyazlat',
      'wybielani',
      'izbjeljivanj',
      'beljenje zob',
      'tandblekning',
      'tannbleking',
      'tanden bleken',
      'отбелив',
      'відбілюв',
      'ホワイトニング',
      '미백',
    ),
  ],
  [
    'dentures',
    0,
    beginning(
      'prosthodon',
      'dentures?',
      'zahnersatz',
      'prothèses? dentaires?',
      'prótesis',
      'prótese',
      'protesi',
      'protetik',
      'protetyk',
      'fogpótlás',
      'protez',
      'протез',
      '入れ歯',
      '義歯',
      '보철',
    ),
  ],
  ['gums', 2, beginning('periodon', 'parodon', 'gum (?:disease|treatment|care)', 'пародонт', '歯周', '잇몸')],
  [
    'fillings',
    2,
    beginning(
      'caries',
      'karies',
      '(?:tooth|dental|white) fillings?',
      'zahnfüllung',
      'diş dolgu',
      'кариес',
      'карієс',
      '[虫むし]し?歯',
      '충치',
    ),
  ],
  ['fillings', 0, beginning('fillings?', 'obturaci', 'otturazion', 'plomb', 'dolgu')],
  [
    'cleaning',
    2,
    beginning(
      'dental (?:hygien|cleaning)',
      'teeth cleaning',
      'zahnreinigung',
      'prophylaxe',
      'detartrage',
      'détartrage',
      'limpieza dental',
      'limpeza dent',
      'igiene (?:orale|dentale)',
      'mondhygi',
      'tandhygien',
      'skaling',
      'diş taşı',
      '予防歯科',
      '스케일링',
    ),
  ],
  ['cleaning', 1, beginning('гигиен', 'гігієн')],
  [
    'children',
    2,
    beginning(
      'pa?ediatric dent',
      "(?:kids|children[’']?s) dent",
      'kinderzahn',
      'pedodon',
      'odontopediatr',
      'odontoiatria pediatrica',
      'stomatologia dziecięca',
      'gyermekfog',
      'детская стомат',
      'дитяча стомат',
      '小児歯科',
      '소아치과',
    ),
  ],
  [
    'surgery',
    2,
    beginning(
      'oral surgery',
      '(?:tooth|teeth|dental) extraction',
      'wisdom t',
      'weisheitsz',
      'dents? de sagesse',
      'muelas? del juicio',
      'oralchirurg',
      'oralna kirurg',
      'chirurgia stomatolog',
      'удаление зуб',
      'хирургическая стомат',
      '口腔外科',
      '사랑니',
    ),
  ],
  ['surgery', 0, beginning('extraction')],
  [
    'crowns',
    0,
    beginning(
      'crowns?',
      'veneers?',
      'kronen',
      'couronnes? dentaires?',
      'facettes?',
      'carillas?',
      'facetas?',
      'faccette',
      'licówki',
      'korony',
      'krunice',
      'виниры',
      'вініри',
      'коронк',
    ),
  ],
]
