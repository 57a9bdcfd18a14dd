import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import type { Site } from '../site.ts'

/**
 * What an agent can do here, as skills: the agent cards list them, and each is a SKILL.md that an agent can load. A skill
 * is named only while every operation that it uses is served.
 */
export interface Skill {
  /** Also its name in addresses. */
  readonly id: string
  readonly title: string
  /** When to use it. */
  readonly description: string
  readonly tags: readonly string[]
  readonly example: string
  /** What to do, as markdown. */
  readonly steps: string
}

export function skillsOf(site: Site): readonly Skill[] {
  const { served, pricing } = site
  const call = (id: string) => {
    const found = served.find(({ endpoint }) => endpoint.id === id)
    return found && `\`${found.endpoint.method} ${found.url}\``
  }
  const [scan, status, results] = [call('triggerScan'), call('getScanStatus'), call('getScanResults')]
  const [list, listing, search] = [call('listDirectory'), call('getDirectoryListing'), call('searchInsights')]
  const paidTools = site.find('/mcp', 'POST')
  const paid = pricing.services.filter(({ endpoint }) => endpoint.startsWith('POST /api/'))
  return [
    ...(scan && status && results
      ? [
          {
            id: 'scan-website',
            title: 'Scan a website',
            description:
              'Scan a website for how ready it is for AI agents and answer engines. Use it when someone asks how a site does with AI, or what to improve.',
            tags: ['scan', 'aeo', 'website'],
            example: 'Scan example.com and tell me what to improve first.',
            steps: `1. Send ${scan} with \`{"url": "example.com", "scanType": "basic"}\`. light takes about 30 seconds, basic 2 minutes, full 5 minutes. Keep the \`scanId\` of the reply.\n2. Send ${status} every 5 to 10 seconds, until \`status\` is \`complete\` or \`error\`.\n3. Send ${results}. Tell both scores, what lowers them most, and the opportunities with the highest impact.\n\nA reply of 429 names the limit, and \`Retry-After\` says when it ends.`,
          },
        ]
      : []),
    ...(results
      ? [
          {
            id: 'read-scan-results',
            title: 'Read the results of a scan',
            description:
              'Read the scores, findings, workflows and opportunities of a finished scan. Use it when there is a scanId already.',
            tags: ['scan', 'results'],
            example: 'What did the scan 6f1c2a34-9b0e-4c57-8d21-3f5a7c9e1b02 find?',
            steps: `1. Send ${results} with the scan's id in the path.\n2. \`readinessScore\` and \`aeoScore\` go from 0 to 100; each breakdown explains its score.\n3. \`opportunities\` have impact, effort and priority: a lower priority comes first.${call('getPlaybook') ? `\n4. With an API key, ${call('getPlaybook')} gives a plan for 90 days.` : ''}`,
          },
        ]
      : []),
    ...(list && listing
      ? [
          {
            id: 'find-in-directory',
            title: 'Find businesses in the directory',
            description:
              'Find businesses by industry, and how ready for AI each is. Use it to compare sites, or to find the best prepared of an industry.',
            tags: ['directory', 'search'],
            example: 'Which healthcare sites are the best prepared for AI?',
            steps: `1. Send ${list} with \`industry\`, \`limit\` and \`offset\`. The best prepared come first.\n2. Send ${listing} with the \`slug\` of a listing for its scores and what to do first.${search ? `\n3. Send ${search} with \`query\` to search what scans have found.` : ''}`,
          },
        ]
      : []),
    ...(paid.length > 0
      ? [
          {
            id: 'pay-per-use',
            title: 'Buy a single call',
            description:
              'Buy an analysis, lead research or an article by the call, with USDC and without an account. Use it when a wallet that speaks x402 is at hand.',
            tags: ['x402', 'payment', 'usdc'],
            example: 'Analyze the business Bright Smile Dental, and pay for it.',
            steps: `${paid.map(({ endpoint, price, description }) => `- \`${endpoint}\` at ${site.paymentsBaseUrl}: ${price}. ${description}`).join('\n')}\n\n1. Send the request without a payment. The reply is 402; its \`PAYMENT-REQUIRED\` header says what to pay, to whom and on which network.\n2. Sign one of the accepted payments. Any x402 client does this, and you need no gas.\n3. Send the same request again with the signed payment in the \`PAYMENT-SIGNATURE\` header. The reply is 200, and \`PAYMENT-RESPONSE\` is the receipt.\n\nA call that fails is not charged. If a reply gets lost, send the same request with the same payment again: it is not charged twice.${paidTools === undefined ? '' : `\n\nOver MCP (Streamable HTTP) the same calls are tools of the server at ${paidTools}.`}`,
          },
        ]
      : []),
  ]
}

/** SKILL.md of each skill, by name. */
export function skillFiles(site: Site): ReadonlyMap<string, string> {
  return new Map(
    skillsOf(site).map(({ id, title, description, steps }) => [
      id,
      `---\n${stringify({ name: id, description })}---\n\n# ${title}\n\n${steps}\n`,
    ]),
  )
}

/** The index (Agent Skills Discovery 0.2.0), with the digests of the files as they are served. */
export function skillIndex(site: Site) {
  const files = skillFiles(site)
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skillsOf(site).map(({ id, description }) => ({
      name: id,
      type: 'skill-md',
      description,
      url: `${site.baseUrl}/.well-known/agent-skills/${id}/SKILL.md`,
      digest: `sha256:${createHash('sha256')
        .update(files.get(id) ?? '')
        .digest('hex')}`,
    })),
  }
}
