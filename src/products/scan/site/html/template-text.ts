/**
 * What a template leaves for its owner to fill in. A form that is sent to "YOUR_FORM_ID" reaches no one, and an imprint
 * with "[Name of the association]" names no one.
 */

/** The first text in brackets that asks to be replaced; undefined where there is none. */
export function templateTextIn(text: string): string | undefined {
  const start = text.slice(0, 200_000)
  return [bracketed, unfinished, toInsert].map((one) => one.exec(start)?.[0]).find((one) => one !== undefined)
}

/** "À compléter : forme juridique" at the beginning of a line. "Le formulaire à compléter : …" is one to send. */
export function isOpenEntry(line: string): boolean {
  return openEntry.test(line)
}

const openEntry =
  /^\s*(?:À compléter|Da completare|A completar|Por completar|Zu ergänzen|To be completed|Nog in te vullen)\s?[:：]\s?\p{L}/u

/** "[Name des Inhabers – bitte ergänzen]", and "Telefon: Nummer einfügen". */
const toInsert =
  /\[[^[\]]{2,100}(?:bitte ergänzen|bitte (?:einfügen|eintragen)|to be (?:completed|added)|(?:à|a) (?:compléter|remplir|completar|rellenar)|da completare)[^[\]]{0,60}\]|(?<=[:：]\s{0,3})(?:(?:telefon|handy|mobil|whatsapp)?nummer|e-?mail(?:-?adresse)?|adresse|name|anschrift|(?:phone )?number|email|address) (?:hier )?(?:einfügen|eintragen|ergänzen|here)(?!\p{L})/iu

/** In brackets of any kind: "<à compléter>", "[TODO]"; behind a colon: "N° TVA : à remplir"; and what stands for digits: "XXXX". */
const unfinished =
  /[[<{(](?:todo|tbd|tba|placeholder|platzhalter|to be (?:completed|added|filled in)|(?:bitte |noch )?(?:zu )?ergänzen|(?:à|a) (?:compléter|remplir|renseigner)|(?:a|por) (?:completar|rellenar|preencher)|da (?:completare|compilare)|(?:nog )?in te vullen|doldurulacak|заполнить)(?!\p{L})[^[\]<>{}()]{0,60}[\]>})]|(?<=[:：]\s{0,3})(?:to be (?:completed|filled in)|(?:noch )?zu ergänzen|(?:à|a) (?:compléter|remplir|renseigner)|(?:a|por) (?:completar|rellenar|preencher)|da (?:completare|compilare|inserire)|(?:nog )?in te vullen)(?!\p{L})|(?<!\p{L})inserire (?:qui |i )?(?:dati|nome|indirizzo|testo)(?!\p{L})|(?<![\p{L}\p{N}])(?:X{4,}|XXX(?:[\s./-]XXX?)+)(?![\p{L}\p{N}])/iu

const bracketed =
  /\[(?:(?:insert|enter|your|votre|vos|ihre?|dein|tu|su|il tuo|seu|uw)(?![\p{L}])[^[\]]{0,60}|(?:full |company |business |firmen|vollständige[rn]? )?(?:name|address|anschrift)(?: (?:of|des|der)(?![\p{L}])[^[\]]{0,60})?|(?:nom|adresse|raison sociale|nombre|dirección|nome|indirizzo|naam|adres)(?: (?:complète|postale|completa|completo|de|du|des|del|della|van)(?![\p{L}])[^[\]]{0,60})?|à (?:compléter|adapter|remplir)[^[\]]{0,60})\]/iu

/** Whether the address that a form is sent to was left as the template has it. */
export function isTemplateTarget(action: string): boolean {
  const [mail = ''] = /[^/=?&:@\s]+@[^/=?&@\s]+/.exec(action.slice(0, 500)) ?? []
  return (
    isSampleMail(mail.toLowerCase()) ||
    /(?:^|[/=?&:.])(?:your|votre|deine?|ihre?|tu|su|seu|uw)[_-](?:[a-z0-9]+[_-])*(?:id|identifiant|identifier|kennung|identificador|form|form_?id|key|endpoint|code|hash|token|formspree)(?:[_-][a-z0-9]+)*(?=$|[/?&])|\/x{5,}$/i.test(
      action.trim().slice(0, 500),
    )
  )
}

/** "YOUR_ACCESS_KEY_HERE": a service takes no message with it. */
export function isTemplateKey(value: string): boolean {
  return /^<?(?:your|my|insert|enter|votre|deine?|ihre?|tu|su|seu)[_ -](?:[a-z0-9]+[_ -]){0,4}(?:key|id|token|uuid|email|endpoint)(?:[_ -]here)?>?$/i.test(
    value.trim().slice(0, 100),
  )
}

/** Domains that are reserved for documentation (RFC 2606), and those that templates write: "info@yourdomain.com". */
export function isSampleMail(address: string): boolean {
  return /^(?:dummy|your-?(?:name|email)|name|user|someone|sample)@(?:e?mail|domain|test)\.com$|@(?:[\w-]+\.)*(?:x{3,}\.[a-z]{2,4}|example\.(?:com|net|org)|(?:your|my)-?(?:domain|company|website|site|business|email|firm|brand|organi[sz]ation)\.(?:com|org|net|de|fr|es|it|nl)|(?:domain|website|company|yoursite)\.(?:com|tld)|(?:deine|ihre|meine)-?(?:domain|firma|webseite|website)\.(?:de|at|ch|com)|(?:tu|su|mi)-?(?:dominio|empresa|sitio|web)\.(?:com|es)|(?:votre|mon)-?(?:domaine|site|entreprise)\.(?:com|fr)|(?:tuo|mio)-?(?:dominio|sito)\.(?:com|it)|(?:seu|meu)-?(?:dominio|site|empresa)\.com(?:\.br)?)$/.test(
    address,
  )
}
