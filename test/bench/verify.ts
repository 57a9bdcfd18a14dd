import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createRecoverSigner, parseWalletSignature } from '../../src/doors/x402/evidence/signature.ts'
import { authorizationTypedData } from '../../src/doors/x402/evidence/typed-data.ts'
import { readPayment } from '../../src/doors/x402/wire/headers.ts'
import { devPayers } from '../../src/platform/chain/dev-accounts.ts'
import { networks } from '../../src/platform/chain/networks.ts'
import { signPayment, v2Header } from '../support/chain/wallet.ts'
import { cpuMicros, median } from './measure.ts'
import type { Result } from './report.ts'

/** Measures the CPU time to read a payment header and recover its signer, against viem's recovery alone. */
export async function benchVerify(): Promise<Result[]> {
  const network = networks['base-sepolia']
  const recoverSigner = createRecoverSigner(network)
  const payment = await signPayment(privateKeyToAccount(devPayers[0].privateKey), 100_000n)
  const header = v2Header(payment)
  const { authorization, signature } = payment

  const ours: number[] = []
  const viem: number[] = []
  for (let round = 0; round < 5; round++) {
    ours.push(
      await cpuMicros(1_000, () => {
        const read = readPayment((name) => (name === 'payment-signature' ? [header] : undefined))
        if (read.kind !== 'payment') throw new Error('the header was not read')
        const wallet = parseWalletSignature(read.payment.signature)
        const signer = wallet && recoverSigner(read.payment.authorization, wallet)
        if (signer !== authorization.from) throw new Error('the signer was not recovered')
      }),
    )
    viem.push(
      await cpuMicros(200, () =>
        recoverTypedDataAddress({ ...authorizationTypedData(authorization, network), signature }),
      ),
    )
  }
  const [own, peer] = [median(ours), median(viem)]
  return [
    {
      what: 'read a payment header and recover its signer, CPU µs; peer: viem’s recoverTypedDataAddress alone',
      ours: own,
      peer,
      ratio: peer / own,
      wanted: 'at least 5, and at most 350 µs',
    },
  ]
}
