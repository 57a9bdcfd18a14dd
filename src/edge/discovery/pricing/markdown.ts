import { stringify } from 'yaml'
import type { PricingDocument } from '../../handlers/service/pricing.ts'
import { prose } from '../prose.ts'
import { type PricingInput, pricingOverview } from './document.ts'

/**
 * Writes `pricing.md`, the price list for language models and other readers of text. Descriptions come from
 * the operator's file and are escaped: a `|` or a `<` in them would otherwise break the table or become
 * markup.
 */
export function pricingMarkdown(input: PricingInput): string {
  const { document, keyed, relayed, firstCall, freeCall, freeResults, playMoney, validity, jsonUrl } =
    pricingOverview(input)
  const { provider, description, website, protocol, network, asset, recipient, services, tiers } = document
  const takesPayments = services.length > 0 || tiers.some(({ price }) => price !== null)
  const sections = [
    `---\n${stringify({ provider, protocol, network, asset, recipient }).trimEnd()}\n---`,
    `# ${prose(provider)}: prices`,
    prose(description),
    ...(playMoney === undefined ? [] : [`**${playMoney}**`]),
    '## Paid operations',
    services.length > 0
      ? table(
          ['Operation', 'Price of one call', 'What you get'],
          services.map((service) => [
            `\`${service.endpoint}\``,
            `${prose(service.price)} (${service.priceUSDC} ${asset}${service.price.startsWith('up to') ? ' at most' : ''})${service.free === undefined ? '' : `; free: ${service.free}`}`,
            prose(service.description),
          ]),
        )
      : 'Nothing is sold at the moment.',
    ...(services.some(({ failedCalls }) => failedCalls) ? [failedCallNotes(services)] : []),
    ...(services.some(({ endpoint }) => relayed.has(endpoint)) ? [relayedFields] : []),
    ...services
      .filter(({ endpoint }) => !relayed.has(endpoint))
      .flatMap(({ endpoint, input, output }) => [
        `### ${endpoint}`,
        fieldTable('Request field', input) ?? 'The request takes no fields.',
        fieldTable('Answer field', output) ?? 'The answer has no fields.',
      ]),
    ...(takesPayments ? ['## How to pay', howToPay(validity)] : []),
    ...(services.some(({ metered }) => metered) ? [howToPayMetered] : []),
    ...(firstCall === undefined ? [] : ['This request meets the 402:', `\`\`\`sh\n${firstCall}\n\`\`\``]),
    ...(tiers.length > 0 ? ['## API keys', howToUseKeys, tierTable(tiers), tierNotes(tiers)] : []),
    ...(keyed.length > 0 ? ['## Operations for key holders', list(keyed)] : []),
    '## Where the money goes',
    `- Protocol: ${protocol}\n- Network: ${network}\n- Asset: ${asset}\n- Recipient: \`${recipient}\``,
    '## Free operations',
    document.freeOperations.length > 0 ? list(document.freeOperations) : 'None.',
    ...(freeCall === undefined
      ? []
      : [
          `This request ${freeResults === undefined ? 'is free' : 'starts a free scan of a website'}:`,
          `\`\`\`sh\n${freeCall}\n\`\`\``,
        ]),
    ...(freeResults === undefined
      ? []
      : [`Its answer names a \`scanId\`. The results are at \`${freeResults}\` when the scan is complete.`]),
    '## See also',
    `- [The same prices as JSON](${jsonUrl})\n- [${prose(provider)}](${website})`,
  ]
  return `${sections.join('\n\n')}\n`
}

/** For an agent that does not know x402. The header names are those of x402 v2, v1 and the specification. */
const howToPay = (
  validity: string,
) => `No account and no API key are needed, only a wallet that holds USDC. You need no gas.

1. Send the request without a payment. The answer is 402 (or, where an operation has a free quota, 429 once that is used up); its \`PAYMENT-REQUIRED\` header and its JSON body name the price, the asset, the network and the recipient.
2. Sign one of the accepted payments with your wallet. Signing moves no money yet. ${validity}
3. Send the same request again with the signed payment in one of the headers \`PAYMENT-SIGNATURE\` (x402 v2), \`X-PAYMENT\` (x402 v1) or \`X-Payment-Signature\`. The answer is 200 with the result; its \`PAYMENT-RESPONSE\` header is the receipt.

A call that fails is not charged, unless this page says otherwise for its operation.`

/**
 * Without it, the owner of a wallet that knows only `exact` would learn from its balance that it pays the
 * maximum.
 */
const howToPayMetered = `Where the price follows from what is counted, the 402 offers the most that it can be by two schemes. A payment of \`upto\` is signed for the most, and what the call came to is taken at its end: a reply that streams has no receipt, and \`GET /payments/{paymentId}\` tells the amount by the id in its \`X-Payment-Id\` header, to a caller that sends the payment header along. A payment of \`exact\` pays the most.`

const relayedFields =
  'An operation without a section of its own below is carried out by a server behind this one: what it takes and gives follows from its description.'

/** A valid key decides alone, so a caller that wants to pay beyond its limits must leave the key out. */
const howToUseKeys = `Whoever has an API key sends it in the \`x-mcp-api-key\` header (or as \`Authorization: Bearer\`) and pays nothing for the calls its tier covers. Beyond the limits the answer is 429 with \`Retry-After\`; where the operation has a price its \`PAYMENT-REQUIRED\` header names it, and the same call with a payment instead of the key is served. A call that fails is not counted against the day or the month.`

function tierTable(tiers: PricingDocument['tiers']): string {
  return table(
    ['Tier', 'Price of a key', 'Lasts', 'Rate', 'What it covers'],
    tiers.map(({ name, price, days, rate, operations }) => [
      `\`${name}\``,
      price ?? 'from the operator only',
      days === null ? 'as agreed' : `${days} days`,
      rate ?? 'no limit',
      Object.entries(operations)
        .map(([endpoint, limits]) => `\`${endpoint}\`: ${limits}`)
        .join('; ') || 'nothing that is served now',
    ]),
  )
}

function tierNotes(tiers: PricingDocument['tiers']): string {
  return tiers
    .map(({ name, description, buy }) => `- \`${name}\`: ${prose(description)} ${prose(buy)}`)
    .join('\n')
}

function failedCallNotes(services: PricingDocument['services']): string {
  return services
    .flatMap(({ endpoint, failedCalls }) =>
      failedCalls === undefined ? [] : [`- \`${endpoint}\`: ${prose(failedCalls)}`],
    )
    .join('\n')
}

function list(
  rows: readonly {
    readonly endpoint: string
    readonly free?: string
    readonly description: string
    readonly input?: Readonly<Record<string, string>> | undefined
  }[],
): string {
  return rows
    .map(({ endpoint, free, description, input = {} }) => {
      const limits = free === undefined || free === 'unlimited' ? '' : ` (${free} for each client)`
      const fields = Object.entries(input).map(([name, type]) => `\n  - \`${name}\`: ${prose(type)}`)
      return `- \`${endpoint}\`${limits}: ${prose(description)}${fields.join('')}`
    })
    .join('\n')
}

function fieldTable(heading: string, fields: Readonly<Record<string, string>>): string | undefined {
  const rows = Object.entries(fields).map(([name, type]) => [`\`${name}\``, prose(type)])
  return rows.length > 0 ? table([heading, 'Type'], rows) : undefined
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
