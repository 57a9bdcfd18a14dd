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
    const setting = nearestName(name, settings)
    return setting === undefined || given.includes(setting) ? [] : [{ given: name, setting }]
  })
}

/** The name that `name` is most likely a misspelling of; undefined when it resembles none. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const folded = fold(name)
  const [best] = names
    .map((other) => ({ other, length: fold(other).length, edits: edits(folded, fold(other)) }))
    .filter(({ length, edits }) => edits <= allowedEdits(length))
    .sort((a, b) => a.edits - b.edits)
  return best?.other
}

/** Short names resemble too many others: HOST, PORT and MAIL are never suggested. */
function allowedEdits(length: number): number {
  if (length < 5) return -1
  if (length < 6) return 0
  return length < 10 ? 1 : 2
}

/** Without underscores, case, plural endings and our own name in front. */
function fold(name: string): string {
  return name
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word, index) => !(index === 0 && word === 'TOLLGATE'))
    .map((word) => word.replace(/IES$/, 'Y').replace(/S$/, ''))
    .join('')
}

/** The number of letters to insert, remove or replace to turn one text into the other (Levenshtein). */
export function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const swap = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
