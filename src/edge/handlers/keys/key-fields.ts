import { z } from 'zod'

/** How an API key is named and described, alike for those who sell, buy and tend them. */

export const keyId = z
  .string()
  .regex(/^[0-9A-Za-z]{16}$/, 'must be the 16 letters and digits behind tgk_ in a key')

/** Whose a key is, or what it is for. */
export const given = z.string().regex(/^[^\p{Cc}\p{Cs}]{0,200}$/u, 'must be at most 200 printable characters')

export const dayMs = 86_400_000
