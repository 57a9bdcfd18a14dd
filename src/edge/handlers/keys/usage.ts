import type { z } from 'zod'
import { type Catalog, findTier } from '../../../core/catalog/catalog.ts'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { json } from '../../../core/reply.ts'
import { findKey } from '../../../doors/keys/keys.ts'
import type { Counters } from '../../../doors/quota/counters/counters.ts'
import type { Books } from '../../../platform/store/books.ts'
import { noStore, orKeysUnavailable } from './key-fields.ts'
import { operationsUsed } from './operations-used.ts'
import { keyUsageSchema } from './replies.ts'

export interface KeyUsageParts {
  readonly books: Books
  readonly counters: Pick<Counters, 'used'>
  /** Read at each call: the catalog can change while the gateway runs. */
  readonly catalog: () => Catalog
}

/** GET /api/keys/usage: what a key has used today and this month, by operation, and what is left. */
export const keyUsageRows = {
  getKeyUsage: {
    ...noInput,
    method: 'GET',
    path: '/api/keys/usage',
    response: keyUsageSchema,
    docs: {
      summary: 'Read what your key has used',
      details: 'By operation, with what is left and when the count begins anew.',
      tag: 'keys',
      errors: ['QUOTAS_UNAVAILABLE'],
      example: {
        reply: {
          keyId: 'aB3dE6gH9jK2mN5p',
          tier: 'trial',
          label: '',
          expiresAt: 1_778_241_600,
          rate: { calls: 30, seconds: 60 },
          operations: [],
        },
      },
    },
  },
} satisfies EndpointRows

export function keyUsageHandlers({ books, counters, catalog }: KeyUsageParts): Handlers<typeof keyUsageRows> {
  return {
    async getKeyUsage(_input, { holder }) {
      if (!holder) throw new Error('the usage of a key was asked for without one')
      const { keyId } = holder
      const key = keyId === undefined ? undefined : await orKeysUnavailable(findKey(books, keyId))
      const tier = findTier(catalog().tiers, holder.tier)
      const usage: z.infer<typeof keyUsageSchema> = {
        keyId: key?.id ?? null,
        tier: holder.tier,
        label: key?.label ?? '',
        expiresAt: key?.expiresAt ? unixSeconds(key.expiresAt) : null,
        rate: tier?.rate ?? null,
        operations: await operationsUsed(counters, catalog(), holder, books.clock.now()),
      }
      return json(200, usage, noStore)
    },
  }
}
