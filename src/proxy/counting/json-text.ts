/**
 * Finds the text in the JSON of a language model's request or reply, to estimate its tokens. The field names
 * decide, not their places: the protocols share the names, and so the fields of a single provider are found
 * too. Pictures and audio are in other fields and count nothing.
 */

/** The text that a request gives a model to read. */
export function requestText(body: unknown): ModelText {
  return textIn(body, requestFields)
}

/** The text that a model generated, in a whole reply. */
export function replyText(reply: unknown): ModelText {
  return textIn(reply, replyFields)
}

/** The text that a model generated, in one event of a stream. */
export function eventText(event: unknown): string {
  // The Responses API repeats each part once it is complete, so only its deltas count.
  const type = isRecord(event) ? event.type : undefined
  if (isRecord(event) && typeof type === 'string' && type.startsWith('response.')) {
    return typeof event.delta === 'string' && !type.includes('audio.') ? event.delta : ''
  }
  return textIn(event, replyFields).text
}

export interface ModelText {
  readonly text: string
  /** Tokens given as numbers, as completions and embeddings take them. */
  readonly tokens: number
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Fields {
  /** Their strings count. */
  readonly text: ReadonlySet<string>
  /** They count as JSON, names included, because the model reads them as JSON. */
  readonly json: ReadonlySet<string>
}

const sharedFields = [
  'content',
  'text',
  'name',
  'arguments',
  'thinking',
  'refusal',
  'reasoning',
  'reasoning_content',
]
const requestFields: Fields = {
  text: new Set([
    ...sharedFields,
    ...['prompt', 'suffix', 'input', 'system', 'instructions', 'output', 'query', 'documents', 'texts'],
  ]),
  json: new Set(['tools', 'functions', 'response_format', 'format']),
}
const replyFields: Fields = {
  text: new Set([
    ...sharedFields,
    ...['delta', 'partial_json', 'transcript', 'completion', 'generated_text', 'response', 'output_text'],
  ]),
  json: new Set(),
}
/** They repeat the text of a field beside them. */
const repeatedFields = new Set(['reasoning_details', 'logprobs'])
const maxDepth = 64

function textIn(value: unknown, fields: Fields): ModelText {
  const pieces: string[] = []
  let tokens = 0

  function visit(part: unknown, name: string, depth: number): void {
    if (typeof part === 'string') {
      if (fields.text.has(name)) pieces.push(part)
    } else if (typeof part === 'number') {
      if (fields === requestFields && (name === 'prompt' || name === 'input')) tokens += 1
    } else if (depth > maxDepth || part === null) {
      return
    } else if (fields.json.has(name)) {
      pieces.push(JSON.stringify(part))
    } else if (Array.isArray(part)) {
      for (const one of part) visit(one, name, depth + 1)
    } else if (isRecord(part)) {
      const { reasoning, reasoning_content } = part
      for (const [key, member] of Object.entries(part)) {
        const isRepeated =
          repeatedFields.has(key) || (key === 'reasoning_content' && reasoning === reasoning_content)
        if (isRepeated) continue
        // The arguments of a tool call have names that the tool chose.
        if (key === 'input' && depth > 0 && isRecord(member)) pieces.push(JSON.stringify(member))
        else visit(member, key, depth + 1)
      }
    }
  }

  visit(value, '', 0)
  return { text: pieces.join('\n'), tokens }
}
