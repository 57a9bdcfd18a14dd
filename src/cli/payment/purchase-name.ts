import { InvalidArgumentError, Option } from 'commander'

/**
 * The name of a purchase. A repeated call with the same name gets the stored reply and is not charged again, and the
 * name proves who paid.
 */

/** As the header `Idempotency-Key`. */
export const nameOption = new Option(
  '--idempotency-key <name>',
  'name of the purchase, by default a random one: a repeated call with the same name gets the stored reply and is not charged again',
).argParser((text: string) => {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 1 to 255 printable ASCII characters without spaces.')
})

/** As the extension `payment-identifier`, which allows fewer characters. */
export const identifierOption = new Option(
  '--idempotency-key <name>',
  'name of the purchase, which goes into the payment, by default a random one: another payment with the same name gets the stored reply and is not charged again',
).argParser((text: string) => {
  if (/^[A-Za-z0-9_-]{16,128}$/.test(text)) return text
  throw new InvalidArgumentError('It must be 16 to 128 letters, digits, - and _.')
})
