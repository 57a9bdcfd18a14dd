import {
  type Address,
  decodeFunctionData,
  type Hex,
  type PublicClient,
  serializeSignature,
  slice,
  type TransactionReceipt,
  toFunctionSelector,
} from 'viem'
import { permit2Address } from '../../../platform/chain/permit2.ts'
import { type Authorization, isSameHex } from '../wire/types.ts'
import { placesIn } from './calldata.ts'
import { tokenAbi } from './token.ts'
import { noncesIn } from './transfers.ts'
import { uptoSettlementsIn } from './upto-settlements.ts'

/** The authorization that a transfer carried out, as far as its transaction shows it. */
export interface SignedTransfer
  extends Pick<Authorization, 'nonce' | 'value' | 'validAfter' | 'validBefore'> {
  /** Set for `upto`. */
  readonly facilitator?: Address
  /** Set for `upto`: the contract that counted the nonce. */
  readonly permit2?: Address
  /** `0x` when the calldata does not show it. */
  readonly signature: Hex
}

/**
 * Reads the authorizations that a transaction carried out, by the index of their transfer's log. The logs
 * prove payer, nonce and amount. Validity and signature of an `exact` payment come from the calldata, which
 * proves nothing: both are 0 where no call fits, or several that differ. A plain transfer has no
 * authorization.
 */
export async function signedTransfersIn(
  client: PublicClient,
  receipt: TransactionReceipt,
  asset: Address,
  transfers: readonly { readonly logIndex: number; readonly payer: Address; readonly amount: bigint }[],
): Promise<ReadonlyMap<number, SignedTransfer>> {
  const { transactionHash: hash } = receipt
  const [nonces, settlements, { input }] = await Promise.all([
    noncesIn(client, asset, hash),
    uptoSettlementsIn(client, receipt, asset),
    client.getTransaction({ hash }),
  ])
  const upto = new Map(settlements.map((one) => [one.logIndex, one]))
  const calls = transferCallsIn(input)
  const signed = new Map<number, SignedTransfer>()
  for (const { logIndex, payer, amount } of transfers) {
    const settlement = upto.get(logIndex)
    const nonce = nonces.get(logIndex)?.nonce
    if (settlement) {
      const { authorized: value, facilitator, validAfter, validBefore, signature } = settlement
      signed.set(logIndex, {
        nonce: settlement.nonce,
        value,
        validAfter,
        validBefore,
        signature,
        facilitator,
        permit2: permit2Address,
      })
    } else if (nonce) {
      const named = calls.filter(
        (call) => isSameHex(call.from, payer) && isSameHex(call.nonce, nonce) && call.value === amount,
      )
      const [first] = named
      const shown = first && named.every((call) => isSameCall(call, first)) ? first : unknown
      const { validAfter, validBefore, signature } = shown
      signed.set(logIndex, { nonce, value: amount, validAfter, validBefore, signature })
    }
  }
  return signed
}

const unknown = { validAfter: 0n, validBefore: 0n, signature: '0x' } as const

type TransferCall = Omit<Authorization, 'facilitator'> & { readonly signature: Hex }

function isSameCall(one: TransferCall, other: TransferCall): boolean {
  return (
    one.validAfter === other.validAfter &&
    one.validBefore === other.validBefore &&
    one.signature === other.signature
  )
}

const selectors = tokenAbi.flatMap((item) =>
  item.type === 'function' && item.name === 'transferWithAuthorization' ? [toFunctionSelector(item)] : [],
)

function transferCallsIn(input: Hex): TransferCall[] {
  return placesIn(input, selectors).flatMap((place) => {
    try {
      const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data: slice(input, place) })
      if (functionName !== 'transferWithAuthorization') return []
      const [from, to, value, validAfter, validBefore, nonce] = args
      const signature =
        args.length === 7 ? args[6] : serializeSignature({ v: BigInt(args[6]), r: args[7], s: args[8] })
      return [{ from, to, value, validAfter, validBefore, nonce, signature }]
    } catch {
      // These bytes only look like the beginning of a call.
      return []
    }
  })
}
