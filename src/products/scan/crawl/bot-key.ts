import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Books } from '../../../platform/store/books.ts'

/**
 * Opens the key that signs our scans' requests to websites. It is in the store, so all gateways sign with one
 * key, and a website that trusts it still recognizes us after a restart.
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
    // When several gateways start together, the first one makes the key.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const { privateJwk: key } = await queries
    .selectFrom('botKeys')
    .select('privateJwk')
    .where('id', '=', 'current')
    .executeTakeFirstOrThrow()
  return createPrivateKey({ key, format: 'jwk' })
}
