import {
  BUILDER_CODE,
  BUILDER_CODE_PATTERN,
  declareBuilderCodeExtension,
  encodeBuilderCodeSuffix,
  MAX_CLIENT_SERVICE_CODES,
} from '@x402/extensions/builder-code'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { Extensions } from './extensions.ts'

/**
 * The extension `builder-code`: a settlement's calldata ends in ERC-8021 codes that say through which
 * app and which client services the payment came, for those who pay or rank builders by what the chain
 * shows. The token and Multicall3 read their arguments from the front and never see the codes.
 */
export interface BuilderCodes {
  /** What the 402 declares: the app's code, and room for the client's services. */
  readonly declared: Extensions
  /**
   * What follows the calldata of one transaction.
   * @param services the service codes of each payment in it. A transaction has one suffix for all of them;
   *   when they name more than the extension allows one payment, the first count. So a payment with
   *   made-up codes can neither split a batch nor make it dearer by more than some 3,000 gas.
   */
  suffix(services: Iterable<readonly string[]>): Hex
  /**
   * The extension of a payment, for a facilitator that writes the suffix itself and takes the app's code
   * from there. Made from our own code, never from the client's copy of it.
   */
  statedBy(services: readonly string[]): Extensions
}

/**
 * @param app code of the service that sells: 1 to 32 of `a` to `z`, digits and `_`.
 * @throws Error when it is malformed.
 */
export function createBuilderCodes(app: string): BuilderCodes {
  const { info, schema } = declareBuilderCodeExtension(app)
  return {
    declared: { [BUILDER_CODE]: { info, schema } },
    suffix: (services) => encodeBuilderCodeSuffix({ a: app, s: firstOf(services) }),
    statedBy: (services) => ({
      [BUILDER_CODE]: { info: services.length > 0 ? { ...info, s: [...services] } : info, schema },
    }),
  }
}

const statement = z.object({
  [BUILDER_CODE]: z.object({
    info: z.object({ s: z.union([z.string().transform((code) => [code]), z.array(z.unknown())]) }),
  }),
})
const serviceCode = z.string().regex(BUILDER_CODE_PATTERN)

/**
 * The service codes that a payment's `extensions` name, in their order, each once, and no more than a
 * client may name. What is malformed is left out: a payment is not refused over who gets credit for it.
 */
export function readServiceCodes(extensions: unknown): readonly string[] {
  const stated = statement.safeParse(extensions)
  if (!stated.success) return []
  const codes = stated.data[BUILDER_CODE].info.s.flatMap((code) => serviceCode.safeParse(code).data ?? [])
  return firstOf([codes])
}

function firstOf(services: Iterable<readonly string[]>): string[] {
  const codes = new Set<string>()
  for (const named of services) {
    for (const code of named) {
      codes.add(code)
      if (codes.size === MAX_CLIENT_SERVICE_CODES) return [...codes]
    }
  }
  return [...codes]
}
