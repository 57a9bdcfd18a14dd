import { createHash } from 'node:crypto'
import type { Admission } from '../../../core/admission.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { QuotaDoor } from '../../../doors/quota/door.ts'

const maxReportsADay = 3

/**
 * Takes one of the reports that an e-mail address may get in a day. It is counted where quotas are counted,
 * under a hash of the address: the address itself is not stored.
 * @throws GatewayError RATE_LIMIT when none is left.
 */
export async function takeReport(quotas: Pick<QuotaDoor, 'open'>, email: string): Promise<Admission> {
  const recipient = createHash('sha256').update(email.toLowerCase()).digest('hex')
  try {
    return await quotas.open({
      subject: `recipient:${recipient}`,
      operation: 'triggerScan',
      rate: undefined,
      rateOf: '',
      allowances: [{ limit: maxReportsADay, unit: 'calls', per: 'day' }],
      countsUnlimited: false,
    })
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'RATE_LIMIT')) throw error
    const limit = `${maxReportsADay} reports a day (UTC) to one e-mail address without a key`
    const wait = error.headers['retry-after']
    throw new GatewayError(
      'RATE_LIMIT',
      { ...error.details, limit },
      {
        cause: error,
        headers: wait === undefined ? {} : { 'retry-after': wait },
        ...(error.hint && { hint: error.hint }),
      },
    )
  }
}
