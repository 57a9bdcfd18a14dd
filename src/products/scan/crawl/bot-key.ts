import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Books } from '../../../platform/store/books.ts'

/**
 * The key that signs what our scans ask of websites. It is in the store, so that all gateways sign as one and
 * a website that has learnt to know us knows us after a restart.
 */
export async function openBotKey({ queries, clock }: Books): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ed25519')
  await queries
    .insertInto('botKeys')
    .values({
      id: 'current',
      privateJwk: JSON.stringify(privateKey.export({ format: 'jwk' })),
      createdAt: new Date(clock.now()),
    })
    // Of gateways that start together one makes the key.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const { privateJwk: key } = await queries
    .selectFrom('botKeys')
    .select('privateJwk')
    .where('id', '=', 'current')
    .executeTakeFirstOrThrow()
  return createPrivateKey({ key, format: 'jwk' })
}
