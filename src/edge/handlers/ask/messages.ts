import type { Asked } from './asked.ts'
import { type AskReply, nlwebVersion, summaryResult } from './replies.ts'

/**
 * A reply as the messages of an event stream. Clients of the older form act on `message_type`, and those of 0.54 and 0.55
 * look for `_meta` and `results` in each message, so every message has what both look for. `complete` is the last one.
 * An older client that asked for a text shows the text and the items of `nlws`, and would show the results of a batch once more.
 * Without results one of NLWeb's older pages shows a summary, and another shows `no_results` alone: with neither, the user
 * would see an empty bubble. Each shows the text once when both come.
 */
export function messagesOf(
  reply: AskReply,
  { mode, isSectioned }: Pick<Asked, 'mode' | 'isSectioned'>,
): Uint8Array[] {
  const { _meta, query_id, results, summary } = reply
  const answers = results.filter((result) => result['@type'] !== 'Summary')
  const inResults = summary && { results: [summaryResult(summary.message)] }
  const isEmpty = answers.length === 0
  const isText = mode === 'generate' && !isSectioned && !isEmpty
  const messages: readonly Readonly<Record<string, unknown>>[] = [
    { message_type: 'api_version', api_version: nlwebVersion, _meta },
    ...(isEmpty && summary ? [{ message_type: 'no_results', message: summary.message }] : []),
    ...(!isEmpty && !isText ? [{ message_type: 'result_batch', results: answers }] : []),
    ...(summary && isText
      ? [{ message_type: 'nlws', answer: summary.message, items: answers, ...inResults }]
      : []),
    ...(summary && !isText ? [{ message_type: 'summary', message: summary.message, ...inResults }] : []),
    { message_type: 'complete' },
  ]
  return messages.map((message, index) =>
    Buffer.from(`id: ${index + 1}\ndata: ${JSON.stringify({ ...message, query_id })}\n\n`),
  )
}
