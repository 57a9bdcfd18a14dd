import { createHash } from 'node:crypto'
import type { Admission } from '../../../core/admission.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { QuotaDoor } from '../../../doors/quota/door.ts'

const aDay = 3

/** Counts the reports to an e-mail address where quotas are counted. The address itself is kept nowhere. */
export async function takeReport(quotas: Pick<QuotaDoor, 'open'>, email: string): Promise<Admission> {
  const recipient = createHash('sha256').update(email.toLowerCase()).digest('hex')
  try {
    return await quotas.open({
      subject: `recipient:${recipient}`,
      operation: 'triggerScan',
      rate: undefined,
      rateOf: '',
      allowances: [{ limit: aDay, unit: 'calls', per: 'day' }],
      isMetered: false,
    })
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === 'RATE_LIMIT')) throw error
    const limit = `${aDay} reports a day (UTC) to one e-mail address without a key`
    const wait = error.headers['retry-after']
    throw new GatewayError(
      'RATE_LIMIT',
      { ...error.details, limit },
      { cause: error, headers: wait === undefined ? {} : { 'retry-after': wait } },
    )
  }
}
