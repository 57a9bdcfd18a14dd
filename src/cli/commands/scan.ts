import { type Command, Option } from 'commander'
import { z } from 'zod'
import { scanResultsSchema } from '../../edge/handlers/scans/replies.ts'
import type { Report } from '../../products/scan/findings/results.ts'
import { maxWork } from '../../products/scan/report/time-savings.ts'
import { depths } from '../../products/scan/site/capture.ts'
import { CommandError } from '../command-error.ts'
import { type Access, findGatewayUrl } from '../gateway/locate-gateway.ts'
import { createScanClient, type ScanClient } from '../gateway/scan-client.ts'
import { note, oneLine, print, table } from '../output.ts'
import { checkReportFile, standardOutput, writeReportFile } from '../report-file.ts'
import { readSecretFile } from '../secret-file.ts'

/** `tollgate scan`: scans a website through the gateway's public endpoints and prints the report. */
export function addScanCommand(program: Command, access: Access): void {
  program
    .command('scan')
    .description('Scan a website and print the findings.')
    .argument('<website>', 'a domain, an http(s) address, or the id of a scan to follow')
    .addOption(
      new Option('--depth <depth>', 'light: one area; basic: four; full: twelve')
        .choices(depths)
        .default('basic'),
    )
    .option('--email <address>', 'send the report there as well')
    .option('--key-file <file>', 'file with the API key to scan with; by default the free quota')
    .addOption(
      new Option('--key <key>', 'the key itself; --key-file hides it from other users').conflicts('keyFile'),
    )
    .option('--max-age <seconds>', 'accept a scan of the same address that is no older')
    .option('--no-wait', 'print the id of the scan and exit')
    .option('--url <url>', 'address of the gateway; by default the one in DATA_DIR')
    .option('--json', 'print the results as the gateway sends them')
    .addOption(
      new Option(
        '--html <file>',
        'write the report there as a page, with the messages to send; "-" prints the page alone',
      ).conflicts(['wait', 'json']),
    )
    .action(async (website: string, options: ScanOptions) => {
      const { html } = options
      if (html !== undefined) await checkReportFile(html)
      const key = options.keyFile === undefined ? options.key : await readSecretFile(options.keyFile, 'key')
      const base = await findGatewayUrl(options, access)
      const client = createScanClient(base, key)
      const scanId = idIn(website) ?? (await start(client, website, options))
      if (!options.wait) return print(options.json ? JSON.stringify({ scanId }) : scanId)
      process.once('SIGINT', () => {
        note(`The scan goes on. Follow it with the same command, and ${scanId} in place of the website.`)
        process.exit(130)
      })
      let hasFailed = false
      for await (const { status, progress, message } of client.follow(scanId)) {
        note(`${String(progress).padStart(3)} %  ${status.padEnd(9)}  ${oneLine(message)}`)
        hasFailed ||= status === 'error'
      }
      if (hasFailed) process.exitCode = 1
      if (html !== undefined) {
        if (hasFailed) note(`${html} was not written, because the scan has no report.`)
        else await writeReportFile(html, await client.page(scanId))
        if (html === standardOutput) return
      }
      const text = await client.results(scanId)
      if (options.json) return print(text)
      const parsed = scanResultsSchema.safeParse(JSON.parse(text))
      if (!parsed.success) throw new CommandError('This version of tollgate cannot read the results.')
      const { results } = parsed.data
      if (results) {
        print(describe(results).join('\n'))
        print(
          `\nHow to do each step, with what to paste or to send: ${wayToSteps(base, scanId, key !== undefined)}.`,
        )
      }
    })
}

/** A browser sends no key, and sees no scan that was started with one. */
function wayToSteps(base: string, scanId: string, hasKey: boolean): string {
  return hasKey
    ? '--html FILE with the id of the scan, or --json'
    : `${base}/api/insights/scan/${scanId}/results in a browser, --html FILE, or --json`
}

/** @throws CommandError for an id of which a part is missing: no website has such a name */
function idIn(text: string): string | undefined {
  const id = z.uuid().safeParse(text).data
  if (id === undefined && /^[0-9a-f]{8}-[0-9a-f-]{10,30}$/i.test(text))
    throw new CommandError(`${text} is no whole id of a scan. An id has 36 characters.`)
  return id
}

async function start(client: ScanClient, url: string, options: ScanOptions): Promise<string> {
  const { depth: scanType, email, maxAge } = options
  const { scanId, message } = await client.start({ url, email, scanType, maxAge })
  note(`${oneLine(message.replace(/\.(?: .*)?$/s, ''))}: scan ${scanId}`)
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
  html?: string
}

/**
 * Each step by its title and its gain. How to do it is too long for a terminal. What the owner of a site hands on in one
 * message is told apart from what the owner does.
 */
function stepsOf({ actions = [], tasks = [] }: Report): string[] {
  if (actions.length === 0) return []
  const handedOn = new Set(tasks.flatMap(({ message, steps }) => (message === undefined ? [] : steps)))
  const line = (number: number) => {
    const action = actions[number - 1]
    if (action === undefined) return []
    const { title, gain, aeoGain, waits } = action
    const gains = waits ? 'counts once agents get in' : `${gain} / ${aeoGain}`
    return [`${String(number).padStart(2)}. ${oneLine(title)} (${gains})`]
  }
  const numbers = actions.map((_, at) => at + 1)
  const lists: readonly (readonly [heading: string, steps: readonly number[]])[] =
    handedOn.size === 0
      ? [['Steps', numbers]]
      : [
          [
            'Steps in one message to whoever looks after the website',
            numbers.filter((number) => handedOn.has(number)),
          ],
          ['Steps of the owner', numbers.filter((number) => !handedOn.has(number))],
        ]
  return lists
    .filter(([, steps]) => steps.length > 0)
    .flatMap(([heading, steps]) => [
      `${heading} (points of readiness / AEO that each gains):`,
      ...steps.flatMap(line),
      '',
    ])
}

function describe(results: Report & { readonly scanId: string; readonly domain: string }): string[] {
  const { readinessBreakdown, aeoBreakdown } = results
  const aeo = new Map(aeoBreakdown.map(({ category, score }) => [category, score]))
  const categories = new Set([...readinessBreakdown, ...aeoBreakdown].map(({ category }) => category))
  const readiness = new Map(readinessBreakdown.map(({ category, score }) => [category, score]))
  return [
    `${oneLine(results.domain)}: readiness ${results.readinessScore}, AEO ${results.aeoScore} (scan ${results.scanId})`,
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
    ...(results.unscoredAreas?.length
      ? [
          `Without a score, as less than half of their checks apply to this site or could be made: ${results.unscoredAreas.map(({ category }) => category).join(', ')}.`,
        ]
      : []),
    '',
    ...stepsOf(results),
    ...(results.keyFindings.length > 0
      ? [
          'Main findings (--json has all of them):',
          ...results.keyFindings.map((finding) => `- ${oneLine(finding)}`),
          '',
        ]
      : []),
    ...(results.opportunities.length > 0
      ? [
          `Opportunities (${results.totalTimeSavingsPotential} for all; --json has all of them):`,
          ...results.opportunities
            .slice(0, maxWork)
            .map(
              ({ title, impact, effort, estimatedTimeSavingsRange: range }) =>
                `- ${oneLine(title)}: impact ${impact}, effort ${effort}${range ? `, ${range}` : ''}`,
            ),
        ]
      : []),
  ]
}
