import { z } from 'zod'
import { type Catalog, findTier } from '../../../core/catalog/catalog.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import { json } from '../../../core/reply.ts'
import { keyStates } from '../../../doors/keys/key-state.ts'
import { type ApiKey, findKey, listKeys, subjectOfKey } from '../../../doors/keys/keys.ts'
import type { Counters } from '../../../doors/quota/counters/counters.ts'
import { isForgotten, oldestKept, periodOf } from '../../../doors/quota/counters/period.ts'
import { countedOf } from '../../../doors/quota/use.ts'
import type { Books } from '../../../platform/store/books.ts'
import { keyId, orKeysUnavailable, shortText } from '../keys/key-fields.ts'
import { operationsUsed } from '../keys/operations-used.ts'
import { operatorOperation, word } from './fields.ts'
import { describeKey } from './keys.ts'
import { exactTime, pageQuery, showPage } from './page.ts'
import { keysUsedSchema, shownUsageSchema } from './replies.ts'

export interface OperatorKeyUsageParts {
  readonly books: Books
  readonly counters: Pick<Counters, 'used'>
  /** Read at each call: the catalog can change while the gateway runs. */
  readonly currentCatalog: () => Catalog
}

const countedPeriod = z.union([z.iso.date(), z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)], {
  error: 'must be a day like 2026-05-31 or a month like 2026-05',
})

/** What API keys have used: of one key as its holder sees it, and of all keys in a day or month. */
export const keyUseRows = {
  showKeyUsage: {
    ...noInput,
    method: 'GET',
    path: '/operator/keys/{keyId}/usage',
    operation: operatorOperation('What one API key has used today and this month, and what is left.'),
    params: z.object({ keyId }),
    response: shownUsageSchema,
  },
  /** Days are kept for three days, months for thirteen months. */
  listKeyUsage: {
    ...noInput,
    method: 'GET',
    path: '/operator/usage/keys',
    operation: operatorOperation('What each API key has used in a day or month, the newest key first.'),
    query: pageQuery(z.tuple([exactTime, keyId]), {
      period: countedPeriod.optional(),
      tier: word.optional(),
      owner: shortText.optional(),
      state: z.enum(keyStates).optional(),
    }),
    response: keysUsedSchema,
  },
} satisfies EndpointRows

export function keyUseHandlers({
  books,
  counters,
  currentCatalog,
}: OperatorKeyUsageParts): Handlers<typeof keyUseRows> {
  return {
    async showKeyUsage({ params }) {
      const key = await findKey(books, params.keyId)
      if (!key) throw new GatewayError('KEY_NOT_FOUND', { field: 'keyId' })
      const [now, catalog] = [books.clock.now(), currentCatalog()]
      const holder = { subject: subjectOfKey(key.id), tier: key.tier }
      const usage: z.infer<typeof shownUsageSchema> = {
        ...describeKey(key, now),
        rate: findTier(catalog.tiers, key.tier)?.rate ?? null,
        operations: await operationsUsed(counters, catalog, holder, now),
      }
      return json(200, usage)
    },

    async listKeyUsage({ query: { period: named, cursor, limit, ...filter } }) {
      const now = books.clock.now()
      const period = named ?? periodOf('month', now)
      if (isForgotten(period, oldestKept(now))) {
        throw faultyField('period', 'is not kept any more: days are kept for 3 days, months for 13 months')
      }
      const page = await listKeys(books, filter, cursor, limit)
      const rows = await Promise.all(page.rows.map((key) => usedBy(key, period, now)))
      const { shown, nextCursor } = showPage({ ...page, rows }, (row) => row)
      return json(200, { period, keys: shown, nextCursor } satisfies z.infer<typeof keysUsedSchema>)
    },
  }

  async function usedBy(key: ApiKey, period: string, now: number) {
    const used = await orKeysUnavailable(counters.used(subjectOfKey(key.id), [period]))
    return {
      ...describeKey(key, now),
      used: used.map((one) => ({ ...countedOf(one.operation), used: one.used })),
    }
  }
}
