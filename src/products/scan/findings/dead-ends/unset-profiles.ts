import { attributeOf, type PageElement, spokenText } from '../../site/html/elements.ts'
import type { Site } from '../../site/site.ts'
import { codeOf } from '../forms/form-code.ts'
import { mayReach, readCode } from './click-code.ts'
import type { IdleControl } from './idle-controls.ts'

/**
 * Links that bear the name of a network or a messenger and were never given an address: a template has them in its footer.
 * Libraries give them nothing to do, and so they are told also beside one. They are left out where a script was not read, or
 * may give them an address.
 */
export function unsetProfilesOf(site: Site): readonly IdleControl[] {
  return site.pages.flatMap((page) => {
    const links = page.elements
      .filter(({ name, isHidden }) => name === 'a' && !isHidden)
      .flatMap((link) => {
        const text = networkIn(link)
        return text === undefined ? [] : [{ page, node: link.node, text }]
      })
      .slice(0, maxOfPage)
    const code = links.length === 0 ? undefined : codeOf(page, site)
    if (code === undefined) return []
    const heard = readCode(code, site)
    return links.filter(({ node, text }) => !mayReach(heard, node, text))
  })
}

const maxOfPage = 20

/** The name that the link bears, where it is that of a network. */
function networkIn({ node }: PageElement): string | undefined {
  if (!/^(?:#|javascript:\s*(?:void\s*\(\s*0?\s*\)|;)?\s*;?)$/i.test(attributeOf(node, 'href').trim()))
    return undefined
  const names = Object.keys(node.attribs)
  if (names.some((name) => name.startsWith('data-') || /^(?:on|x-|v-|@|:|hx-)/.test(name))) return undefined
  if (shares.test(`${attributeOf(node, 'class')} ${attributeOf(node, 'id')} ${attributeOf(node, 'rel')}`))
    return undefined
  const said = [spokenText(node, 60), attributeOf(node, 'aria-label'), attributeOf(node, 'title')].find(
    (text) => text.trim() !== '',
  )
  if (said === undefined || said.length > 40 || shares.test(said)) return undefined
  // "Product line" and "Watch our video on YouTube" are about something else.
  const others = lettersOf(said.replace(network, ''))
  if (others === lettersOf(said) || others.length > maxOtherLetters) return undefined
  // The picture and the text beside it say the same.
  return said.trim().replace(/^(.+) \1$/, '$1')
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '')
}

/** "Follow us on" before a name. */
const maxOtherLetters = 12

const shares =
  /shar(?:e|ing)|teilen|partager|compart|condivid|udostępnij|paylaş|поделиться|공유|シェア|مشاركة|log-?in|sign|anmelden|connexion/iu

const network =
  /(?<!\p{L})(?:facebook|instagram|insta|twitter|linkedin|you ?tube|tik ?tok|pinterest|whats ?app|telegram|viber|kakao ?talk|xing|vkontakte|naver|фейсбук|инстаграм|вконтакте|телеграм|فيسبوك|انستغرام|إنستغرام|تويتر|واتساب|يوتيوب|카카오톡|네이버|인스타그램|유튜브|페이스북|フェイスブック|インスタグラム)(?!\p{L})/giu
