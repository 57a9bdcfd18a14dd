import { absolute } from '../addresses.ts'
import { withoutCode } from './markdown-code.ts'

/** The addresses in `[name](address)` of a Markdown text, absolute and without repetitions; at most 1,000. */
export function markdownLinks(markdown: string, base: string): string[] {
  const addresses = new Set<string>()
  for (const [, address] of withoutCode(markdown).matchAll(/\]\(\s{0,10}<?([^\s<>()]{1,2000})/g)) {
    const url = address && absolute(address, base)
    if (url) addresses.add(url)
    if (addresses.size === maxAddresses) break
  }
  return [...addresses]
}

const maxAddresses = 1_000
