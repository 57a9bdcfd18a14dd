import {
  BUILDER_CODE,
  declareBuilderCodeExtension,
  encodeBuilderCodeSuffix,
} from '@x402/extensions/builder-code'
import type { Hex } from 'viem'
import type { Extensions } from './extensions.ts'

/**
 * The extension `builder-code`. A settlement's calldata ends in an ERC-8021 code that names the app that the
 * payment came through; services that pay or rank builders read it from the chain. The token and Multicall3
 * read their arguments from the front, so the code changes nothing for them.
 */
export interface BuilderCode {
  /** Declared in the 402, and sent to a remote facilitator, which then writes the suffix itself. */
  readonly declared: Extensions
  /** Follows the calldata of our transactions. */
  readonly suffix: Hex
}

/**
 * Creates the declaration and the suffix of an app.
 * @param app code of the service that sells: 1 to 32 of `a` to `z`, digits and `_`.
 * @throws Error when it is malformed.
 */
export function createBuilderCode(app: string): BuilderCode {
  // Its clients read the `info`; the schema of @x402/extensions takes a tenth of the head of a 402.
  const { info } = declareBuilderCodeExtension(app)
  return {
    declared: { [BUILDER_CODE]: { info, schema: { type: 'object' } } },
    suffix: encodeBuilderCodeSuffix({ a: app }),
  }
}
