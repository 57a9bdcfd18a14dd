import type { Outcome } from '../../findings/check.ts'
import type { Signals } from '../../signals/signals.ts'
import type { Site } from '../../site/site.ts'
import { type Agent, bySignals, byWords, type Check, kindLanguages } from '../agent.ts'
import { judgeBooking, judgeHiring, judgeLeads, judgePricing } from './contact.ts'
import {
  judgeCommerce,
  judgeFaq,
  judgeIntegrations,
  judgeNewsletter,
  judgeSupport,
  judgeTags,
} from './self-service.ts'

/**
 * Whether visitors get what they want without a person in between. The checks judge the same signals as the
 * list of opportunities, so the two cannot contradict each other.
 */
export const workflowAutomation: Agent = {
  id: 'workflow-automation',
  name: 'Workflow automation',
  checks: [
    { id: 'lead-capture', title: 'Enquiries arrive through a form', weight: 3, run: bySignals(judgeLeads) },
    { id: 'booking', title: 'Appointments can be booked online', weight: 3, run: worded(judgeBooking) },
    { id: 'pricing', title: 'Prices are published', weight: 3, run: worded(judgePricing) },
    {
      id: 'support',
      title: 'There is a help page, a chat or a helpdesk',
      weight: 2,
      run: worded(judgeSupport),
    },
    { id: 'faq', title: 'Common questions are answered', weight: 2, run: bySignals(judgeFaq) },
    { id: 'commerce', title: 'Goods can be ordered online', weight: 2, run: worded(judgeCommerce) },
    { id: 'integrations', title: 'Other software can connect', weight: 2, run: bySignals(judgeIntegrations) },
    { id: 'newsletter', title: 'Visitors can subscribe', weight: 1, run: worded(judgeNewsletter) },
    { id: 'crm-tags', title: 'Visits or enquiries are recorded', weight: 1, run: bySignals(judgeTags) },
    { id: 'hiring', title: 'Applications arrive through a form', weight: 1, run: worded(judgeHiring) },
  ],
}

/** Where the scan has no words of the language, that nothing was found says nothing. */
function worded(judge: (signals: Signals, site: Site) => Outcome): Check['run'] {
  return byWords(kindLanguages, bySignals(judge))
}
