import { z } from 'zod'
import { absolute } from '../site/addresses.ts'
import type { Exchange, SiteReply } from '../site/capture.ts'
import { withoutCode } from '../site/files/markdown-code.ts'

/** Addresses that documents for agents name: the first skill of a skills index, and the links of llms.txt. */

export function firstSkill(exchanges: readonly Exchange[]): string | undefined {
  const index = exchanges.find(
    (exchange): exchange is SiteReply =>
      exchange.outcome === 'replied' &&
      exchange.purpose === 'well-known' &&
      exchange.url.endsWith('/.well-known/agent-skills/index.json'),
  )
  if (index?.status !== 200) return undefined
  const parsed = skillsIndex.safeParse(readJson(index.body))
  return parsed.success ? absolute(parsed.data.skills[0]?.url ?? '', index.finalUrl) : undefined
}

const skillsIndex = z.object({ skills: z.array(z.object({ url: z.string() })).min(1) })

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The checks report that it is not JSON. Here it only means that it names no address.
    return undefined
  }
}

/** The addresses in `[name](address)` of llms.txt, without repetitions. */
export function markdownLinks(llms: SiteReply | undefined): string[] {
  if (llms?.status !== 200) return []
  const addresses = new Set<string>()
  for (const [, address] of withoutCode(llms.body).matchAll(/\]\(\s{0,10}<?([^\s<>()]{1,2000})/g)) {
    const url = address && absolute(address, llms.finalUrl)
    if (url) addresses.add(url)
    if (addresses.size === maxAddresses) break
  }
  return [...addresses]
}

const maxAddresses = 1_000
