import { parseSrcset } from 'srcset'

/** Reads the lists in which a page offers one picture in several sizes: `srcset="s.jpg 400w, l.jpg 1200w"`. */

/** The one that a screen of usual size and sharpness gets. Where `srcset` names widths, `src` is for old browsers. */
export function chosenOf(srcset: string, src: string): string {
  const files = candidatesOf(srcset).filter(({ address }) => isFile(address))
  const wide = files.filter(({ width }) => width > 0).toSorted((one, other) => one.width - other.width)
  if (wide.length > 0) return (wide.find(({ width }) => width >= usualWidth) ?? wide.at(-1))?.address ?? ''
  const plain = files.find(({ density }) => density === 1)
  return plain?.address ?? (src || (files[0]?.address ?? ''))
}

const usualWidth = 1_000

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
