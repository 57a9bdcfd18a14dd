import { GatewayError } from './errors.ts'
import type { Reply } from './reply.ts'

/**
 * Ends a reply that nobody will get, with whatever feeds it: an upstream would go on sending, and be paid by us for
 * what no caller hears.
 */
export async function giveUp({ stream, tunnel }: Pick<Reply, 'stream' | 'tunnel'>): Promise<void> {
  tunnel?.destroy()
  if (!stream) return
  try {
    for await (const _ of stream(AbortSignal.abort(new GatewayError('CALLER_LEFT')))) break
  } catch {
    // It was given up: however it ends, nobody is there to be told.
  }
}
