import type { DescribedRow } from '../../core/endpoint.ts'
import type { OwnEndpoints } from '../../platform/config/catalog-file.ts'
import { askRows } from './ask/ask.ts'
import { directoryRows } from './directory/directory.ts'
import { documentRows } from './discovery/documents.ts'
import { analyticsRows } from './insights/analytics.ts'
import { searchRows } from './insights/search.ts'
import { authorizeRows } from './keys/authorize.ts'
import { oauthRows } from './keys/oauth.ts'
import { keySaleRows } from './keys/sale.ts'
import { keyUsageRows } from './keys/usage.ts'
import { mcpRows } from './mcp/mcp.ts'
import { operatorRows } from './operator/operator.ts'
import { paymentRows } from './payments/payment.ts'
import { signerRows } from './payments/signer.ts'
import { scanListRows } from './scans/list.ts'
import { playbookRows } from './scans/playbook.ts'
import { resultsRows } from './scans/results.ts'
import { signatureDirectoryRows } from './scans/signature-directory.ts'
import { streamRows } from './scans/stream.ts'
import { triggerRows } from './scans/trigger.ts'
import { healthRows } from './service/health.ts'
import { homeRows } from './service/home.ts'
import { pricingRows } from './service/pricing.ts'
import { readyRows } from './service/ready.ts'
import { analyzeRows } from './texts/analyze.ts'
import { blogRows } from './texts/blog.ts'
import { leadRows } from './texts/leads.ts'
import { ownedRows } from './webhooks/owned.ts'
import { subscribeRows } from './webhooks/subscribe.ts'

/**
 * The endpoint table: every endpoint of our own by its operation id, in the order of the specification's
 * parts. Each file of an endpoint declares its rows; the ids that a catalog may name, the paths that no
 * upstream may take, and the documents all follow from here.
 */

/** The endpoints that need an entry in the catalog. */
const catalogRows = {
  ...homeRows,
  ...healthRows,
  ...pricingRows,
  ...triggerRows,
  ...streamRows,
  ...resultsRows,
  ...scanListRows,
  ...playbookRows,
  ...directoryRows,
  ...analyticsRows,
  ...searchRows,
  ...askRows,
  ...subscribeRows,
  ...ownedRows,
  ...analyzeRows,
  ...leadRows,
  ...blogRows,
  ...paymentRows,
  ...signerRows,
  ...keySaleRows,
  ...keyUsageRows,
  ...oauthRows,
  ...signatureDirectoryRows,
} satisfies Readonly<Record<string, DescribedRow>>

/** Documents that name no price; the description of the whole interface has its access in the catalog. */
const { getOpenApi, ...openDocumentRows } = documentRows

export const table = {
  ...catalogRows,
  getOpenApi,
  ...readyRows,
  ...authorizeRows,
  ...openDocumentRows,
  ...operatorRows,
}

/** What the table says to the check of a catalog. */
export const ownEndpoints: OwnEndpoints = {
  operationIds: [...Object.keys(catalogRows), 'getOpenApi'],
  // The root alone is not a prefix: upstreams have all paths below it that are not ours.
  prefixes: [
    ...new Set(
      Object.values({ ...table, ...mcpRows }).flatMap(({ path }) => (path === '/' ? [] : [prefixOf(path)])),
    ),
  ].sort(),
}

/** The first segment, or two where the first is `/api`: the rest of `/api` is free for upstreams. */
function prefixOf(path: string): string {
  const [first = '', second = ''] = path.split('/').slice(1)
  return first === 'api' ? `/${first}/${second}` : `/${first}`
}
