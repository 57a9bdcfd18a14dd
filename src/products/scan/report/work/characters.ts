import type { Finding } from '../../findings/check.ts'

/**
 * Says lengths in characters to those who write Chinese, Japanese or Thai. Their scripts part no words, so an owner cannot
 * count 300 of them, and every editor counts characters.
 */
export function inCharacters(text: string, language: string | undefined): string {
  const size = unitsPerWord(language)
  if (size === 1) return text
  const many = (count: string) => {
    const characters = Number(count) * size
    return String(characters < 10 ? Math.round(characters) : Math.round(characters / 10) * 10)
  }
  return text
    .replace(
      /so that it has at least (\d+)(?=\.)/g,
      (_, count: string) => `so that it has about ${many(count)}`,
    )
    .replace(
      /(?<=\b(?:Write|and|,) )(\d+) more(?= on https?:)/g,
      (_, count: string) => `about ${many(count)} more`,
    )
    .replace(
      /(\d+) to (\d+) words/g,
      (_, from: string, to: string) => `about ${many(from)} to ${many(to)} characters`,
    )
    .replace(
      /(?<!\d)(\d+)( more)? words?\b/g,
      (_, count: string, more = '') => `about ${many(count)}${more} characters`,
    )
    .replace(/(?<=^|[.!?] )about(?= \d)/g, 'About')
}

/** Findings with their lengths in characters. */
export function findingsInCharacters(
  findings: readonly Finding[],
  language: string | undefined,
): readonly Finding[] {
  if (unitsPerWord(language) === 1) return findings
  const said = (text: string) => inCharacters(text, language)
  return findings.map((finding): Finding => {
    const reason = said(finding.reason)
    if (!('evidence' in finding)) return { ...finding, reason }
    const evidence = finding.evidence.map((seen) => ({ ...seen, value: said(seen.value) }))
    return 'fix' in finding
      ? { ...finding, reason, evidence, fix: said(finding.fix) }
      : { ...finding, reason, evidence }
  })
}

/** How many characters stand for a word, or 1 where words are counted. */
function unitsPerWord(language: string | undefined): number {
  return perWord[language ?? ''] ?? 1
}

/** As texts have them on average. */
const perWord: Readonly<Record<string, number>> = { ja: 2.2, zh: 2, th: 5 }
