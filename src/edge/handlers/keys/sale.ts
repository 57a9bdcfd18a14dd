import { z } from 'zod'
import { type Catalog, findTier, type Tier } from '../../../core/catalog/catalog.ts'
import { unixSeconds } from '../../../core/clock.ts'
import { type EndpointRows, type Handlers, noInput } from '../../../core/endpoint.ts'
import { faultyField, GatewayError } from '../../../core/errors.ts'
import { parseUsdc } from '../../../core/money.ts'
import { json } from '../../../core/reply.ts'
import { renewKey, sellKey } from '../../../doors/keys/key-sales.ts'
import { type ApiKey, findKey, isOfNetwork } from '../../../doors/keys/keys.ts'
import type { KeyVerifier } from '../../../doors/keys/verify.ts'
import type { Books } from '../../../platform/store/books.ts'
import { dayMs, keyId, noStore, orKeysUnavailable, shortText } from './key-fields.ts'

/** The sale of API keys: an agent becomes a subscriber, and stays one, without a person. */

export interface KeySaleParts {
  readonly books: Books
  readonly keys: Pick<KeyVerifier, 'forget'>
  /** The network in use: a key of another one cannot be renewed. */
  readonly chainId: number
  /** Read at each call: the catalog can change while the gateway runs. */
  readonly catalog: () => Catalog
}

const exampleKeyId = 'aB3dE6gH9jK2mN5p'

const boughtSchema = z.object({
  keyId: z.string().describe('names the key, and is no secret'),
  key: z.string().describe('the key itself; only its buyer gets it'),
  tier: z.string(),
  owner: z.string(),
  label: z.string(),
  expiresAt: z.int().describe('Unix seconds'),
})

const renewedSchema = z.object({
  keyId: z.string(),
  tier: z.string(),
  expiresAt: z.int().describe('Unix seconds'),
})

export const keySaleRows = {
  buyKey: {
    ...noInput,
    method: 'POST',
    path: '/api/keys',
    body: z.strictObject({
      tier: z.string().describe('which tier; GET /pricing lists them'),
      owner: shortText.default('').describe('who it is for'),
      label: shortText.default('').describe('what it is for'),
    }),
    response: boughtSchema,
    isSecret: true,
    docs: {
      summary: 'Buy an API key',
      details:
        'It needs the header Idempotency-Key with at least 16 random characters: with it, the same request returns the key again. Send the key in the x-mcp-api-key header.',
      tag: 'keys',
      status: 201,
      errors: ['TIER_NOT_FOR_SALE', 'IDEMPOTENCY_KEY_REQUIRED', 'DRY_RUN'],
      example: {
        body: { tier: 'trial', label: 'first week' },
        reply: {
          keyId: exampleKeyId,
          key: 'tgk_…',
          tier: 'trial',
          owner: '',
          label: 'first week',
          expiresAt: 1_778_241_600,
        },
      },
    },
  },
  /** Anyone may pay for any key, so its id is enough. */
  renewKey: {
    ...noInput,
    method: 'POST',
    path: '/api/keys/renew',
    body: z.strictObject({ keyId: keyId.describe('the 16 letters and digits after tgk_ in the key') }),
    response: renewedSchema,
    docs: {
      summary: 'Renew an API key',
      details: 'Anyone may pay for any key: its id is enough.',
      tag: 'keys',
      errors: ['KEY_NOT_FOUND', 'TIER_NOT_FOR_SALE', 'DRY_RUN', 'QUOTAS_UNAVAILABLE'],
      example: {
        body: { keyId: exampleKeyId },
        reply: { keyId: exampleKeyId, tier: 'trial', expiresAt: 1_778_846_400 },
      },
    },
  },
} satisfies EndpointRows

const namedTier = z.looseObject({ tier: z.string().optional() })
const namedKey = z.looseObject({ keyId: keyId.optional() })

export function keySaleHandlers({
  books,
  keys,
  chainId,
  catalog,
}: KeySaleParts): Handlers<typeof keySaleRows> {
  return {
    buyKey: {
      tierOf(body) {
        const named = namedTier.safeParse(body)
        if (!named.success) throw faultyField('tier', 'must be the name of a tier')
        return named.data.tier ?? cheapest(catalog())
      },
      async handle({ body: { tier, owner, label } }, { payment }) {
        if (payment === undefined) throw new Error('a call to buy a key has no payment')
        const { days } = tierNamed(catalog(), tier)
        const expiresAt = new Date(books.clock.now() + days * dayMs)
        const sold = await sellKey(books, { tier, owner, label, expiresAt }, payment)
        if (!sold) throw new Error('the run was abandoned before its key was made')
        const { key, text } = sold
        const bought: z.infer<typeof boughtSchema> = {
          keyId: key.id,
          key: text,
          tier,
          owner,
          label,
          expiresAt: unixSeconds(expiresAt),
        }
        return json(201, bought, noStore)
      },
    },

    renewKey: {
      async tierOf(body) {
        const named = namedKey.safeParse(body)
        if (!named.success)
          throw faultyField('keyId', 'must be the 16 letters and digits after tgk_ in a key')
        if (named.data.keyId === undefined) return cheapest(catalog())
        return (await renewable(named.data.keyId)).tier
      },
      async handle({ body }, { payment }) {
        if (payment === undefined) throw new Error('a call to renew a key has no payment')
        const { id, tier } = await renewable(body.keyId)
        const key = await renewKey(books, id, tierNamed(catalog(), tier).days, payment)
        if (!key?.expiresAt) throw new GatewayError('KEY_NOT_FOUND', { field: 'keyId' })
        keys.forget(id)
        const renewed: z.infer<typeof renewedSchema> = {
          keyId: id,
          tier,
          expiresAt: unixSeconds(key.expiresAt),
        }
        return json(200, renewed, noStore)
      },
    },
  }

  async function renewable(id: string): Promise<ApiKey> {
    const key = await orKeysUnavailable(findKey(books, id))
    if (!key || key.revokedAt !== null || !isOfNetwork(key, chainId))
      throw new GatewayError('KEY_NOT_FOUND', { field: 'keyId' })
    if (key.expiresAt === null) throw faultyField('keyId', 'names a key that never expires')
    return key
  }
}

/** The tier for a request that names none: it only asks for a price. */
function cheapest({ tiers }: Catalog): string {
  const [first] = Object.entries(tiers)
    .flatMap(([name, { price }]) => (price === undefined ? [] : [{ name, price: parseUsdc(price) }]))
    .toSorted((a, b) => (a.price < b.price ? -1 : 1))
  if (!first) throw new GatewayError('TIER_NOT_FOR_SALE', { for_sale: [] })
  return first.name
}

function tierNamed({ tiers }: Catalog, name: string): Tier {
  const tier = findTier(tiers, name)
  // Only for a key that was paid before: the call is owed, and its error says how to a refund.
  if (!tier) throw new GatewayError('TIER_NOT_FOR_SALE', { tier: name, for_sale: [] })
  return tier
}
