/**
 * Makes texts comparable by their word stems. A question says "invoicing" and the knowledge base says "invoices";
 * without a common stem no question would match, and all would get the same answer.
 */

/** Splits text into lower-case words without diacritics, in order. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns a rough English stem: "scheduling", "schedules" and "scheduled" become "schedul". */
export function stem(word: string): string {
  if (word.length < 4) return word
  let rest = word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
  rest = rest.replace(/isation/, 'ization').replace(/is(e|ing|ed)$/, 'iz$1')
  const ending = /(?:ization|ation|ing|ion|ed|ize|er|ment|al|ly|e)$/.exec(rest)
  if (ending && rest.length - ending[0].length >= 3) rest = rest.slice(0, -ending[0].length)
  return /([^aeiouls])\1$/.test(rest) ? rest.slice(0, -1) : rest
}

/** Returns the stems of a text without grammar words and without words that most questions here contain. */
export function stemsOf(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => !grammarWords.has(word))
    .map(stem)
    .filter((each) => !commonStems.has(each))
}

/** A phrase to look for, stemmed once at load: one call compares its text with some 600 aliases of industries. */
export interface WeightedPhrase {
  readonly stems: string
  readonly weight: number
}

export function weighPhrases(
  phrases: readonly string[],
  weigh: (phrase: string) => number = () => 1,
): readonly WeightedPhrase[] {
  return phrases.map((phrase) => ({ stems: stemLine(phrase), weight: weigh(phrase) }))
}

/** Adds up the weights of the phrases that occur in the text as whole words. */
export function phraseScore(text: string, phrases: readonly WeightedPhrase[]): number {
  const line = stemLine(text)
  return phrases.filter(({ stems }) => line.includes(stems)).reduce((sum, { weight }) => sum + weight, 0)
}

function stemLine(text: string): string {
  return ` ${wordsOf(text).map(stem).join(' ')} `
}

/** Weighs a phrase by the square of its words: "property manager" counts four times as much as "manager". */
export function phraseWeight(phrase: string): number {
  return wordsOf(phrase).length ** 2
}

const grammarWords = new Set(
  wordsOf(`a about above after again all also am an and any are as at be been before being but by can could did do
    does doing don down each few for from further get give gives go goes going gone went had has have having he help helps her here him his
    how however i if in into is it its just keep let like make makes many may me might more most much must my need
    becomes become becoming needs no nor not now of off on once one only or other our out over own per please put s same she should so some
    such t take takes than that the their them then there these they thing things this those through to too two under
    until up us use used using very want was way ways we well were what when where which while who whom why will with
    without would you your`),
)

const commonStems = new Set(
  wordsOf(`automate automated automation ai tool tools software business businesses company companies improve better best
    good great time save saving savings hours reduce reducing cost costs work working works team teams process
    processes start starting begin first quick quickly easy easily important idea ideas tip tips guide strategy
    strategies benefit benefits future year years today month week day small large big new top success successful
    manage managing handle handling digital modern increase practical know knows knowing understand think speed fast faster slow people`).map(
    stem,
  ),
)

/**
 * Finds the item whose text shares most stems with `wanted`; of equals, the first.
 * @param minShared fewer shared stems do not count.
 */
export function findClosest<Item>(
  items: readonly Item[],
  wanted: string,
  textOf: (item: Item) => string,
  minShared = 1,
): Item | undefined {
  const stems = new Set(stemsOf(wanted))
  const scored = items.map((item) => ({
    item,
    shared: new Set(stemsOf(textOf(item)).filter((each) => stems.has(each))).size,
  }))
  return scored.filter(({ shared }) => shared >= minShared).toSorted((a, b) => b.shared - a.shared)[0]?.item
}
