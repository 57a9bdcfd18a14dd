import type { Endpoint } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import type { TextEngine } from '../text/engine.ts'
import { analyzeEndpoint } from './analyze.ts'
import { blogEndpoint } from './blog.ts'
import { type HealthSources, healthEndpoints } from './health.ts'
import { type KeySaleParts, keyEndpoints } from './keys.ts'
import { leadsEndpoint } from './leads.ts'
import { type OAuthParts, oauthEndpoints } from './oauth.ts'
import { type OperatorParts, operatorEndpoints } from './operator.ts'
import { paymentEndpoint } from './payments.ts'
import { type PricingForms, pricingEndpoints } from './pricing.ts'
import { signerEndpoint } from './signer.ts'

/** The keys of the catalogue: the ids of all endpoints but the operator's, which no catalogue can name. */
export const operationIds = [
  'getHealth',
  'getPaymentsHealth',
  'getPricing',
  'getPricingMarkdown',
  'getWellKnownPricing',
  'analyzeBusiness',
  'researchLead',
  'writeBlog',
  'getPayment',
  'getSigner',
  'buyKey',
  'renewKey',
  'getKeyUsage',
  'issueToken',
  'getJwks',
  'getAuthorizationServer',
  'getOpenIdConfiguration',
  'getProtectedResource',
] as const

/** Every endpoint that is served, in the order of the specification's parts. */
export function createEndpoints(needs: {
  readonly text: TextEngine
  readonly clock: Clock
  readonly health: HealthSources
  readonly pricing: PricingForms
  readonly signer: { readonly baseUrl: string; readonly address: string | undefined }
  readonly keys: KeySaleParts
  readonly oauth: OAuthParts
  readonly operator: OperatorParts
}): readonly Endpoint[] {
  const { text, clock } = needs
  return [
    ...healthEndpoints(needs.health),
    ...pricingEndpoints(needs.pricing),
    analyzeEndpoint(text, clock),
    leadsEndpoint(text, clock),
    blogEndpoint(text, clock),
    paymentEndpoint(needs.operator.books),
    signerEndpoint(needs.signer.baseUrl, needs.signer.address),
    ...keyEndpoints(needs.keys),
    ...oauthEndpoints(needs.oauth),
    ...operatorEndpoints(needs.operator),
  ]
}
