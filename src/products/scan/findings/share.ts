import { type Evidence, fail, type Outcome, pass, warn } from './check.ts'

/**
 * Judges a property that every item should have: all of them pass, 60 % or more is a warning, fewer fail.
 * Whole numbers decide, so that rounding 0.6 cannot change the verdict on 3 of 5.
 */
export function judgeShare(
  good: number,
  all: number,
  texts: { readonly reason: string; readonly fix: string },
  evidence: readonly Evidence[],
): Outcome {
  if (good === all) return pass(texts.reason, ...evidence.slice(0, 5))
  const quoted = evidence.slice(0, maxPlaces)
  return (isMost(good, all) ? warn : fail)(texts.reason, texts.fix, ...quoted)
}

/** So many places of a fault are listed. Who mends it must not have to search for them. */
export const maxPlaces = 60

/** 60 % or more. */
export function isMost(good: number, all: number): boolean {
  return good * 100 >= all * 60
}

/** How many more have to be good until most are. */
export function missingToMost(good: number, all: number): number {
  return Math.ceil((all * 60) / 100) - good
}

/** How many to mend: up to five are all mended; of more, as many as make most of them good. */
export function toMend(good: number, all: number): number {
  return all - good <= 5 ? all - good : missingToMost(good, all)
}

/**
 * Follows a fix that names one page. Its gain is that of a pass, which may take more pages.
 * @param needed how many have to be mended, with the one that is named.
 */
export function andOthers(needed: number): string {
  return needed < 2 ? '' : ` Do the same on ${further(needed - 1, 'such page')}.`
}

/** Follows a fix that names one thing on a page, where others lack the same. */
export function andTheRest(others: number, noun: string, plural?: string): string {
  return others < 1 ? '' : ` Do the same with ${further(others, noun, plural)}.`
}

/** "another page", "3 more pages". */
export function further(count: number, noun: string, plural = `${noun}s`): string {
  return count === 1 ? `another ${noun}` : `${count} more ${plural}`
}

/**
 * How many words a text is asked for: those that it lacks and 5 % more, in full tens. An owner does not count to the word, and
 * a line that is counted today may belong to the menu tomorrow.
 */
export function wordsToAdd(missing: number): number {
  return Math.max(20, Math.ceil((missing * 1.05) / 10) * 10)
}

/** "1 page", "3 pages", "2 addresses". */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

/** "3 of 5 pages have", "1 of 5 pages has", "0 of 1 page has". */
export function portion(good: number, all: number, noun: string, one: string, several: string): string {
  return `${good} of ${counted(all, noun)} ${good === 1 || all === 1 ? one : several}`
}

/** "A", "A and B", "A, B and C". */
export function listed(words: readonly string[]): string {
  const [last, ...before] = [...words].reverse()
  if (last === undefined) return ''
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`
}
