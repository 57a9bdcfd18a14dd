/**
 * The part of PostgreSQL's wire protocol that shows which payment states a gateway writes: the bounds of
 * messages, and which statement runs with which parameters
 * (https://www.postgresql.org/docs/18/protocol-message-formats.html). A search in raw chunks would miss text
 * that TCP splits, and would take a compared state for a written one.
 */
export interface Message {
  /** The first letter; empty for the first message of a connection. */
  readonly type: string
  /** The whole message. */
  readonly bytes: Buffer
}

/**
 * Splits one direction of a connection into messages.
 * @param first `untyped` for the client's side, whose first message has a length and no letter.
 */
export function createSplitter(first: 'untyped' | 'typed'): (chunk: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0)
  let typed = first === 'typed'
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Message[] = []
    for (;;) {
      const head = typed ? 1 : 0
      if (rest.length < head + 4) return messages
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return messages
      messages.push({
        type: typed ? String.fromCharCode(rest.readUInt8(0)) : '',
        bytes: rest.subarray(0, end),
      })
      rest = rest.subarray(end)
      typed = true
    }
  }
}

/**
 * Follows the statements of one client.
 * @returns for each message, the payment states that it writes.
 */
export function createStatementReader(): (message: Message) => readonly string[] {
  const prepared = new Map<string, string>()
  return ({ type, bytes }) => {
    const fields = createFieldReader(bytes)
    switch (type) {
      case 'Q':
        return statesWritten(fields.text(), [])
      case 'P':
        prepared.set(fields.text(), fields.text())
        return []
      case 'B': {
        fields.text()
        const statement = prepared.get(fields.text()) ?? ''
        return statesWritten(statement, fields.parameters())
      }
      default:
        return []
    }
  }
}

/** Reads the fields of a typed message, in order. */
function createFieldReader(bytes: Buffer) {
  let at = 5
  const int16 = () => {
    at += 2
    return bytes.readInt16BE(at - 2)
  }
  return {
    text(): string {
      const start = at
      at = bytes.indexOf(0, start) + 1
      return bytes.toString('utf8', start, at - 1)
    },
    /** Skips the format codes, which only matter to numbers and dates, and reads the values. */
    parameters(): string[] {
      const formats = int16()
      at += 2 * formats
      return Array.from({ length: int16() }, () => {
        const length = bytes.readInt32BE(at)
        const start = at + 4
        at = start + Math.max(length, 0)
        return bytes.toString('utf8', start, at)
      })
    },
  }
}

/**
 * The values that an INSERT into the payments, or an UPDATE of them, writes to the column `state`. A claim is
 * a function in the store, which decides the state; here it counts as `claimed`.
 */
export function statesWritten(statement: string, parameters: readonly string[]): readonly string[] {
  if (/\bselect\b.*\bclaim_(?:payments?|runs)\s*\(/is.test(statement)) return ['claimed']
  if (!/\b(?:insert\s+into|update)\s+"?payments"?(?!\w)/i.test(statement)) return []
  return [...inserted(statement), ...assigned(statement)].flatMap((value) => {
    const literal = /^'(.*)'$/.exec(value)?.[1]
    const parameter = /^\$(\d+)$/.exec(value)?.[1]
    return literal ?? parameters[Number(parameter) - 1] ?? []
  })
}

function inserted(statement: string): string[] {
  const [, columns = '', values = ''] = /\(([^()]*)\)\s*values\s*\(([^()]*)\)/i.exec(statement) ?? []
  const place = columns.split(',').findIndex((column) => /^"?state"?$/.test(column.trim()))
  return values
    .split(',')
    .slice(place, place + 1)
    .map((value) => value.trim())
}

function assigned(statement: string): string[] {
  const clauses = statement.matchAll(/\bset\s(.*?)(?:\bwhere\b|\breturning\b|$)/gis)
  return [...clauses].flatMap(([, clause = '']) =>
    [...clause.matchAll(/(?<![\w.])"?state"?\s*=\s*(\$\d+|'\w*')/g)].map(([, value = '']) => value),
  )
}
