import type { Clock } from '../../core/clock.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import type { TextEngine } from '../../products/text/engine.ts'
import { type KeySaleParts, keyEndpoints } from './keys/keys.ts'
import { type OAuthParts, oauthEndpoints } from './keys/oauth.ts'
import { type OperatorParts, operatorEndpoints } from './operator/operator.ts'
import { paymentEndpoint } from './payments/payment.ts'
import { signerEndpoint } from './payments/signer.ts'
import { comprehensiveEndpoint, listEndpoint, playbookEndpoint, resultsEndpoint } from './scans/results.ts'
import { type SignatureDirectory, signatureDirectoryEndpoint } from './scans/signature-directory.ts'
import { streamEndpoint } from './scans/stream.ts'
import { type ScanParts, statusEndpoint, triggerEndpoint } from './scans/trigger.ts'
import { type HealthSources, healthEndpoints } from './service/health.ts'
import { type PricingForms, pricingEndpoints } from './service/pricing.ts'
import { analyzeEndpoint } from './texts/analyze.ts'
import { blogEndpoint } from './texts/blog.ts'
import { leadsEndpoint } from './texts/leads.ts'

/** The keys of the catalogue: the ids of all endpoints but the operator's, which no catalogue can name. */
export const operationIds = [
  'getHealth',
  'getPaymentsHealth',
  'getPricing',
  'getPricingMarkdown',
  'getWellKnownPricing',
  'triggerScan',
  'getScanStatus',
  'stream',
  'getScanResults',
  'getComprehensiveScan',
  'listScans',
  'getPlaybook',
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
  'getSignatureDirectory',
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
  readonly scanning: ScanParts
  readonly signatureDirectory: SignatureDirectory
}): readonly Endpoint[] {
  const { text, clock, scanning } = needs
  const { scans } = scanning
  return [
    ...healthEndpoints(needs.health),
    ...pricingEndpoints(needs.pricing),
    triggerEndpoint(scanning),
    statusEndpoint(scans),
    streamEndpoint(scans),
    resultsEndpoint(scans),
    comprehensiveEndpoint(scans),
    listEndpoint(scans),
    playbookEndpoint(scans),
    analyzeEndpoint(text, clock),
    leadsEndpoint(text, clock),
    blogEndpoint(text, clock),
    paymentEndpoint(needs.operator.books),
    signerEndpoint(needs.signer.baseUrl, needs.signer.address),
    ...keyEndpoints(needs.keys),
    ...oauthEndpoints(needs.oauth),
    signatureDirectoryEndpoint(needs.signatureDirectory),
    ...operatorEndpoints(needs.operator),
  ]
}
