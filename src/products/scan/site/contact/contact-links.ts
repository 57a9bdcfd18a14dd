import { decodedPathOf } from '../addresses.ts'
import { folded } from '../kinds/kind-phrases.ts'
import { isLinkOfKind, isPathOfKind } from '../kinds/page-kinds.ts'

/**
 * Which links to pages for contact say only where the house stands. "Anfahrt" and "Contact" are of one kind, but the form
 * stands on the second page. A check that had read the first one would call the form missing.
 */
export function isPlaceOnly(link: { readonly url: string; readonly text: string }): boolean {
  const parts = decodedPathOf(link.url)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/\.\w{2,5}$/, ''))
  const isPlace = (text: string) => place.test(folded(text))
  if (!isPlace(link.text) && !parts.some(isPlace)) return false
  const isText = isLinkOfKind({ url: 'https://x/', text: link.text, isInternal: false }, 'contact')
  if (isText && !isPlace(link.text)) return false
  return !parts.some((part) => isPathOfKind(`https://x/${part}`, 'contact') && !isPlace(part))
}

/** A link whose words or address promise a form: "Zimmeranfrage", "/contact-form". */
export function promisesForm({ url, text }: { readonly url: string; readonly text: string }): boolean {
  return form.test(folded(text)) || form.test(folded(decodedPathOf(url)))
}

/** Of texts as `folded` writes them. */
const place = new RegExp(
  `^(?:(?:our|your|the|unser|ihr|notre|nos|nuestra|la|il|het|onze) )?(?:${[
    'locations?|find us|how to find us|how to reach us|getting here|how to get here|directions|visit us|hours and location|location and hours',
    'anfahrt|anreise|standorte?|lage|lage und anreise|anreise und lage|so finden sie (?:zu )?uns|weg zu uns|anfahrtsplan|anfahrtsbeschreibung',
    'acces|plan d acces|nous trouver|ou nous trouver|nous rejoindre|venir chez nous|comment venir',
    'donde estamos|encuentranos|como llegar|ubicacion|localizacion|dove siamo|come raggiungerci|dove trovarci|come arrivare|raggiungerci',
    'onde estamos|como chegar|localizacao|onde nos encontrar|bereikbaarheid|route|routebeschrijving|adres|locatie|waar vind je ons|waar vindt u ons',
    'ulasim|nerede|yol tarifi|как нас наити|как добраться|адреса?|схема проезда|как к нам проехать|проезд|العنوان|موقعنا|كيف تصل الينا',
    'アクセス|交通アクセス|アクセスマッフ|アクセス 地図|所在地|地図|찾아오시는 ?길|오시는 ?길|위치 ?안내|위치|약도|门店地址|交通資訊|地址|交通指南|交通位置|來院交通|位置',
  ].join('|')})$`,
  'u',
)

const form =
  /(?:^| )(?:\p{L}*(?:anfrage|kontaktformular)|enquir(?:y|ies)|inquir(?:y|ies)|enquiry form|contact form|formulaire de contact|formulario de contacto|modulo di contatto|formulario de contato|contactformulier|request form)(?= |$)/u
