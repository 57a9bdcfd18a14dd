import { parseSrcset } from 'srcset'

/** Reads the lists in which a page offers one picture in several sizes: `srcset="s.jpg 400w, l.jpg 1200w"`. */

/**
 * The one that a screen of usual size and sharpness gets, or all where that is not certain. Where `srcset` names widths,
 * `src` is for old browsers.
 */
export function choicesOf(srcset: string, src: string, sizes: string): readonly string[] {
  const files = candidatesOf(srcset).filter(({ address }) => isFile(address))
  // A browser passes over "a.jpg 800", and the library takes it for a.jpg.
  if (/\s\d[\d.]*\s*(?:,|$)/.test(srcset.slice(0, maxCharacters)))
    return [src, ...files.map(({ address }) => address)]
  const wide = files.filter(({ width }) => width > 0).toSorted((one, other) => one.width - other.width)
  const widest = wide.at(-1)
  if (widest !== undefined) {
    const space = spaceOf(sizes)
    if (space === 'whole') return [(wide.find(({ width }) => width >= usualWidth) ?? widest).address]
    // Of two that are too small and too large, browsers choose in different ways.
    const right =
      wide.find(({ width }) => width === space) ?? (widest.width < (space ?? 0) ? widest : undefined)
    return right === undefined ? wide.map(({ address }) => address) : [right.address]
  }
  const plain = files.find(({ density }) => density === 1)
  return [plain?.address ?? (src || (files[0]?.address ?? ''))]
}

const usualWidth = 1_000

/**
 * How much of a usual screen a picture has by `sizes`: its whole width, or so many pixels. undefined where that takes more
 * than a list such as `(max-width: 300px) 100vw, 300px`.
 */
function spaceOf(sizes: string): 'whole' | number | undefined {
  if (sizes.trim() === '') return 'whole'
  for (const part of sizes.slice(0, maxCharacters).split(',')) {
    const [, limit, length = ''] =
      /^\s*(?:\(\s*max-width\s*:\s*(\d{1,5})px\s*\)\s*)?(100vw|\d{1,5}px)\s*$/i.exec(part) ?? []
    if (length === '') return undefined
    if (limit === undefined || Number(limit) >= usualWidth)
      return /vw$/i.test(length) ? 'whole' : Number.parseInt(length, 10)
  }
  return undefined
}

interface Candidate {
  readonly address: string
  /** In pixels; 0 where none is said. */
  readonly width: number
  /** Pixels of the picture for each of the page; 1 where none is said. */
  readonly density: number
}

/** As browsers read it: an address goes up to a blank and may hold commas, as `/w_400,h_300/front.jpg 400w`. */
export function candidatesOf(srcset: string): readonly Candidate[] {
  // Line breaks between the candidates are blanks, and the library joins what stands before and behind the first.
  const list = parseSrcset(srcset.slice(0, maxCharacters).replace(/\s+/g, ' '))
  // A list that was cut ends within an address.
  return (srcset.length > maxCharacters ? list.slice(0, -1) : list).flatMap(
    ({ url, width = 0, density = width > 0 ? 0 : 1 }) =>
      url === '' ? [] : [{ address: url, width, density }],
  )
}

/** The library looks at a list of blanks and commas once for each of them. */
const maxCharacters = 4_000

/** Whether it is an address of a file, and not the picture itself. */
export function isFile(address: string): boolean {
  return address.trim() !== '' && !/^\s*(?:data|blob|about|javascript):/i.test(address)
}
