/**
 * Finds the words in the JSON of a language model's request or reply. The protocols name them alike, so names
 * decide and not places: a field that only one provider has is found as well. Pictures and sound, which stand in
 * other fields, are not counted.
 */

/** What a request gives a model to read. */
export function requestText(body: unknown): ModelText {
  return textIn(body, requestWords)
}

/** What a model has said in a whole reply. */
export function replyText(reply: unknown): ModelText {
  return textIn(reply, replyWords)
}

/** What a model says with one event of a stream. */
export function eventText(event: unknown): string {
  // The responses API says everything again once a part of it is complete.
  const type = isRecord(event) ? event.type : undefined
  if (isRecord(event) && typeof type === 'string' && type.startsWith('response.')) {
    return typeof event.delta === 'string' && !type.includes('audio.') ? event.delta : ''
  }
  return textIn(event, replyWords).text
}

export interface ModelText {
  readonly text: string
  /** Tokens that stand there as numbers, as completions and embeddings take them. */
  readonly tokens: number
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Words {
  /** Fields whose text counts. */
  readonly text: ReadonlySet<string>
  /** Fields that count as they stand, names and all: a model is given them as JSON. */
  readonly whole: ReadonlySet<string>
}

const spoken = [
  'content',
  'text',
  'name',
  'arguments',
  'thinking',
  'refusal',
  'reasoning',
  'reasoning_content',
]
const requestWords: Words = {
  text: new Set([
    ...spoken,
    ...['prompt', 'suffix', 'input', 'system', 'instructions', 'output', 'query', 'documents', 'texts'],
  ]),
  whole: new Set(['tools', 'functions', 'response_format', 'format']),
}
const replyWords: Words = {
  text: new Set([
    ...spoken,
    ...['delta', 'partial_json', 'transcript', 'completion', 'generated_text', 'response', 'output_text'],
  ]),
  whole: new Set(),
}
/** Says in another form what stands beside it. */
const repeated = new Set(['reasoning_details', 'logprobs'])
const maxDepth = 64

function textIn(value: unknown, words: Words): ModelText {
  const pieces: string[] = []
  let tokens = 0

  function visit(part: unknown, name: string, depth: number): void {
    if (typeof part === 'string') {
      if (words.text.has(name)) pieces.push(part)
    } else if (typeof part === 'number') {
      if (words === requestWords && (name === 'prompt' || name === 'input')) tokens += 1
    } else if (depth > maxDepth || part === null) {
      return
    } else if (words.whole.has(name)) {
      pieces.push(JSON.stringify(part))
    } else if (Array.isArray(part)) {
      for (const one of part) visit(one, name, depth + 1)
    } else if (isRecord(part)) {
      const { reasoning, reasoning_content } = part
      for (const [key, member] of Object.entries(part)) {
        const isRepeated =
          repeated.has(key) || (key === 'reasoning_content' && reasoning === reasoning_content)
        if (isRepeated) continue
        // What a tool is called with has names of its own.
        if (key === 'input' && depth > 0 && isRecord(member)) pieces.push(JSON.stringify(member))
        else visit(member, key, depth + 1)
      }
    }
  }

  visit(value, '', 0)
  return { text: pieces.join('\n'), tokens }
}
