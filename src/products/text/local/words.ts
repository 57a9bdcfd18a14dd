/**
 * Breaks text into comparable words. Questions say "invoicing", knowledge says "invoices"; without a
 * common stem the two would never meet and every question would get the same answer.
 */

/** Lower-case words without diacritics, in order. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A rough English stem: "scheduling", "schedules" and "scheduled" become "schedul". */
export function stem(word: string): string {
  if (word.length < 4) return word
  let rest = word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
  rest = rest.replace(/isation/, 'ization').replace(/is(e|ing|ed)$/, 'iz$1')
  const ending = /(?:ization|ation|ing|ion|ed|ize|er|ment|al|ly|e)$/.exec(rest)
  if (ending && rest.length - ending[0].length >= 3) rest = rest.slice(0, -ending[0].length)
  return /([^aeiouls])\1$/.test(rest) ? rest.slice(0, -1) : rest
}

/** The stems that carry meaning: without grammar words and without what every question here asks for. */
export function stemsOf(text: string): readonly string[] {
  return wordsOf(text)
    .filter((word) => !grammar.has(word))
    .map(stem)
    .filter((each) => !everyday.has(each))
}

/** How many words of `phrases` occur in `text` as whole phrases, counted by `weigh` for each phrase found. */
export function phraseScore(
  text: string,
  phrases: readonly string[],
  weigh: (phrase: string) => number,
): number {
  const line = stemLine(text)
  const lines = stemLines(phrases)
  return phrases
    .filter((_phrase, index) => line.includes(lines[index] ?? ''))
    .reduce((sum, phrase) => sum + weigh(phrase), 0)
}

function stemLine(text: string): string {
  return ` ${wordsOf(text).map(stem).join(' ')} `
}

const knownLines = new WeakMap<readonly string[], readonly string[]>()

/** The knowledge's lists of phrases never change, and stemming them was most of a call's work. */
function stemLines(phrases: readonly string[]): readonly string[] {
  const known = knownLines.get(phrases) ?? phrases.map(stemLine)
  knownLines.set(phrases, known)
  return known
}

/** Longer phrases say more: "property manager" outweighs "manager" four to one. */
export function phraseWeight(phrase: string): number {
  return wordsOf(phrase).length ** 2
}

const grammar = new Set(
  wordsOf(`a about above after again all also am an and any are as at be been before being but by can could did do
    does doing don down each few for from further get give gives go had has have having he help helps her here him his
    how however i if in into is it its just keep let like make makes many may me might more most much must my need
    needs no nor not now of off on once one only or other our out over own per please put s same she should so some
    such t take takes than that the their them then there these they thing things this those through to too two under
    until up us use used using very want was way ways we well were what when where which while who whom why will with
    without would you your`),
)

const everyday = new Set(
  wordsOf(`automate automated automation ai tool tools software business businesses company companies improve better best
    good great time save saving savings hours reduce reducing cost costs work working works team teams process
    processes start starting begin first quick quickly easy easily important idea ideas tip tips guide strategy
    strategies benefit benefits future year years today month week day small large big new top success successful
    manage managing handle handling digital modern increase practical know knows knowing understand think speed fast faster slow people`).map(
    stem,
  ),
)

/**
 * The item whose text shares most stems with `wanted`, provided it shares `least` of them. Of equals
 * the first wins.
 */
export function closest<Item>(
  items: readonly Item[],
  wanted: string,
  textOf: (item: Item) => string,
  least = 1,
): Item | undefined {
  const stems = new Set(stemsOf(wanted))
  const scored = items.map((item) => ({
    item,
    shared: new Set(stemsOf(textOf(item)).filter((each) => stems.has(each))).size,
  }))
  return scored.filter(({ shared }) => shared >= least).toSorted((a, b) => b.shared - a.shared)[0]?.item
}
