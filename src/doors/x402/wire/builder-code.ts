import {
  BUILDER_CODE,
  declareBuilderCodeExtension,
  encodeBuilderCodeSuffix,
} from '@x402/extensions/builder-code'
import type { Hex } from 'viem'
import type { Extensions } from './extensions.ts'

/**
 * The extension `builder-code`: a settlement's calldata ends in an ERC-8021 code that says through which
 * app the payment came, for those who pay or rank builders by what the chain shows. The token and
 * Multicall3 read their arguments from the front and never see it.
 */
export interface BuilderCode {
  /** What the 402 declares, and a facilitator elsewhere is told, which writes the suffix itself then. */
  readonly declared: Extensions
  /** What follows the calldata of a transaction of ours. */
  readonly suffix: Hex
}

/**
 * @param app code of the service that sells: 1 to 32 of `a` to `z`, digits and `_`.
 * @throws Error when it is malformed.
 */
export function createBuilderCode(app: string): BuilderCode {
  const { info, schema } = declareBuilderCodeExtension(app)
  return {
    declared: { [BUILDER_CODE]: { info, schema } },
    suffix: encodeBuilderCodeSuffix({ a: app }),
  }
}
