import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { freePort } from '../../../src/platform/chain/local/port.ts'
import { startSite } from '../../support/servers/site-server.ts'
import { answerAsSmallSite, smallSites } from '../../support/texts/small-sites.ts'
import type { Result } from '../report.ts'
import { startProgram } from '../servers.ts'
import { type TextRequest, textRequests } from './requests.ts'
import { brokenRules, type Rule, rules } from './score.ts'
import { startStandIn } from './stand-in.ts'

/**
 * Sends forty requests to a gateway with the built-in engine and to one with the stand-in for a model, and scores every
 * reply by fixed rules. `BENCH_TEXTS_DIR` keeps the texts, to be read by a person.
 */
export async function benchTexts(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
  const site = await startSite(Object.keys(smallSites), answerAsSmallSite)
  const standIn = await startStandIn()
  const authority = join(folder, 'ca.pem')
  const catalogFile = join(folder, 'catalog.yaml')
  await writeFile(authority, site.ca)
  await writeFile(catalogFile, catalog)
  const settings = {
    CATALOG_FILE: catalogFile,
    ALLOW_PRIVATE_TARGETS: site.allowed
      .map(({ name, namePort, address, port }) => `${name}:${namePort}=${address}:${port}`)
      .join(','),
    NODE_EXTRA_CA_CERTS: authority,
    LOG_LEVEL: 'warn',
  }
  try {
    return [
      ...(await scoreEngine('local', join(folder, 'local'), settings)),
      ...(await scoreEngine('model', join(folder, 'model'), {
        ...settings,
        OPENAI_API_KEY: 'sk-bench',
        OPENAI_BASE_URL: standIn.baseUrl,
        OPENAI_MODEL: 'stand-in',
      })),
      {
        what: 'answers of the stand-in with a fault on purpose',
        ours: standIn.faulty,
        wanted: 'none of them sold',
        note: `${standIn.asked} questions for ${textRequests.length} requests`,
      },
    ]
  } finally {
    await standIn.close()
    await site.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The limits are too high to be reached. */
const catalog = stringify({
  provider: { name: 'bench', description: 'Writes texts.' },
  operations: Object.fromEntries(
    ['analyzeBusiness', 'researchLead', 'writeBlog'].map((id) => [
      id,
      { access: 'optional', description: 'A text.', free: '100000/day' },
    ]),
  ),
})

async function scoreEngine(
  engine: 'local' | 'model',
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Result[]> {
  const gateway = await startProgram('../../src/main.ts', [], {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DEV_CHAIN_PORT: String(await freePort()),
    ...settings,
  })
  try {
    const broken: { readonly request: TextRequest; readonly rules: readonly Rule[] }[] = []
    for (const [index, request] of textRequests.entries()) {
      const reply = await ask(gateway.url, request)
      await keep(`${engine}-${String(index + 1).padStart(2, '0')}`, request, reply)
      broken.push({ request, rules: brokenRules(request, request[engine], reply) })
    }
    const wrong = broken.filter(({ rules: each }) => each.length > 0)
    return [
      {
        what: `${engine === 'local' ? 'built-in engine' : 'stand-in model'}: requests of ${textRequests.length} served or refused rightly`,
        ours: textRequests.length - wrong.length,
        wanted: `${textRequests.length}`,
        note: rules
          .map((rule) => `${rule} ${broken.filter(({ rules: each }) => each.includes(rule)).length}`)
          .join(', '),
      },
      ...wrong.map(({ request, rules: each }) => ({
        what: `  ${engine}: ${JSON.stringify(request.body).slice(0, 90)}`,
        ours: each.length,
        wanted: '0',
        note: each.join(', '),
      })),
    ]
  } finally {
    await gateway.stop()
  }
}

const replyShape = z.looseObject({
  analysis: z.looseObject({ insights: z.string() }).optional(),
  lead: z.looseObject({ research: z.string() }).optional(),
  blog: z.looseObject({ content: z.string() }).optional(),
})

async function ask(url: string, { path, body }: TextRequest): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const raw = await response.text()
  if (response.status !== 200) return { status: response.status, text: raw }
  const { analysis, lead, blog } = replyShape.parse(JSON.parse(raw))
  const text = analysis?.insights ?? lead?.research ?? blog?.content ?? ''
  // The markup of quotations and escapes is no part of the words.
  return { status: response.status, text: text.replace(/\\([!-/:-@[-`{-~])/g, '$1') }
}

async function keep(name: string, request: TextRequest, reply: { readonly text: string }): Promise<void> {
  const folder = process.env.BENCH_TEXTS_DIR
  if (folder)
    await writeFile(join(folder, `${name}.md`), `${JSON.stringify(request.body)}\n\n${reply.text}\n`)
}
