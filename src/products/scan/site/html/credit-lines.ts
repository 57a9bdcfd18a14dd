import type { Page } from '../site.ts'

/**
 * The texts of a page that follow a credit: "Website by", "Mit Unterstützung von", "Hébergeur :". The address there is
 * that of a web designer or of the firm that hosts the site. An owner who published it as the own one would send
 * customers to somebody else.
 */
export function creditLinesOf(page: Page): readonly string[] {
  const seen = known.get(page)
  if (seen !== undefined) return seen
  const lines = page.lines.slice(0, maxLines)
  const found = lines.flatMap((line, at) => {
    const host = hosts.exec(line)
    const match = host ?? credits.exec(line)
    if (match === null) return []
    const rest = line.slice(match.index + match[0].length, match.index + maxCharacters)
    const isHead = !/\p{L}/u.test(rest)
    // The name of a host has its street in the lines below.
    const below = host !== null || isHead ? linesBelow(lines, at, isHead ? 3 : 2) : []
    return [[rest.split(separator, 1)[0] ?? '', ...below].join(' ')]
  })
  known.set(page, found)
  return found
}

const known = new WeakMap<Page, readonly string[]>()
const maxLines = 20_000
const maxCharacters = 250

/** Footers separate their parts so. */
const separator = / [|·•] /

/** A line that begins with a label of its own, "Contact: …", belongs to something else. */
function linesBelow(lines: readonly string[], at: number, count: number): readonly string[] {
  const below = lines.slice(at + 1, at + 1 + count).map((line) => line.slice(0, maxCharacters))
  const end = below.findIndex((line) =>
    /^(?!(?:e-?mail|mail|tel|téléphone|telefon|adresse|address)\b)\p{L}[\p{L} '’-]{1,40} ?:/iu.test(line),
  )
  return end === -1 ? below : below.slice(0, end)
}

/** A guest house offers "hébergement" and "alojamiento", and an evening is "hosted by" a person. */
const hosts =
  /(?<![\p{L}\p{N}])(?:hébergeur|hébergé(?: chez| par)|hébergement (?:du site|web|par)|(?:web)?hosting(?= ?:| ?$| by | von | bei | durch )|(?:web)?hoster(?= ?:| ?$)|(?:web ?site|site|page)(?: is| was)? hosted (?:by|on|at)|gehostet (?:von|bei)|alojamiento web|alojado (?:en|por)|proveedor de hosting)(?: du site| web)?(?: by| von| bei| durch)?[\s:–-]*/iu

const credits =
  /(?:^|[|·•©.,–-] ?)(?:mit (?:freundlicher |technischer )?unterstützung von|web ?master(?= ?[:@(]| ?$)|web ?design (?:&|und) (?:technische )?umsetzung(?= ?:| ?$)|(?:web ?design|(?:technische )?umsetzung|programmierung|réalisation)(?= ?:)|web ?design (?:by|von|durch)|(?:réalisation|conception|création)(?: et réalisation)? (?:du site|web)|(?:web ?site|site|homepage|page)(?: (?:was |is )?(?:designed|developed|built|made|created|maintained))? by|(?:designed|developed|powered)(?: (?:and|&) (?:designed|developed|built|maintained))? by|(?:site (?:web )?)?réalisé par|(?:gestaltet|erstellt|betreut|programmiert) von|diseño web(?: por| ?:)|(?:diseñado|desarrollado|desenvolvido) por|(?:sito )?(?:realizzato|sviluppato|creato) da|website door)[\s:–-]*/iu
