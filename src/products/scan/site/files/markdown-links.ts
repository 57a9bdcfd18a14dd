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

/** The addresses that stand in a Markdown text as they are; at most 1,000. */
export function bareAddresses(markdown: string): string[] {
  return Array.from(
    withoutCode(markdown).matchAll(/(?<![(<"'=])https?:\/\/[^\s<>()"'`\]]{3,500}/g),
    ([address]) => address.replace(/[.,;:!?]{1,5}$/, ''),
  )
    .filter((address) => URL.canParse(address))
    .slice(0, maxAddresses)
}

const maxAddresses = 1_000
