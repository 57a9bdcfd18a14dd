import type { Evidence } from '../findings/check.ts'
import type { Page } from '../site/site.ts'

/**
 * Accounts in messengers by which people write to a business: in many countries WhatsApp, LINE, KakaoTalk or
 * Telegram stand where others have a form. Links that only share the page reach no one and do not count.
 */
export interface Messenger extends Evidence {
  /** "WhatsApp". */
  readonly name: string
}

export function findMessenger(page: Page): Messenger | undefined {
  for (const { name, node } of page.elements) {
    if (name !== 'a' || !node.attribs.href) continue
    const url = URL.parse(node.attribs.href.trim().slice(0, 500), page.url)
    const messenger = url && nameOf(url)
    if (messenger) return { name: messenger, url: page.url, value: `${messenger}: ${url.href.slice(0, 100)}` }
  }
  return undefined
}

function nameOf({ protocol, hostname, pathname, searchParams }: URL): string | undefined {
  const host = hostname.replace(/^(?:www|m|web|api)\./, '')
  const inApp = inAppSchemes.get(protocol)
  if (inApp !== undefined) return searchParams.has('text') && !searchParams.has('phone') ? undefined : inApp
  if (!/^https?:$/.test(protocol)) return undefined
  if (host === 'wa.me' || host === 'wa.link') return pathname.length > 3 ? 'WhatsApp' : undefined
  if (host === 'whatsapp.com') {
    return searchParams.has('phone') || /^\/(?:channel|catalog|business|message|qr)\//.test(pathname)
      ? 'WhatsApp'
      : undefined
  }
  if (host === 'lin.ee' || host === 'page.line.me' || host === 'liff.line.me') return 'LINE'
  if (host === 'line.me') return /^\/(?:R\/)?(?:ti|oaMessage|@|home)/i.test(pathname) ? 'LINE' : undefined
  if (host === 'pf.kakao.com' || host === 'open.kakao.com') return 'KakaoTalk'
  if (host === 't.me' || host === 'telegram.me')
    return /^\/(?!share|joinchat\/?$|s\/)[\w+]{3,}/.test(pathname) ? 'Telegram' : undefined
  if (host === 'm.me') return pathname.length > 1 ? 'Messenger' : undefined
  if (host === 'zalo.me') return pathname.length > 1 ? 'Zalo' : undefined
  return undefined
}

const inAppSchemes = new Map([
  ['whatsapp:', 'WhatsApp'],
  ['tg:', 'Telegram'],
  ['viber:', 'Viber'],
])
