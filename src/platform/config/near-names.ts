/** Finds misspelt names of settings: without it the gateway would ignore such a variable without a word. */

/** A variable that is no setting, and the setting that it resembles. */
export interface Lookalike {
  readonly given: string
  readonly setting: string
}

/** Variables of other programs that resemble a setting of ours. */
const foreign = new Set(['CCACHE_DIR'])

/**
 * Finds the variables that resemble a setting that is not set. A setting that is set is not missed, and the
 * environment is full of variables of other programs.
 * @param given the names of all variables that have a value.
 * @param settings the names of all settings.
 */
export function findLookalikes(given: readonly string[], settings: readonly string[]): Lookalike[] {
  const known = new Set(settings)
  return given.flatMap((name) => {
    if (known.has(name) || foreign.has(name)) return []
    const setting = nearestName(name, settings) ?? nearestByWords(name, settings)
    return setting === undefined || given.includes(setting) ? [] : [{ given: name, setting }]
  })
}

/** The name that `name` is most likely a misspelling of; undefined when it resembles none. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const folded = fold(name)
  const [best] = names
    .map((other) => ({ other, length: fold(other).length, edits: edits(folded, fold(other)) }))
    .filter(({ other, length, edits }) => edits <= allowedEdits(length) || isSwapped(name, other))
    .sort((a, b) => a.edits - b.edits)
  return best?.other
}

/**
 * The name that lacks words of `name`, or has words more: MAX_GAS_PRICE for MAX_GAS_PRICE_GWEI. The first word must be
 * the same, because other programs put their own in front (ETH_RPC_URL), and one common word is too few.
 */
function nearestByWords(name: string, names: readonly string[]): string | undefined {
  const words = wordsOf(name)
  const [best] = names
    .map((other) => ({ other, words: wordsOf(other) }))
    .filter(({ words: others }) => words[0] === others[0] && Math.min(words.length, others.length) >= 2)
    .filter(({ words: others }) => isWithin(words, others) || isWithin(others, words))
    .sort((a, b) => Math.abs(a.words.length - words.length) - Math.abs(b.words.length - words.length))
  return best?.other
}

/** Whether `words` are among `others` in their order. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  let found = 0
  for (const other of others) if (other === words[found]) found += 1
  return found === words.length
}

/** Whether two letters that stand side by side have changed places, and nothing else differs. */
function isSwapped(name: string, other: string): boolean {
  const [one, two] = [name.toUpperCase(), other.toUpperCase()]
  return two.length > 4 && one.length === two.length && edits(one, two) === 1 && sorted(one) === sorted(two)
}

function sorted(text: string): string {
  return [...text].sort().join('')
}

/** Short names resemble too many others: HOST, PORT and MAIL are never suggested. */
function allowedEdits(length: number): number {
  if (length < 5) return -1
  if (length < 6) return 0
  return length < 10 ? 1 : 2
}

/** Without underscores, case, plural endings and our own name in front. */
function fold(name: string): string {
  return wordsOf(name).join('')
}

function wordsOf(name: string): string[] {
  return name
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word, index) => !(index === 0 && word === 'TOLLGATE'))
    .map((word) => word.replace(/IES$/, 'Y').replace(/S$/, ''))
}

/**
 * The number of edits that turn one text into the other: to insert, remove or replace a letter, or to swap two
 * neighbors (Damerau-Levenshtein, in which no letter is edited twice).
 */
export function edits(from: string, to: string): number {
  let last: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      const isSwap = i > 0 && j > 0 && letter === to[j - 1] && other === from[i - 1]
      const swapped = isSwap ? (last[j - 1] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    last = row
    row = next
  }
  return row.at(-1) ?? 0
}
