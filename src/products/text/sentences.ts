/**
 * Parts a text into its sentences. A sentence of a website that ends at "Dr." is sold as a quotation that says nothing, and
 * half of one in a block would be published as the owner's own words, so everything that parts texts does it here.
 */

/**
 * The dots in "3.5", "Dr. Lind", "e.g. this" and "J. Doe" end no sentence, and neither does one within a quotation. What
 * stands behind the last sentence is a part as well.
 */
export function sentencesIn(text: string): readonly string[] {
  const ends = [...sentenceEndsIn(text), text.length]
  return ends
    .map((end, place) => text.slice(ends[place - 1] ?? 0, end).trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

export function firstSentence(text: string): string {
  return sentencesIn(text)[0] ?? text
}

/** Where the sentences of a text end, each behind its closing mark. */
export function sentenceEndsIn(text: string): readonly number[] {
  const ends: number[] = []
  const isOpenAt = quotationsOf(text)
  for (const { 0: mark, index } of text.matchAll(closing)) {
    const end = index + mark.length
    if (!isOpenAt(end, ends.at(-1) ?? 0) && !goesOn(text, index, mark)) ends.push(end)
  }
  return ends
}

/** Behind a Chinese or Japanese mark no blank follows. */
const closing = /[.!?…।؟][.!?…"'”“’»)\]]{0,8}(?=\s|$)|[。！？]+[」』）”"]{0,2}/gu

/** Characters of a quotation that is kept whole. A sign that nothing closes would hold all that follows together. */
const maxQuote = 300

/** Returns a function that says whether a quotation is open at a place. Its places must ascend: the text is read once. */
function quotationsOf(text: string): (at: number, start: number) => boolean {
  const signs = text.matchAll(/["„“”«»]/g)
  const last = new Map<string, number>()
  let sign = signs.next().value
  let straight: number | undefined
  return (at, start) => {
    while (sign !== undefined && sign.index < at) {
      const { 0: written, index } = sign
      last.set(written, index)
      if (written === '"')
        straight = straight === undefined || index - straight > maxQuote ? index : undefined
      sign = signs.next().value
    }
    const from = Math.max(start, at - maxQuote)
    const placeOf = (written: string) => {
      const place = last.get(written) ?? -1
      return place < from ? -1 : place
    }
    // The sign “ opens a quotation in English, and closes one that „ has opened.
    const low = placeOf('„')
    const isCurlyOpen = low < 0 ? placeOf('“') > placeOf('”') : low > Math.max(placeOf('“'), placeOf('”'))
    return isCurlyOpen || placeOf('«') > placeOf('»') || (straight !== undefined && straight >= from)
  }
}

/** Whether the sentence goes on behind a mark. */
function goesOn(text: string, at: number, mark: string): boolean {
  const [next = ''] =
    /^\s*["'“„«(¿¡]{0,2}(\S{0,12})/u.exec(text.slice(at + mark.length, at + mark.length + 20))?.slice(1) ?? []
  const isLower = /^\p{Ll}/u.test(next)
  // "“Are you open?” they ask", "it takes 6… days"
  if (isLower && (/["'”“’»)\]]$/u.test(mark) || /…|\.\./.test(mark))) return true
  return mark === '.' && isAbbreviation(text.slice(Math.max(0, at - 14), at), next)
}

/** Whether a full stop belongs to the word before it. */
function isAbbreviation(before: string, next: string): boolean {
  const word = before.slice(before.search(/[^\s("'“„]*$/))
  const last = word.toLowerCase()
  if (beforeNames.has(last) && word !== 'ms') return true
  // "We were founded by Lind Ltd." is whole.
  if (next === '') return false
  const isCounted = /^\p{N}/u.test(next)
  return (
    withinSentences.has(last) ||
    // "J. Doe", "D.M.D.", "z. B."
    /^\p{L}(?:\.\p{L}){0,4}$/u.test(word) ||
    (last === 'etc' && /^\p{Ll}/u.test(next)) ||
    // "No. 5" and "Hauptstr. 5"; an answer may be "no."
    (isCounted && /^no$|\p{L}str$/u.test(last)) ||
    // "am 3. Mai"
    (/^\d{1,2}$/.test(last) && germanMonth.test(next))
  )
}

/** A name or an example has to follow. */
const beforeNames: ReadonlySet<string> = new Set(
  'dr dra mr mrs ms prof sr sra srta dott ing dipl e.g i.e z.b d.h u.a bzw inkl ca approx vs hab med dent mme mlle'.split(
    ' ',
  ),
)

const withinSentences: ReadonlySet<string> = new Set(
  'st ste str av ave blvd rd nr tel ul jr inc ltd corp co dept est fig vol a.k.a'.split(' '),
)

const germanMonth =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)/
