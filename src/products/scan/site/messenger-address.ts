/**
 * The messenger whose account an address opens: "WhatsApp". Addresses that only share a page reach no one.
 * @returns undefined for any other address.
 */
export function messengerOf({ protocol, hostname, pathname, searchParams }: URL): string | undefined {
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
  if (host === 'gitter.im' || host === 'app.gitter.im') return pathname.length > 1 ? 'Gitter' : undefined
  if (host === 'matrix.to') return 'Matrix'
  if (host === 'discord.gg') return pathname.length > 1 ? 'Discord' : undefined
  if (host === 'discord.com') return pathname.startsWith('/invite/') ? 'Discord' : undefined
  if (host.endsWith('.zulipchat.com')) return 'Zulip'
  if (host === 'signal.me') return 'Signal'
  if (host === 'max.ru') return pathname.length > 1 ? 'MAX' : undefined
  if (host === 'zalo.me') return pathname.length > 1 ? 'Zalo' : undefined
  return undefined
}

/** The number that an address of WhatsApp opens, which begins with the code of a country: "+447700900123". */
export function whatsAppNumber(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || messengerOf(url) !== 'WhatsApp') return undefined
  const written =
    url.searchParams.get('phone') ??
    (/(?:^|\.)wa\.me$/.test(url.hostname) && /^\/\+?\d+\/?$/.test(url.pathname) ? url.pathname : '')
  const digits = written.replace(/\D/g, '')
  return digits.length < 8 || digits.length > 15 ? undefined : `+${digits}`
}

const inAppSchemes = new Map([
  ['whatsapp:', 'WhatsApp'],
  ['tg:', 'Telegram'],
  ['viber:', 'Viber'],
])
