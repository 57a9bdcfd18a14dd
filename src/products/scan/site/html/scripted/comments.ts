/** The code of a script without its comments, because nothing in them is run. The slashes of an address begin none. */
export function withoutCodeComments(code: string): string {
  return code.replace(comments, ' ')
}

/** In code without line breaks, two slashes stand in a text or in a pattern, and all else would be cut with them. */
const comments = /\/\*[\s\S]{0,2000}?\*\/|(?<=^|[\s;,{}()])\/\/[^\n]{0,300}$/gm
