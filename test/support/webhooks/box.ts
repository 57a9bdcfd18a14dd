import { SecretBox } from '../../../src/products/webhooks/subscriptions/secrets.ts'

/** The secret of the subscriptions of the tests, and what seals it in every process of a test. */

export const secret = 'a secret of the tests, as text'

export const box = new SecretBox(async () => ['a word that only the tests know'])
