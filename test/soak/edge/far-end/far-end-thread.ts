import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { startHostileServer } from '../../../support/servers/hostile-server.ts'
import type { FarEndPlace } from '../case.ts'
import { lowPriority } from '../probe/priority.ts'
import { rawReplies } from './raw-replies.ts'
import { startReplies } from './replies.ts'
import { startSlowSite } from './site.ts'

/** The thread of `far-end.ts`. Like the attacker it leaves the CPU to the gateway. */
setPriority(lowPriority)
const replies = await startReplies()
const raw = await startHostileServer(rawReplies)
const site = await startSlowSite()
const place: FarEndPlace = {
  url: replies.url,
  rawUrl: `http://127.0.0.1:${raw.port}`,
  siteName: 'followed.example',
  siteUrl: site.url,
}
parentPort?.postMessage(place)
