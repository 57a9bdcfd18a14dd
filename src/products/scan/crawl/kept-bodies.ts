import type { Fetched } from '../../../platform/net/fetch.ts'
import type { SiteReply } from '../site/capture.ts'
import type { CaptureBudget } from './capture-budget.ts'
import { decodeBody, isText, unpack } from './decode-body.ts'
import type { Trail } from './follow-redirects.ts'
import type { PlannedFetch } from './planned-fetch.ts'

/**
 * Turns replies into what a capture keeps of them, within the bytes that the scan may keep. Call it in the
 * order of the plan, because that is the order in which bodies are cut when there is too little room.
 */
export class KeptBodies {
  #bytesLeft: number
  #sitemapBytesLeft: number

  constructor(budget: Pick<CaptureBudget, 'keptBytes' | 'sitemapBytes'>) {
    this.#bytesLeft = budget.keptBytes
    this.#sitemapBytesLeft = budget.sitemapBytes
  }

  keep({ purpose, url, keepBytes }: PlannedFetch, trail: Trail, reply: Fetched): SiteReply {
    const contentType = reply.headers['content-type']?.[0] ?? ''
    const isSitemap = purpose === 'sitemap'
    const whole = isSitemap ? unpack(reply.body, keepBytes) : reply.body
    const read = whole.subarray(0, keepBytes)
    const room = isSitemap ? Math.min(this.#bytesLeft, this.#sitemapBytesLeft) : this.#bytesLeft
    const kept = isText(contentType) || isSitemap || isProgram(trail.at) ? read.subarray(0, room) : empty
    this.#bytesLeft -= kept.byteLength
    if (isSitemap) this.#sitemapBytesLeft -= kept.byteLength
    return {
      purpose,
      url,
      outcome: 'replied',
      finalUrl: trail.at,
      redirects: trail.redirects,
      status: reply.status,
      headers: reply.headers,
      body: decodeBody(kept, contentType),
      isCut: reply.isCut || kept.byteLength < whole.byteLength,
      bytes: read.byteLength,
      firstByteMs: trail.waitedMs,
    }
  }
}

/** A server that does not run a program may send its source, as a file to save. */
function isProgram(url: string): boolean {
  return /\.(?:php|aspx?|jsp)$/i.test(new URL(url).pathname)
}

const empty = new Uint8Array()
