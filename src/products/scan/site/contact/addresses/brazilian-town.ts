/** What stands behind a Brazilian street with its number. */
export interface BrazilianTown {
  /** "Sala 3", "Centro": they belong to the street. */
  readonly parts: readonly string[]
  readonly addressLocality: string
  readonly addressRegion: string
  readonly postalCode?: string
}

/**
 * Reads the town and the state behind a Brazilian street: " – Pelotas, RS", ", Centro, Pelotas - RS, 96015-630". The state
 * is the proof, and the name right before it is the town. In the largest cities people write a quarter before the state
 * and leave the town out ("Moema – SP"): there a name for the quarter has to stand before it.
 * @param ofPage its lines: where no sign parts street and town, the town has to begin a line
 */
export function brazilianTownBehind(
  street: string,
  behind: string,
  ofPage: readonly string[],
): BrazilianTown | undefined {
  if (!brazilianStreet.test(street)) return undefined
  const { names, short, long, code } = upToState.exec(behind.slice(0, 160))?.groups ?? {}
  const region = short ?? long
  if (names === undefined || region === undefined) return undefined
  const lines = ofPage.slice(0, maxLines).filter((line) => line.length <= maxCharacters)
  const parts = names
    .split(/,\s?|\s[–-]\s|(?<=(?:^|, )Centro) (?=\p{Lu})/u)
    .flatMap((part) => byLines(part.trim(), lines))
  const isParted = parts[0] === ''
  const [town = '', ...before] = parts.filter((part) => part !== '').toReversed()
  if (!isTown.test(town) || quarter.test(town) || !before.every((part) => isPart.test(part))) return undefined
  if (long !== undefined && quarterBegins.test(town)) return undefined
  if (large.has(region) && town !== 'Brasília' && !before.some((part) => !room.test(part))) return undefined
  if (ofPage.length > 0 && !lines.some((line) => line.includes(town))) return undefined
  const first = before.at(-1) ?? town
  if (!isParted && !lines.some((line) => line.startsWith(first))) return undefined
  return {
    parts: before.toReversed(),
    addressLocality: town,
    addressRegion: region,
    // Five digits are half of a code.
    ...(code !== undefined && { postalCode: code }),
  }
}

/** "Centro" and "Guaxupé", where one ends a line and the other begins the next: the text of a page joins them. */
function byLines(part: string, lines: readonly string[]): readonly string[] {
  if (lines.some((line) => line.includes(part))) return [part]
  const words = part.split(' ')
  const at = words.findIndex((_, place) => {
    const [before, behind] = [words.slice(0, place).join(' '), words.slice(place).join(' ')]
    return (
      place > 0 &&
      lines.some((line) => line.endsWith(before)) &&
      lines.some((line) => line.startsWith(behind))
    )
  })
  return at === -1 ? [part] : [words.slice(0, at).join(' '), words.slice(at).join(' ')]
}

const maxLines = 2_000
const maxCharacters = 500

const brazilianStreet = /^(?:Rua|R\.|Av\.|Avenida|Travessa|Tv\.|Alameda|Al\.|Praça|Estrada|Rodovia|Largo) ?/

const states = 'AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO'
/** Without São Paulo and Rio de Janeiro, which are towns as well: "Bela Vista, São Paulo". */
const longStates =
  'Acre|Alagoas|Amapá|Amazonas|Bahia|Ceará|Espírito Santo|Goiás|Maranhão|Mato Grosso(?: do Sul)?|Minas Gerais|Pará|Paraíba|' +
  'Paraná|Pernambuco|Piauí|Rio Grande do (?:Norte|Sul)|Rondônia|Roraima|Santa Catarina|Sergipe|Tocantins'

const upToState = new RegExp(
  String.raw`^(?<names>(?:\s?[,–-])?\s{0,2}[^|:;()]{2,100}?)(?:\s?[,/–-]\s?(?<short>${states})|,\s?(?<long>${longStates}))(?![\p{L}\d])(?:[\s,.–-]{1,4}(?:Bra[sz]il[\s,.–-]{1,4})?(?:CEP:?\s?)?(?<code>\d{5}-\d{3}|\d{8})(?!\d))?`,
  'u',
)

const large: ReadonlySet<string> = new Set(['SP', 'RJ', 'DF'])
const isTown = /^\p{Lu}[\p{L}'’-]{1,25}(?: (?:d[aeo]s?|d['’]\p{Lu}\p{L}+|\p{Lu}[\p{L}'’.-]{1,25})){0,4}$/u
/** Of a street: no telephone number, and no word that begins another line of the page. */
const isPart =
  /^(?!(?:tel|fone|cel|whats|contato|hor[aá]rio|cep|e-?mail|seg|atend)\p{L}*(?!\p{L}))[\p{L}\d](?!.*\d{5})[\p{L}\d .'’ºª°/-]{0,40}$/iu
const room =
  /^(?:sala|sl|conj|cj|loja|lj|andar|bloco|bl|apto?|ap|\d)(?!\p{L})|^(?:conjunto|edif[ií]cio|ed\.|shopping|galeria)/iu
/** No town is called so, and these quarters of large cities are often written without theirs. */
const quarter =
  /^(?:Centro|Jardins?|Asa (?:Norte|Sul)|Savassi|Lourdes|Funcionários|Boa Viagem|Aldeota|Meireles|Pituba|Barra|Moinhos de Vento|Batel|Ponta Negra|Adrianópolis|Setor .{1,40}|Bairro .{1,40}|Zona .{1,40}|.{1,20} Shopping)$/u
const quarterBegins = /^(?:Jardim|Jd|Vila|Parque|Residencial|Conjunto|Santo|Alto|Cidade)(?!\p{L})/u
