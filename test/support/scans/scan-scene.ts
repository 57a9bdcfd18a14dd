import { EventSourceParserStream } from 'eventsource-parser/stream'
import pTimeout from 'p-timeout'
import request, { type Response } from 'supertest'
import { z } from 'zod'
import { shownKeySchema } from '../../../src/edge/handlers/operator/replies.ts'
import { scanStepSchema } from '../../../src/edge/handlers/scans/replies.ts'
import { temporaryFolder } from '../chain/chain.ts'
import { writeCatalog } from '../gateways/catalog.ts'
import { operatorToken, startGateway, type TestGateway } from '../gateways/gateway.ts'
import { patienceMs } from '../patience.ts'
import { type SiteAnswer, type SiteRequest, startSite } from '../servers/site-server.ts'
import { freshDatabase } from '../stores/database.ts'

/**
 * A gateway and the websites it may scan. The sites reply as the test says, and hold their replies as long as
 * the test wants, so a test can look at a scan in every state without a race. No call is paid, so there is no
 * chain.
 */
export interface ScanScene {
  readonly gateway: TestGateway
  /** Its data folder. */
  readonly folder: string
  /** Starts another gateway on the same store. Closing the scene closes it, too. */
  open(settings?: Readonly<Record<string, string>>): Promise<TestGateway>
  /** The site does not reply from now on until `release` is called. `asked` resolves with its next request. */
  hold(name: string): { readonly asked: Promise<unknown>; release(): void }
  /** Names of the sites, in the order in which their home pages were requested. */
  readonly visited: readonly string[]
  close(): Promise<void>
}

/** A site whose server accepts no connection. */
export const unreachableSite = 'gone.example'

/** The headers of a caller: an API key, another client address. */
export type Caller = Readonly<Record<string, string>>

/** How a site replies; `small` serves one small page. */
type Sites = Readonly<Record<string, ((request: SiteRequest) => SiteAnswer) | 'small'>>

/** @param privateTargets further addresses that the gateway may call. */
export async function openScanScene(
  sites: Sites,
  settings: Readonly<Record<string, string>> = {},
  privateTargets: readonly string[] = [],
): Promise<ScanScene> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await build()
  } catch (error) {
    await close()
    throw error
  }

  async function build(): Promise<ScanScene> {
    const { folder, remove } = await temporaryFolder()
    closers.push(remove)
    const gates = new Map<string, { reach: () => void; readonly opened: Promise<unknown> }>()
    const visited: string[] = []
    const server = await startSite(
      Object.keys(sites),
      async (asked) => {
        if (asked.path === '/') visited.push(asked.host)
        const gate = gates.get(asked.host)
        gate?.reach()
        await gate?.opened
        const site = sites[asked.host]
        return typeof site === 'function' ? site(asked) : smallPage(asked)
      },
      { hasHttps: false },
    )
    closers.push(server.close)
    const shared = {
      DATABASE_URL: await freshDatabase(),
      DATA_DIR: folder,
      CATALOG_FILE: await writeCatalog(folder, {}, tiers),
      // One port for both schemes. TLS fails there, so a scan that tries https goes on with http.
      ALLOW_PRIVATE_TARGETS: server.allowed
        .map(({ name, address, port }) => `${name}=${address}:${port}`)
        .concat(`${unreachableSite}=127.0.0.1:1`, privateTargets)
        .join(','),
      // Lets a test be as many clients as it needs.
      TRUST_PROXY: '1',
      RPC_TIMEOUT_MS: '1000',
      ...settings,
    }
    const open: ScanScene['open'] = async (more = {}) => {
      const opened = await startGateway(noChain, { ...shared, ...more })
      let closed: Promise<void> | undefined
      const closeOnce = () => {
        closed ??= opened.close()
        return closed
      }
      closers.push(closeOnce)
      return { ...opened, close: closeOnce }
    }
    return {
      gateway: await open(),
      folder,
      open,
      hold(name) {
        const asked = Promise.withResolvers<void>()
        const opened = Promise.withResolvers<void>()
        gates.set(name, { reach: asked.resolve, opened: opened.promise })
        const release = () => {
          gates.delete(name)
          opened.resolve()
        }
        // A site that never replies would delay the end of the test.
        closers.push(async () => release())
        return { asked: asked.promise, release }
      },
      visited,
      close,
    }
  }
}

const noChain = 'http://127.0.0.1:9'

