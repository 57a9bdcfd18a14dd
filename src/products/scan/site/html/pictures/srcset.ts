/** Reads the lists in which a page offers one picture in several sizes: `srcset="s.jpg 400w, l.jpg 1200w"`. */

/** The one that a screen of usual size and sharpness gets. Where `srcset` names widths, `src` is for old browsers. */
export function chosenOf(srcset: string, src: string): string {
  const files = candidatesOf(srcset).filter(({ address }) => isFile(address))
  const wide = files
    .filter(({ size }) => size.endsWith('w'))
    .toSorted((one, other) => Number.parseInt(one.size, 10) - Number.parseInt(other.size, 10))
  if (wide.length > 0)
    return (wide.find(({ size }) => Number.parseInt(size, 10) >= usualWidth) ?? wide.at(-1))?.address ?? ''
  const plain = files.find(({ size }) => size === '' || /^1(?:\.0+)?x$/.test(size))
  return plain?.address ?? (src || (files[0]?.address ?? ''))
}

const usualWidth = 1_000

interface Candidate {
  readonly address: string
  /** `800w`, `2x`; empty where none is said. */
  readonly size: string
}

/** As browsers read it: an address goes up to a blank and may hold commas, as `/w_400,h_300/front.jpg 400w`. */
function candidatesOf(srcset: string): Candidate[] {
  const found: Candidate[] = []
  let address = ''
  for (const word of srcset.slice(0, maxCharacters).split(/\s+/)) {
    let rest = word
    if (address !== '') {
      const end = word.indexOf(',')
      if (end === -1 && word !== '') {
        found.push({ address, size: word })
        address = ''
        continue
      }
      if (end > 0) found.push({ address, size: word.slice(0, end) })
      else if (end === 0) found.push({ address, size: '' })
      if (end >= 0) address = ''
      rest = end === -1 ? '' : word.slice(end + 1)
    }
    const start = rest.replace(/^,{1,9}/, '')
    if (start === '') continue
    if (!start.endsWith(',')) address = start
    else found.push({ address: start.replace(/,{1,9}$/, ''), size: '' })
  }
  // A list that was cut ends within an address.
  return address === '' || srcset.length > maxCharacters ? found : [...found, { address, size: '' }]
}

const maxCharacters = 4_000

/** Whether it is an address of a file, and not the picture itself. */
export function isFile(address: string): boolean {
  return address.trim() !== '' && !/^\s*(?:data|blob|about|javascript):/i.test(address)
}
