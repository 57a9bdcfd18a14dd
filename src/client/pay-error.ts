/** The call could not be made or paid. The message says why, and holds no key and no signature. */
export class PayError extends Error {
  override readonly name = 'PayError'
}
