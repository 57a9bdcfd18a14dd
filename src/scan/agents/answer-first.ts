import { shown } from '../addresses.ts'
import { fail, notApplicable, type Outcome, pass } from '../check.ts'
import { firstParagraph } from '../main-part.ts'
import type { Page } from '../site.ts'
import { countWords, wordsOf } from '../words.ts'
import { counted } from './share.ts'

/**
 * Whether the first paragraph after the main heading says what this is: of a length that can be quoted, and
 * with a defining verb. A slogan there leaves the model to put the sentence together itself.
 */
export function judgeAnswerFirst(home: Page): Outcome {
  const language = home.language ?? 'en'
  const speech = speeches.get(language)
  if (speech === undefined) {
    return notApplicable(
      `Defining sentences in the language "${shown(language, 20)}" are not known to this check.`,
    )
  }
  const paragraph = firstParagraph(home)
  const fix = `Begin ${shown(home.url)} with a paragraph of 20 to 90 words right after the h1: who you are, what you offer, for whom.`
  if (paragraph === undefined) {
    return fail('No paragraph follows the main heading, so the page never says plainly what it is.', fix, {
      url: home.url,
      value: 'no p element after the h1',
    })
  }
  const words = countWords(paragraph)
  const seen = { url: home.url, value: `${counted(words, 'word')}: "${shown(paragraph, 150)}"` }
  const isFit = words >= 20 && words <= 90
  const isDefining = defines(paragraph, speech)
  if (isFit && isDefining)
    return pass('The first paragraph says what this is, in a length that can be quoted.', seen)
  const faults = [
    ...(isFit ? [] : [`has ${counted(words, 'word')} (20 to 90 can be quoted)`]),
    ...(isDefining ? [] : ['has no defining verb such as "is a", "offers" or "helps"']),
  ]
  return fail(
    `The first paragraph ${faults.join(' and ')}, so engines must guess what the page is about.`,
    fix,
    seen,
  )
}

interface Speech {
  /** They define only with one of the determiners behind them: "is a shop", not "is open". */
  readonly copulas: ReadonlySet<string>
  readonly determiners: ReadonlySet<string>
  /** They define with anything behind them: "repairs bicycles". */
  readonly verbs: ReadonlySet<string>
}

function defines(paragraph: string, { copulas, determiners, verbs }: Speech): boolean {
  const words = wordsOf(paragraph)
  return words.some((word, at) => {
    const next = words[at + 1]
    if (next === undefined) return false
    if (copulas.has(word)) return determiners.has(next) && words[at + 2] !== undefined
    return verbs.has(word)
  })
}

function speech(copulas: string, determiners: string, verbs: string): Speech {
  const set = (text: string) => new Set(text.split(' '))
  return { copulas: set(copulas), determiners: set(determiners), verbs: set(verbs) }
}

const speeches: ReadonlyMap<string, Speech> = new Map([
  [
    'en',
    speech(
      "is are am i'm we're it's",
      'a an the your our one this where what how',
      'provides provide offers offer helps help makes make builds build sells sell delivers deliver designs design ' +
        'creates create supplies supply repairs repair treats treat teaches teach develops develop runs run ' +
        'produces produce connects connect publishes publish serves serve lets',
    ),
  ],
  [
    'de',
    speech(
      'ist sind bin',
      'ein eine der die das dein deine ihr ihre euer eure unser unsere',
      'bietet bieten hilft helfen macht machen baut bauen verkauft verkaufen liefert liefern entwickelt entwickeln ' +
        'gestaltet gestalten repariert reparieren behandelt behandeln produziert produzieren betreibt betreiben',
    ),
  ],
  [
    'fr',
    speech(
      "est sommes sont suis c'est",
      'un une le la les votre notre vos nos des',
      'propose proposons offre offrons aide aidons fabrique fabriquons vend vendons fournit fournissons conçoit ' +
        'concevons développe développons répare réparons crée créons produit produisons',
    ),
  ],
  [
    'es',
    speech(
      'es somos son soy',
      'un una el la los las tu su nuestro nuestra',
      'ofrece ofrecemos ayuda ayudamos fabrica fabricamos vende vendemos proporciona proporcionamos crea creamos ' +
        'diseña diseñamos desarrolla desarrollamos repara reparamos produce producimos',
    ),
  ],
  [
    'it',
    speech(
      'è siamo sono',
      'un una uno il la lo i gli le',
      'offre offriamo aiuta aiutiamo produce produciamo vende vendiamo fornisce forniamo propone proponiamo crea ' +
        'creiamo progetta progettiamo sviluppa sviluppiamo ripara ripariamo',
    ),
  ],
  [
    'nl',
    speech(
      'is zijn ben',
      'een de het uw je jouw ons onze',
      'biedt bieden helpt helpen maakt maken verkoopt verkopen levert leveren ontwerpt ontwerpen ontwikkelt ' +
        'ontwikkelen bouwt bouwen repareert repareren',
    ),
  ],
  [
    'pt',
    speech(
      'é somos são sou',
      'um uma o a os as seu sua nosso nossa',
      'oferece oferecemos ajuda ajudamos fabrica fabricamos vende vendemos fornece fornecemos cria criamos ' +
        'desenvolve desenvolvemos produz produzimos repara reparamos',
    ),
  ],
])
