import { z } from 'zod'
import type { CatalogParts } from './faults.ts'
import { allowance } from './limits.ts'
import { charges, routed } from './operation-schema.ts'
import { price } from './prices.ts'
import { tier } from './tier-schema.ts'
import { upstream } from './upstreams.ts'

/**
 * Reads what contradictions are looked for in, from a catalog that may be faulty elsewhere. An entry that is
 * faulty in one of these keys is left out: what its own fault causes is not reported a second time. Where a call
 * leads is read for itself: a misspelt upstream must not stay hidden behind a price that only its preset would have
 * completed.
 */
export function partsOf(written: unknown): CatalogParts {
  return {
    upstreams: soundEntries(written, 'upstreams', place),
    operations: soundEntries(written, 'operations', entry),
    routes: soundEntries(written, 'operations', z.object(routed)),
    tiers: soundEntries(written, 'tiers', z.object({ operations: tier.shape.operations })),
    names: { upstreams: namesIn(written, 'upstreams'), operations: namesIn(written, 'operations') },
  }
}

const { prefix, host, targets, private: isPrivate } = upstream.shape

const place = z.object({ prefix, host, targets, private: isPrivate })

const entry = z.object({ ...routed, ...charges, price: price.optional(), free: allowance.optional() })

/** The entries of a part of the file that fit, by their name. */
export function soundEntries<Entry>(
  written: unknown,
  part: 'upstreams' | 'operations' | 'tiers',
  schema: z.ZodType<Entry>,
): Record<string, Entry> {
  const entries = entriesIn(written, part).flatMap(([name, value]) => {
    const { success, data } = schema.safeParse(value)
    return success ? [[name, data] as const] : []
  })
  return Object.fromEntries(entries)
}

function namesIn(written: unknown, part: 'upstreams' | 'operations'): string[] {
  return entriesIn(written, part).map(([name]) => name)
}

const anyRecord = z.record(z.string(), z.unknown())

function entriesIn(written: unknown, part: string): [string, unknown][] {
  const whole = anyRecord.safeParse(written)
  return Object.entries(anyRecord.safeParse(whole.data?.[part]).data ?? {})
}
