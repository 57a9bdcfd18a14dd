/** What the Link headers of an answer point to (RFC 8288), with absolute addresses. */
export interface HeaderLink {
  readonly url: string
  /** In lower case. */
  readonly rels: readonly string[]
  readonly type: string
}

const maxLinks = 50

export function readLinkHeader(values: readonly string[], base: string): HeaderLink[] {
  return values
    .flatMap((value) => splitLinks(value.slice(0, 16_384)))
    .slice(0, maxLinks)
    .flatMap(({ target, parameters }) => {
      if (!URL.canParse(target, base)) return []
      const rels = parameterOf(parameters, 'rel').toLowerCase().split(/\s+/).filter(Boolean)
      return [{ url: new URL(target, base).href, rels, type: parameterOf(parameters, 'type').toLowerCase() }]
    })
}

/** `<a>; rel=x, <b>; rel=y`: a link's parameters end where the next `<` begins. */
function splitLinks(value: string): { target: string; parameters: string }[] {
  return value.split('<').flatMap((piece) => {
    const end = piece.indexOf('>')
    return end < 0 ? [] : [{ target: piece.slice(0, end).trim(), parameters: piece.slice(end + 1) }]
  })
}

function parameterOf(parameters: string, name: string): string {
  for (const parameter of parameters.split(';')) {
    const equals = parameter.indexOf('=')
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== name) continue
    return parameter
      .slice(equals + 1)
      .replace(/,\s*$/, '')
      .trim()
      .replace(/^"/, '')
      .replace(/"$/, '')
  }
  return ''
}
