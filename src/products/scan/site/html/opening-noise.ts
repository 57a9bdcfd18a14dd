import { beginsWithDay } from '../contact/opening-days.ts'
import { type Element, isElement } from './visible-text.ts'
import { countWords } from './words.ts'

/** Which lines and boxes near the top of a page are no opening of its text. */

/** A copyright line, what a script replaces, opening hours, or a line with a telephone number or an address. */
export function isNoise(text: string): boolean {
  const words = countWords(text)
  return (
    isPlaceholderText(text) ||
    (words <= 40 && copyright.test(text)) ||
    (beginsWithDay(text) && /\d/.test(text.slice(0, 40))) ||
    (words < 25 && (contact.test(text) || hours.test(text)))
  )
}

/** "Loading home content…", "{{ result }}": a script puts something else there. */
export function isPlaceholderText(text: string): boolean {
  const line = text.trim()
  return (
    /\{\{[^}]{1,80}\}\}/.test(line) ||
    (line.length <= 80 && countWords(line) <= 8 && loading.test(line)) ||
    needsProgram.test(line)
  )
}

/** "If you are reading this you have JavaScript disabled or are missing the Flash plugin." */
const needsProgram =
  /^(?:please (?:enable|turn on) javascript|(?:this (?:site|page|app) )?(?:requires|needs) javascript|you (?:need|have) to enable javascript|(?:if )?you(?:r|['’]re)? (?:are )?(?:reading|seeing) this[^.]{0,60}(?:javascript|flash)|(?:javascript|(?:adobe )?flash(?: player)?) (?:is|seems to be) (?:disabled|required|missing|turned off|not (?:enabled|installed))|(?:javascript|(?:adobe )?flash(?: player)?) (?:must|needs to) be (?:enabled|installed))/i

const loading =
  /^(?:now )?(?:loading|please wait|fetching|cargando|chargement|wird geladen|lädt|laden|caricamento|carregando|a carregar|yükleniyor|ładowanie|wczytywanie|načítání|indlæser|laddar|laster|загрузка|завантаження|جار[يٍ] التحميل|読み込み中|로딩|加载中|載入中)(?:\P{L}{0,5}|[^.!?…]{0,60}(?:…|\.{3})\P{L}{0,3})$/iu

const copyright =
  /©|\(c\)\s?\d{4}|(?<!\p{L})copyright(?!\p{L})|all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|tutti i diritti|todos os direitos|alle rechten voorbehouden|tüm hakları|все права защищены|wszelkie prawa/iu

const contact =
  /[\w.+-]{1,40}@[\w-]{1,40}\.\w{2,}|(?:\+|\(0|(?<!\d)0)\d[\d\s()/.-]{6,18}\d|(?<!\d)\d{3}[\s.-]\d{3}[\s.-]\d{4}(?!\d)/u

const hours =
  /\d{1,2}(?:[:.h]\d{2}|\s?(?:am|pm|uhr|h))\s?(?:[–—-]|to|bis|a|à|alle)\s?\d{1,2}(?:[:.h]\d{2}|\s?(?:am|pm|uhr|h))/iu

/** Above what is new today, which may stand before what the site is. */
export function isNotices(heading: string): boolean {
  return notices.test(heading.slice(0, 60))
}

const notices =
  /^[^\p{L}]{0,4}(?:notices?|announcements?|latest news|news|mitteilungen|aktuelles|neuigkeiten|hinweise?|actualités|annonces|avisos|noticias|novedades|avvisi|notizie|notícias|mededelingen?|nieuws|aankondigingen|duyurular|haberler|объявления|новости|оголошення|новини|إعلانات|أخبار|お知らせ|新着情報|ニュース|공지사항|알림|公告|通知|最新消息|ประกาศ|ข่าว|सूचना\p{M}*)[^\p{L}]{0,4}$/iu

/** A paragraph that sends readers elsewhere. */
export function sendsElsewhere(text: string): boolean {
  return clickHere.test(text)
}

const clickHere =
  /(?<!\p{L})(?:click here|klicken sie hier|hier klicken|cliquez ici|haga? clic aquí|clicca qui|clique aqui|klik hier|(?:buraya )?tıklayın|нажмите (?:здесь|сюда)|натисніть (?:тут|сюди)|اضغط هنا|انقر هنا)(?!\p{L})|こちらをクリック|여기를 클릭|点击(?:这里|此处)|點擊(?:這裡|此處)|คลิกที่นี่/iu

/** Beside it stands a box of the same name and class, and both have a heading or a link of their own. */
export function isCard(element: Element): boolean {
  if (!cardNames.has(element.name)) return false
  const own = element.attribs.class?.trim() ?? ''
  if (own === '' || !announcesSomething(element)) return false
  return [nextOf(element, 'next'), nextOf(element, 'prev')].some(
    (other) =>
      other !== undefined &&
      other.name === element.name &&
      (other.attribs.class?.trim() ?? '') === own &&
      announcesSomething(other),
  )
}

const cardNames: ReadonlySet<string> = new Set(['div', 'a', 'li', 'article'])

function nextOf(element: Element, way: 'next' | 'prev'): Element | undefined {
  let other = element[way]
  // White space and comments stand between boxes.
  for (let steps = 0; steps < 5 && other !== null; steps += 1) {
    if (isElement(other)) return other
    other = other[way]
  }
  return undefined
}

/** A small box with a link or a heading; a large one is a column of the page. */
function announcesSomething(element: Element): boolean {
  let left = maxNodes
  let words = 0
  let isFound = element.name === 'a'
  const visit = (node: Element) => {
    for (const child of node.children) {
      left -= 1
      if (left < 0) return
      if (child.type === 'text') words += countWords(child.data)
      if (!isElement(child)) continue
      isFound ||= child.name === 'a' || /^h[2-6]$/.test(child.name)
      visit(child)
    }
  }
  visit(element)
  return isFound && left >= 0 && words <= 80
}

const maxNodes = 150
