/**
 * Makes JSON that was cut readable: what came after the last whole value is left out, and what is still open is
 * closed. Of what was no JSON before, the result is none either.
 */
export function closeJson(text: string): string {
  const closing: string[] = []
  let isInString = false
  /** Where the last whole value ends; nothing is opened or closed behind it. */
  let end = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isInString) {
      if (char === '\\') at += 1
      else if (char === '"') isInString = false
      continue
    }
    switch (char) {
      case '"':
        isInString = true
        break
      case '{':
      case '[':
        closing.push(char === '{' ? '}' : ']')
        end = at + 1
        break
      case '}':
      case ']':
        closing.pop()
        end = at + 1
        break
      case ',':
        end = at
        break
    }
  }
  return text.slice(0, end) + closing.reverse().join('')
}
