import type { CheerioAPI } from 'cheerio'
import { beginsWithDay } from '../contact/opening-days.ts'
import { asideRule, isSiteHeader, isTeaser, textOf } from './main-part.ts'
import { around, type Element, isElement, oneLine, seenWithin, textWithin } from './visible-text.ts'
import { countWords } from './words.ts'

/**
 * The first paragraph with words after the first h1, or of the page when it has no h1. Where it is a motto of a few
 * words, and a longer paragraph follows under the same heading, that one is the opening.
 */
export function firstParagraph({ $ }: { readonly $: CheerioAPI }): string | undefined {
  const elements = [...seenWithin($('body').toArray(), asideRule($))]
  const top = elements.findIndex((element) => element.name === 'h1' && textWithin([element]) !== '')
  let motto: string | undefined
  let notice: string | undefined
  let isAmongNotices = false
  const after = elements.slice(top + 1)
  const isTeaserText = teaserRule()
  for (const element of after) {
    const isHeading = /^h[1-6]$/.test(element.name)
    if (motto !== undefined && isHeading) return motto
    if (isHeading) isAmongNotices = notices.test(textWithin([element]).slice(0, 60))
    const text = element.name === 'p' ? untilGap(element) : ''
    const words = countWords(text)
    if (words === 0 || isTeaserText(element) || (words < 4 && isLogoLine(element)) || isNoProse(text))
      continue
    if (isAmongNotices || (words < 40 && clickHere.test(text))) {
      notice ??= text
      continue
    }
    if (motto !== undefined) return words >= 15 ? text : motto
    if (words > 9 || top === -1) return text
    motto = text
  }
  return motto ?? notice ?? (top === -1 ? undefined : textInBox(after))
}

/** What a script replaces ("Loading…", "{{ result }}"), and opening hours in a side column. */
function isNoProse(text: string): boolean {
  return (
    /\{\{[^}]{1,80}\}\}/.test(text) ||
    /^(?:loading|please wait|cargando|chargement|wird geladen|lädt|caricamento|carregando|laden|yükleniyor|загрузка|جار[يٍ] التحميل|読み込み中|로딩|加载中|載入中)\P{L}{0,5}$/iu.test(
      text.trim(),
    ) ||
    (beginsWithDay(text) && /\d/.test(text.slice(0, 40)))
  )
}

/** Below the name in the header of a site stands its town or its trade, which opens no text. */
function isLogoLine(paragraph: Element): boolean {
  return around(paragraph).some(isSiteHeader)
}

/** An article among others, with a date or a link as its heading, announces another page. */
function teaserRule(): (paragraph: Element) => boolean {
  const known = new Map<Element, boolean>()
  return (paragraph) => {
    const article = around(paragraph).find(({ name }) => name === 'article')
    if (article === undefined) return false
    const isKnown = known.get(article) ?? (isAmongArticles(article) && announces(article))
    known.set(article, isKnown)
    return isKnown
  }
}

function isAmongArticles({ next, prev }: Element): boolean {
  const isArticle = (node: unknown) => isElement(node) && node.name === 'article'
  // Beside an article there may be a line break in the source.
  return [next, next?.next, prev, prev?.prev].some(isArticle)
}

function announces(element: Element): boolean {
  return element.children.some(
    (child) =>
      isElement(child) &&
      (child.name === 'time' ||
        (element.name === 'article' && child.name === 'a') ||
        (/^h[1-6]$/.test(child.name) && isTeaser(child)) ||
        announces(child)),
  )
}

/** The text of the first box without paragraphs, before the next heading. */
function textInBox(elements: readonly Element[]): string | undefined {
  for (const element of elements) {
    if (/^h[1-6]$/.test(element.name) || around(element).some(({ name }) => name === 'a')) return undefined
    const isBox = element.name === 'div' && element.children.some((child) => textOf(child) !== '')
    const text = isBox ? textWithin([element]) : ''
    if (countWords(text) >= 4) return text
  }
  return undefined
}

/** The text of a paragraph up to two line breaks in a row, which readers see as its end. */
function untilGap(paragraph: Element): string {
  const isBreak = (node: unknown) => isElement(node) && node.name === 'br'
  const parts = paragraph.children.filter((node) => node.type !== 'text' || node.data.trim() !== '')
  const gaps = parts.filter((node, at) => isBreak(node) && isBreak(parts[at + 1]))
  for (const gap of gaps) {
    const before = paragraph.children.slice(0, paragraph.children.indexOf(gap))
    const text = oneLine(
      before
        .map((node) => (isElement(node) ? ` ${textWithin([node])} ` : node.type === 'text' ? node.data : ' '))
        .join(''),
    )
    if (countWords(text) > 0) return text
  }
  return textWithin([paragraph])
}

/** Above what is new today, which may stand before what the site is. */
const notices =
  /^[^\p{L}]{0,4}(?:notices?|announcements?|latest news|news|mitteilungen|aktuelles|neuigkeiten|hinweise?|actualités|annonces|avisos|noticias|novedades|avvisi|notizie|notícias|mededelingen?|nieuws|aankondigingen|duyurular|haberler|объявления|новости|оголошення|новини|إعلانات|أخبار|お知らせ|新着情報|ニュース|공지사항|알림|公告|通知|最新消息|ประกาศ|ข่าว|सूचना\p{M}*)[^\p{L}]{0,4}$/iu

/** A paragraph that sends readers elsewhere. */
const clickHere =
  /(?<!\p{L})(?:click here|klicken sie hier|hier klicken|cliquez ici|haga? clic aquí|clicca qui|clique aqui|klik hier|(?:buraya )?tıklayın|нажмите (?:здесь|сюда)|натисніть (?:тут|сюди)|اضغط هنا|انقر هنا)(?!\p{L})|こちらをクリック|여기를 클릭|点击(?:这里|此处)|點擊(?:這裡|此處)|คลิกที่นี่/iu
