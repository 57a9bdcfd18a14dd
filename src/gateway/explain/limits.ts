import type { Explanation } from '../../core/explanation.ts'
import type { Standing } from '../../doors/quota/door.ts'
import { reserved, type Use } from '../../doors/quota/use.ts'

/** The limits of an unknown caller: how much of them is used is unknown. */
export function limitsOfAnyone({ rate, allowances, meter }: Use): Standing[] {
  const unknown = { used: undefined, resetsAtMs: undefined }
  const quotas = allowances.map(({ per, limit, unit }) => {
    return { name: per, unit, units: reserved(unit, meter), limit, ...unknown }
  })
  return rate ? [{ name: 'rate', unit: 'calls', units: 1, limit: rate.calls, ...unknown }, ...quotas] : quotas
}

/** Whether the limit has too little left for one more call. */
export function isFull({ limit, used, units }: Standing): boolean {
  return used !== undefined && limit - used < units
}

export function showLimit({ name, unit, limit, used, resetsAtMs }: Standing): Explanation['limits'][number] {
  return {
    name,
    ...(unit !== 'calls' && { unit }),
    limit,
    ...(used !== undefined && { used, remaining: Math.max(limit - used, 0) }),
    ...(resetsAtMs !== undefined && { resetsAt: Math.ceil(resetsAtMs / 1000) }),
  }
}
