import type { Clock } from '../../core/clock.ts'
import { bind, type Endpoint } from '../../core/endpoint.ts'
import type { TextEngine } from '../../products/text/engine.ts'
import type { ReadSite } from '../../products/text/site.ts'
import { type AskSources, askHandlers } from './ask/ask.ts'
import { audited } from './audited.ts'
import { directoryHandlers } from './directory/directory.ts'
import { type DocumentTexts, documentHandlers } from './discovery/documents.ts'
import { analyticsHandlers } from './insights/analytics.ts'
import { searchHandlers } from './insights/search.ts'
import { authorizeHandlers } from './keys/authorize.ts'
import { type OAuthParts, oauthHandlers } from './keys/oauth.ts'
import { type KeySaleParts, keySaleHandlers } from './keys/sale.ts'
import { type KeyUsageParts, keyUsageHandlers } from './keys/usage.ts'
import { type OperatorParts, operatorHandlers } from './operator/operator.ts'
import { type PaymentParts, paymentHandlers } from './payments/payment.ts'
import { signerHandlers } from './payments/signer.ts'
import { scanListHandlers } from './scans/list.ts'
import { playbookHandlers } from './scans/playbook.ts'
import { resultsHandlers } from './scans/results.ts'
import { type SignatureDirectory, signatureDirectoryHandlers } from './scans/signature-directory.ts'
import { streamHandlers } from './scans/stream.ts'
import { type ScanParts, triggerHandlers } from './scans/trigger.ts'
import { type HealthSources, healthHandlers } from './service/health.ts'
import { type HomeSources, homeHandlers } from './service/home.ts'
import { type PricingForms, pricingHandlers } from './service/pricing.ts'
import { type ReadySources, readyHandlers } from './service/ready.ts'
import { table } from './table.ts'
import { analyzeHandlers } from './texts/analyze.ts'
import { blogHandlers } from './texts/blog.ts'
import { leadHandlers } from './texts/leads.ts'
import { ownedHandlers } from './webhooks/owned.ts'
import { subscribeHandlers, type WebhookParts } from './webhooks/subscribe.ts'

/** Binds every row of the endpoint table to its handler, and records what the operator changes. */
export function createEndpoints(needs: {
  readonly text: TextEngine
  readonly readSite: ReadSite
  readonly clock: Clock
  readonly home: HomeSources
  readonly health: HealthSources
  readonly ready: ReadySources
  readonly pricing: PricingForms
  readonly payments: PaymentParts
  readonly signer: { readonly baseUrl: string; readonly address: string | undefined }
  readonly keys: KeySaleParts & KeyUsageParts
  readonly oauth: OAuthParts
  readonly operator: OperatorParts
  readonly scanning: ScanParts
  readonly signatureDirectory: SignatureDirectory
  readonly webhooks: WebhookParts
  readonly documents: DocumentTexts
  readonly ask: AskSources
}): readonly Endpoint[] {
  const { text, readSite, clock, scanning } = needs
  const { scans } = scanning
  const endpoints = bind(table, {
    ...homeHandlers(needs.home),
    ...healthHandlers(needs.health),
    ...readyHandlers(needs.ready),
    ...pricingHandlers(needs.pricing),
    ...triggerHandlers(scanning),
    ...streamHandlers(scans),
    ...resultsHandlers(scans),
    ...scanListHandlers(scans),
    ...playbookHandlers(scans),
    ...directoryHandlers(scans),
    ...analyticsHandlers(scans),
    ...searchHandlers(scans),
    ...askHandlers(scans, needs.ask),
    ...subscribeHandlers(needs.webhooks),
    ...ownedHandlers(needs.webhooks),
    ...analyzeHandlers({ text, readSite, clock }),
    ...leadHandlers({ text, readSite, clock }),
    ...blogHandlers(text, clock),
    ...paymentHandlers(needs.payments),
    ...signerHandlers(needs.signer.baseUrl, needs.signer.address),
    ...keySaleHandlers(needs.keys),
    ...keyUsageHandlers(needs.keys),
    ...oauthHandlers(needs.oauth),
    ...authorizeHandlers,
    ...signatureDirectoryHandlers(needs.signatureDirectory),
    ...documentHandlers(needs.documents),
    ...operatorHandlers(needs.operator),
  })
  return endpoints.map((endpoint) => audited(endpoint, needs.operator))
}