const everyScan = {
  triggerScan: 'unlimited',
  getScanStatus: 'unlimited',
  stream: 'unlimited',
  getScanResults: 'unlimited',
  getComprehensiveScan: 'unlimited',
  listScans: 'unlimited',
  getPlaybook: 'unlimited',
  listDirectory: 'unlimited',
  getDirectoryListing: 'unlimited',
  getAnalyticsSummary: 'unlimited',
  searchInsights: 'unlimited',
  ask: 'unlimited',
  askWithBody: 'unlimited',
  subscribeWebhook: 'unlimited',
}
const tiers = {
  scans: { description: 'All about scans.', operations: everyScan },
  hurried: { description: 'The same, and first.', priority: 9, operations: everyScan },
  few: { description: 'Two scans a day.', operations: { ...everyScan, triggerScan: '2/day' } },
}

function smallPage({ path }: SiteRequest): SiteAnswer {
  if (path !== '/') return { status: 404, headers: { 'content-type': 'text/html' }, body: 'Not found' }
  const body =
    '<!doctype html><html lang="en"><title>Small shop</title><h1>Shop</h1><p>We sell small things by post.</p>'
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}

/** The headers of a client that has not called before. The files that share a process need some hundreds. */
export function newClient(): Caller {
  clients += 1
  return { 'x-forwarded-for': `198.18.${Math.floor(clients / 256)}.${clients % 256}` }
}
let clients = 0

/** The headers of a new key. */
export async function newKey({ url }: TestGateway, tier: keyof typeof tiers = 'scans'): Promise<Caller> {
  const reply = await request(url)
    .post('/operator/keys')
    .set('authorization', `Bearer ${operatorToken}`)
    .send({ tier })
  return { 'x-mcp-api-key': shownKeySchema.parse(reply.body).key }
}

/** Requests a scan with this body, which may be any JSON value. */
export async function trigger(
  { url }: TestGateway,
  body: unknown,
  caller: Caller = newClient(),
): Promise<Response> {
  return request(url)
    .post('/api/insights/scan')
    .set({ 'content-type': 'application/json', ...caller })
    .send(JSON.stringify(body))
}

/**
 * @returns the id of the scan.
 * @throws Error when no scan was started.
 */
export async function startScan(
  gateway: TestGateway,
  name: string,
  caller: Caller = newClient(),
  more: object = {},
): Promise<string> {
  const reply = await trigger(gateway, { url: `http://${name}/`, scanType: 'light', ...more }, caller)
  if (reply.status !== 200) throw new Error(`no scan was started: ${reply.text}`)
  return z.object({ scanId: z.uuid() }).parse(reply.body).scanId
}

/** Reads one of the endpoints of a scan. */
export async function read(
  { url }: TestGateway,
  id: string,
  what: 'status' | 'results' | 'comprehensive' | 'stream',
  caller: Caller = newClient(),
): Promise<Response> {
  return request(url).get(`/api/insights/scan/${id}/${what}`).set(caller)
}

interface Step {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly status: string
  readonly progress: number
  readonly message: string
}

/**
 * Follows a scan's stream.
 * @param lastEventId of the last event that the caller has seen.
 */
export async function follow(
  { url }: TestGateway,
  id: string,
  caller: Caller = newClient(),
  lastEventId?: string,
): Promise<{ readonly response: globalThis.Response; readonly steps: AsyncGenerator<Step> }> {
  const response = await fetch(`${url}/api/insights/scan/${id}/stream`, {
    headers: {
      accept: 'text/event-stream',
      ...caller,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
  return { response, steps: readSteps(response, id) }
}

async function* readSteps({ body }: globalThis.Response, scanId: string): AsyncGenerator<Step> {
  if (!body) return
  const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { id, event, data } of messages) {
    const step = z.strictObject(scanStepSchema.shape).parse(JSON.parse(data))
    if (step.scanId !== scanId) throw new Error(`the stream of ${scanId} tells of ${step.scanId}`)
    yield { id, event, status: step.status, progress: step.progress, message: step.message }
  }
}

/**
 * All steps up to the end of the stream.
 * @throws Error when the stream does not end in time.
 */
export async function allSteps(steps: AsyncIterable<Step>): Promise<Step[]> {
  const all: Step[] = []
  const collect = async () => {
    for await (const step of steps) all.push(step)
    return all
  }
  return await pTimeout(collect(), {
    milliseconds: patienceMs,
    fallback() {
      throw new Error(`the stream of the scan did not end; its last step was ${JSON.stringify(all.at(-1))}`)
    },
  })
}

/**
 * Waits for the end of a scan.
 * @returns its last step.
 */
export async function ended(gateway: TestGateway, id: string, caller?: Caller): Promise<Step | undefined> {
  const { steps } = await follow(gateway, id, caller)
  return (await allSteps(steps)).at(-1)
}
