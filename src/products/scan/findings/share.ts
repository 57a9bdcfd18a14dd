import { type Evidence, fail, type Outcome, pass, warn } from './check.ts'

/**
 * The verdict on a thing that should hold everywhere: everywhere passes, on 60 % or more is a warning. One
 * rule for all such checks, in whole numbers, so that 3 of 5 is never lost to the rounding of 0.6.
 */
export function judgeShare(
  good: number,
  all: number,
  texts: { readonly reason: string; readonly fix: string },
  evidence: readonly Evidence[],
): Outcome {
  const quoted = evidence.slice(0, 5)
  if (good === all) return pass(texts.reason, ...quoted)
  return (isMost(good, all) ? warn : fail)(texts.reason, texts.fix, ...quoted)
}

/** 60 % or more. */
export function isMost(good: number, all: number): boolean {
  return good * 100 >= all * 60
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
