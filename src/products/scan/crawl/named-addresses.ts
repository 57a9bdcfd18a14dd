import { z } from 'zod'
import { absolute } from '../site/addresses.ts'
import type { Exchange, SiteReply } from '../site/capture.ts'

/** The address of the first skill that a skills index names. */
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
