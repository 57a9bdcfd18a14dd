import type { table } from '../handlers/table.ts'

/**
 * The tools that agents call, each of them one of our operations. Names and schemas are promises to clients that have
 * them cached, so a tool is renamed only together with a new version of the service.
 */
export interface Tool {
  readonly name: string
  /** The operation that a call of the tool makes. */
  readonly operation: keyof typeof table
  /** What a client may know of a call before it asks its user (MCP, `ToolAnnotations`). */
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint: boolean
  }
}

const reads = { readOnlyHint: true, openWorldHint: false } as const
/** A scan fetches a website of others. A second one of the same site is another scan. */
const scans = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
} as const
/** Deliveries go to an address outside. */
const subscribes = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const
/** Each call costs money. The text is about the world outside, and nothing outside changes. */
const buys = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
} as const

/** The tools at `{base_url}/.well-known/mcp` (specification 4.13). */
export const serviceTools: readonly Tool[] = [
  { name: 'get_health', operation: 'getHealth', annotations: reads },
  { name: 'start_scan', operation: 'triggerScan', annotations: scans },
  { name: 'get_scan_status', operation: 'getScanStatus', annotations: reads },
  { name: 'get_scan_results', operation: 'getScanResults', annotations: reads },
  { name: 'get_comprehensive_scan', operation: 'getComprehensiveScan', annotations: reads },
  { name: 'list_scans', operation: 'listScans', annotations: reads },
  { name: 'get_playbook', operation: 'getPlaybook', annotations: reads },
  { name: 'list_directory', operation: 'listDirectory', annotations: reads },
  { name: 'get_directory_listing', operation: 'getDirectoryListing', annotations: reads },
  { name: 'get_analytics_summary', operation: 'getAnalyticsSummary', annotations: reads },
  { name: 'search_insights', operation: 'searchInsights', annotations: reads },
  { name: 'subscribe_webhook', operation: 'subscribeWebhook', annotations: subscribes },
]

/** The tools at `{payments_base_url}/mcp`, which are paid per call (4.15). */
export const paidTools: readonly Tool[] = [
  { name: 'analyze_business', operation: 'analyzeBusiness', annotations: buys },
  { name: 'research_lead', operation: 'researchLead', annotations: buys },
  { name: 'generate_blog', operation: 'writeBlog', annotations: buys },
]
