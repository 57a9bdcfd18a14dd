import { pathOf } from '../../site/addresses.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * Whether the headings and links of a page name treatments of dentists: four different ones are a list that no other trade
 * has. A practice may be called "Lind & Nord", and say nowhere in its title what it is.
 * @param others further pages, whose titles and addresses name treatments, too
 */
export function offersDentalTreatments(
  { headings, links, description, $ }: Page,
  others: readonly Page[] = [],
): boolean {
  const words = [
    ...others
      .slice(0, 30)
      .map(({ title, url }) => `${title.slice(0, 200)} | ${pathOf(url).replace(/[-_/.]/g, ' ')}`),
    ...headings.slice(0, 60).map(({ text }) => text.slice(0, 120)),
    ...links.slice(0, 300).map(({ text }) => text.slice(0, 80)),
    // A slogan in large letters may be no heading in the code.
    ...$('body p')
      .toArray()
      .slice(0, 3)
      .map((element) => textWithin([element]).slice(0, 200)),
    description.slice(0, 300),
  ].join(' | ')
  const named = treatments.filter((treatment) => treatment.test(words)).length
  return named + (trade.test(words) ? tradeCounts : 0) >= minTreatments
}

const minTreatments = 4
/** The trade itself, beside two treatments. A hospital or a news site names it once, and no treatment. */
const tradeCounts = 2

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

const treatments: readonly RegExp[] = [
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
  beginning(
    'orthodon',
    'ortodon',
    'kieferorthop',
    'kfo(?!\\p{L})',
    'invisalign',
    'clear aligners?',
    'tandreglering',
    'fogszabályozás',
    'ортодон',
    '(?:歯列)?矯正',
    '교정',
    '正畸',
  ),
  beginning('zahnimplantat', 'implant', 'имплант', 'インプラント', '임플란트', '种植牙'),
  beginning(
    'whitening',
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
    'отбелив',
    'відбілюв',
    'ホワイトニング',
    '미백',
  ),
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
  beginning('periodon', 'parodon', 'gum (?:disease|treatment|care)', 'пародонт', '歯周', '잇몸'),
  beginning(
    'fillings?',
    'caries',
    'karies',
    'zahnfüllung',
    'obturaci',
    'otturazion',
    'plomb',
    'dolgu',
    'кариес',
    'карієс',
    '[虫むし]し?歯',
    '충치',
  ),
  beginning(
    'dental (?:hygien|cleaning)',
    'teeth cleaning',
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
    'гигиен',
    'гігієн',
    '予防歯科',
    '스케일링',
  ),
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
  beginning(
    'oral surgery',
    'extraction',
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
]
