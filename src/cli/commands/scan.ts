import { type Command, Option } from 'commander'
import { z } from 'zod'
import { scanResultsSchema } from '../../edge/handlers/scans/replies.ts'
import type { Report } from '../../products/scan/findings/results.ts'
import { depths } from '../../products/scan/site/capture.ts'
import { type Access, findGateway, GatewayUnusable } from './gateway.ts'
import { readKey } from './key-file.ts'
import { note, print, table } from './output.ts'
import { createScanClient, type ScanClient } from './scan-client.ts'

/** `tollgate scan`: a website is scanned and its report printed, as any caller of the gateway gets it. */
export function addScanCommand(program: Command, access: Access): void {
  program
    .command('scan')
    .description('Scan a website and print what was found.')
    .argument('<website>', 'a domain or an http(s) address, or the id of a scan to be followed')
    .addOption(
      new Option('--depth <depth>', 'how much is looked at: one area, four, or twelve')
        .choices(depths)
        .default('basic'),
    )
    .option('--email <address>', 'send the report there as well')
    .option('--key-file <file>', 'file with the API key to scan with; else the free quota is used')
    .addOption(
      new Option('--key <key>', 'the key itself; --key-file hides it from other users').conflicts('keyFile'),
    )
    .option('--max-age <seconds>', 'be content with a scan of the same address that is no older')
    .option('--no-wait', 'print the id of the scan and end')
    .option('--url <url>', 'address of the gateway; else the one that DATA_DIR names')
    .option('--json', 'print the results as the gateway gives them')
    .action(async (website: string, options: ScanOptions) => {
      const key = options.keyFile === undefined ? options.key : await readKey(options.keyFile)
      const client = createScanClient(await findGateway(options, access), key)
      const scanId = z.uuid().safeParse(website).data ?? (await start(client, website, options))
      if (!options.wait) return print(options.json ? JSON.stringify({ scanId }) : scanId)
      process.once('SIGINT', () => {
        note(`The scan goes on. Come back to it: tollgate scan ${scanId}`)
        process.exit(130)
      })
      for await (const { status, progress, message: said } of client.follow(scanId)) {
        note(`${String(progress).padStart(3)} %  ${status.padEnd(9)}  ${said}`)
        if (status === 'error') process.exitCode = 1
      }
      const text = await client.results(scanId)
      if (options.json) return print(text)
      const parsed = scanResultsSchema.safeParse(JSON.parse(text))
      if (!parsed.success)
        throw new GatewayUnusable('The gateway gives results that this version cannot read.')
      const { results } = parsed.data
      if (results) print(report(results).join('\n'))
    })
}

async function start(client: ScanClient, url: string, options: ScanOptions): Promise<string> {
  const { depth: scanType, email, maxAge } = options
  const { scanId, message } = await client.start({ url, email, scanType, maxAge })
  note(`${message.replace(/\. .*$/s, '')}: scan ${scanId}`)
  return scanId
}

interface ScanOptions {
  depth: string
  email?: string
  key?: string
  keyFile?: string
  maxAge?: string
  wait: boolean
  url?: string
  json?: boolean
}

function report(results: Report & { readonly scanId: string; readonly domain: string }): string[] {
  const { readinessBreakdown, aeoBreakdown } = results
  const aeo = new Map(aeoBreakdown.map(({ category, score }) => [category, score]))
  const categories = new Set([...readinessBreakdown, ...aeoBreakdown].map(({ category }) => category))
  const readiness = new Map(readinessBreakdown.map(({ category, score }) => [category, score]))
  return [
    `${results.domain}: readiness ${results.readinessScore}, AEO ${results.aeoScore} (scan ${results.scanId})`,
    '',
    results.executiveSummary,
    '',
    table(
      [
        ['', 'readiness', 'AEO'],
        ...Array.from(categories, (category) => [
          category,
          String(readiness.get(category) ?? ''),
          String(aeo.get(category) ?? ''),
        ]),
      ],
      [1, 2],
    ),
    '',
    ...(results.keyFindings.length > 0
      ? ['Findings:', ...results.keyFindings.map((finding) => `- ${finding}`), '']
      : []),
    ...(results.opportunities.length > 0
      ? [
          `Opportunities (${results.totalTimeSavingsPotential}):`,
          ...results.opportunities.map(
            ({ title, impact, effort, estimatedTimeSavingsRange: range }) =>
              `- ${title}: impact ${impact}, effort ${effort}${range ? `, ${range}` : ''}`,
          ),
        ]
      : []),
  ]
}
