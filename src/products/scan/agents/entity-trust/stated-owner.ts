import type { Evidence } from '../../findings/check.ts'
import { shown } from '../../site/addresses.ts'
import { streetsIn } from '../../site/contact/street-address.ts'
import type { Site } from '../../site/site.ts'

/**
 * Finds where a page says who answers for the site without the word for it: the number of a register or a tax office (in
 * Japan and Korea also the representative), and near it the name of the firm and its address. That is all an imprint holds.
 */
export function statedOwner({ pages }: Site): Evidence | undefined {
  for (const { url, text } of pages) {
    const read = text.slice(0, 200_000)
    for (const { 0: found, index } of [...read.matchAll(register)].slice(0, 20)) {
      const near = read.slice(Math.max(0, index - reach), index + found.length + reach)
      if (named.test(near) && (addressed.test(near) || streetsIn(near).length > 0))
        return { url, value: shown(found, 80) }
    }
  }
  return undefined
}

/** A table of facts is not longer. */
const reach = 400

const register =
  /(?<!\p{L})(?:vergi (?:no|numarası|kimlik no)|mersis(?: no)?|ticaret sicil(?: no| numarası)?|USt-?Id(?:Nr)?\.?(?:-Nr\.)?|Handelsregister|HRB|SIRET|SIREN|RCS|CIF|NIF|CNPJ|P\.? ?IVA|partita IVA|KvK(?:-nummer)?|BCE|KBO|ОГРН(?:ИП)?|ИНН|NIP|REGON|ABN|company (?:number|registration(?: number)?|no\.)|registered number|VAT (?:number|no\.|ID))[^\p{L}\d]{0,5}(?:\p{L}{1,12}[ :.]{1,3}){0,2}[A-Z]{0,3}[\d][\d .\-/]{4,20}|(?:法人番号|事業者登録番号|사업자 ?등록 ?번호|统一社会信用代码|統一編號)[^\p{L}\d]{0,5}[\dA-Z][\dA-Z-]{6,20}|(?:代表取締役|代表者|代表社員|대표자|대표이사)[^\p{L}]{0,5}\p{L}{2,12}/giu

/** By its label, or by a legal form. */
const named =
  /(?<!\p{L})(?:ticaret unvanı|ünvanı?|raison sociale|razón social|razão social|ragione sociale|firmenname|statutaire naam|legal name|наименование)(?!\p{L})|(?<!\p{L})(?:ltd|limited|inc|llc|gmbh|ug|ag|kg|s\.?a\.?r?\.?l|sas|s\.?r\.?l|s\.?l|s\.?a|b\.?v|nv|lda|ooo|ооо|ип|şti|a\.ş|sp\. z o\.o)\.?(?![\p{L}])|株式会社|有限会社|合同会社|会社名|社名|商号|주식회사|상호|회사명|有限公司|公司名称/iu

const addressed =
  /(?<!\p{L})(?:adres(?:se|i)?|address|registered office|dirección|domicilio|endereço|indirizzo|sede(?: legale)?|siège(?: social)?|адрес)\s?:?(?!\p{L})|所在地|住所|本社|주소|地址/iu
