import type { Evidence } from '../../findings/check.ts'
import { messengerOf } from '../../site/messenger-address.ts'
import type { Page } from '../../site/site.ts'

/**
 * Accounts in messengers by which people write to a business: in many countries WhatsApp, LINE, KakaoTalk or
 * Telegram stand where others have a form.
 */
export interface Messenger extends Evidence {
  /** "WhatsApp". */
  readonly name: string
}

export function findMessenger(page: Page): Messenger | undefined {
  for (const { name, node } of page.elements) {
    const address = name === 'a' ? node.attribs.href : channelOf(node.attribs['data-channel-public-id'])
    if (!address) continue
    const url = URL.parse(address.trim().slice(0, 500), page.url)
    const messenger = url && messengerOf(url)
    if (messenger) return { name: messenger, url: page.url, value: `${messenger}: ${url.href.slice(0, 100)}` }
  }
  const [written] =
    /(?<!\p{L})WhatsApp:?\s{0,3}\+?\d[\d\s().-]{7,20}\d/u.exec(page.text.slice(0, 100_000)) ?? []
  return written === undefined ? undefined : { name: 'WhatsApp', url: page.url, value: written }
}

/** The address of a channel of KakaoTalk, whose button a script draws. */
function channelOf(id: string | undefined): string | undefined {
  return id !== undefined && /^_\w{3,40}$/.test(id.trim())
    ? `https://pf.kakao.com/${id.trim()}/chat`
    : undefined
}
