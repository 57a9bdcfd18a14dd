/**
 * Reads a line that is a Mexican address: "Nordía 36, Carmen, Benito Juárez, 03550 Ciudad de México, CDMX." Between the street
 * and the code stand the quarter and the borough, and streets are often written without a word that says what they are.
 * The state behind the town, or the capital, is the proof: in Spain the same form has other parts between.
 * @param isStreet tells a street with its number
 */
export function mexicanIn(line: string, isStreet: (text: string) => boolean): MexicanAddress | undefined {
  const { street, parts, code, town, region } = mexican.exec(line)?.groups ?? {}
  if (street === undefined || parts === undefined || code === undefined || town === undefined)
    return undefined
  if (!isStreet(street) || (region === undefined && town !== capital)) return undefined
  return {
    streetAddress: `${street}${parts}`,
    addressLocality: town,
    ...(region !== undefined && { addressRegion: region }),
    postalCode: code,
  }
}

interface MexicanAddress {
  readonly streetAddress: string
  readonly addressLocality: string
  readonly addressRegion?: string
  readonly postalCode: string
}

const capital = 'Ciudad de México'

const states =
  'CDMX|Ciudad de México|D\\.?F\\.?|Edo\\. (?:de )?Méx(?:ico|\\.)|Estado de México|Aguascalientes|Ags\\.|Baja California(?: Sur)?|B\\.C\\.(?:S\\.)?|' +
  'Campeche|Camp\\.|Chiapas|Chis\\.|Chihuahua|Chih\\.|Coahuila|Coah\\.|Colima|Col\\.|Durango|Dgo\\.|Guanajuato|Gto\\.|Guerrero|Gro\\.|' +
  'Hidalgo|Hgo\\.|Jalisco|Jal\\.|Michoacán|Mich\\.|Morelos|Mor\\.|Nayarit|Nay\\.|Nuevo León|N\\.L\\.|Oaxaca|Oax\\.|Puebla|Pue\\.|' +
  'Querétaro|Qro\\.|Quintana Roo|Q\\. ?R\\.|San Luis Potosí|S\\.L\\.P\\.|Sinaloa|Sin\\.|Sonora|Son\\.|Tabasco|Tab\\.|Tamaulipas|Tamps\\.|' +
  'Tlaxcala|Tlax\\.|Veracruz|Ver\\.|Yucatán|Yuc\\.|Zacatecas|Zac\\.'

const mexican = new RegExp(
  String.raw`^(?<street>[^,|:;]{4,60})(?<parts>(?:, (?:Col\. ?|Colonia )?\p{Lu}[\p{L}.'’ ]{2,40}){1,3}), (?:C\. ?P\. ?)?(?<code>\d{5}),? (?<town>\p{Lu}[\p{L}'’ ]{1,40})(?:, ?(?<region>${states}))?(?:, ?México)?\.?$`,
  'u',
)
