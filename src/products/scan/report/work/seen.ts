import { pageNamedIn } from '../blocks/snippets/hand-on-block.ts'
import type { Issue } from '../scoring.ts'

type Place = Issue['evidence'][number]

/** What an issue was seen by. */
export type Seen = Pick<Issue, 'check' | 'fix' | 'evidence' | 'work'>

/** Checks that quote several facts of which some may be right. */
const mixed: ReadonlySet<string> = new Set([
  'accountability',
  'brand-name',
  'legal',
  'nap',
  'sitemap-quality',
  'title-desc',
])

/** The places that show the fault, without those where all is well. */
export function faultyPlaces(issue: Seen): Place[] {
  const faulty = byFault(issue).filter(({ value }) => !praise.test(value))
  return faulty.length === 0 ? [...issue.evidence] : faulty
}

/**
 * Puts the evidence that shows the fault first. A check also quotes what agrees, such as a title of the right length
 * beside a description that is too long. Shown alone, that would prove the opposite of the step.
 */
function byFault({ check, fix, evidence }: Seen): Place[] {
  if (!mixed.has(check)) return [...evidence]
  const asked = new Set(wordsOf(fix))
  return evidence.toSorted((one, other) => weightOf(other, asked) - weightOf(one, asked))
}

/** Something of which all is well, or that two places say alike. */
const praise =
  /^(\d+) of \1 .* answer 200|^(\d+) of \2 links answered|^status 200$|on the page and in the JSON-LD:|: has "|^general contact:|^first line: #/

function weightOf({ value }: Place, asked: ReadonlySet<string>): number {
  if (praise.test(value)) return -1
  return wordsOf(value.replace(/"[^"]*"|:.*$/g, '')).filter((word) => asked.has(word)).length
}

function wordsOf(text: string): string[] {
  return (
    text
      .replace(/https?:\/\/\S+/g, '')
      .toLowerCase()
      .match(/[\p{L}_]{4,}/gu) ?? []
  )
}

/** Where the fix has to be repeated, the places that were quoted, so that no reader has to look for them. */
export function everySeen(issue: Seen): string {
  const places = faultyPlaces(issue)
  const shown = places.slice(0, maxPlaces).map(({ url, value }) => `${url}: ${value}`)
  return [...shown, ...(places.length > maxPlaces ? [`and ${places.length - maxPlaces} more`] : [])].join(
    '; ',
  )
}

const maxPlaces = 5

/**
 * The evidence of up to three findings: "https://example.com/: no WebSite node". It is that of a page of the block, else
 * of the page that the fix names, because evidence of another page proves nothing to the reader. Two values that
 * contradict each other are shown together.
 */
export function seenIn(issues: readonly Issue[], pages: ReadonlySet<string> = new Set()): string {
  const byPlace = new Map<string, Set<string>>()
  for (const issue of issues.slice(0, 3)) {
    const places = faultyPlaces(issue)
    const named = new Set(issue.fix.split(/[\s,;]+/).map((word) => word.replace(/[.:]$/, '')))
    const first =
      places.find(({ url }) => pages.has(url)) ?? places.find(({ url }) => named.has(url)) ?? places[0]
    if (first === undefined) continue
    const other = places.find((place) => contradicts(first, place))
    const values = byPlace.get(first.url) ?? new Set()
    for (const { value } of other === undefined ? [first] : [first, other]) values.add(value)
    byPlace.set(first.url, values)
  }
  return [...byPlace].map(([url, values]) => `${url}: ${[...values].join('; ')}`).join('. ')
}

/** "street address in the JSON-LD: …" and "street address on the page: …". */
function contradicts(one: Place, other: Place): boolean {
  const subject = ({ value }: Place) => /^(.+) (?:in the JSON-LD|on the page): /.exec(value)?.[1]
  return (
    one !== other && one.url === other.url && subject(one) !== undefined && subject(one) === subject(other)
  )
}

/** Every place where the fix has to be repeated, else the first. */
export function allSeen(issue: Issue): string {
  return / Do the same |\d more(?:,|\.| )|Make the others|Do so on/.test(issue.fix)
    ? everySeen(issue)
    : seenIn([issue])
}

/** The page that the fix names and the evidence quotes, else the first that either has. */
export function placeOf(issue: Issue): string {
  const quoted = new Set(issue.evidence.map(({ url }) => url))
  const named = issue.fix.match(/https?:\/\/[^\s,;]*[^\s,;.:]/g) ?? []
  return (
    named.find((url) => quoted.has(url)) ??
    pageNamedIn(issue.fix) ??
    faultyPlaces(issue)[0]?.url ??
    'the page'
  )
}
