import { attributeOf } from '../scan/site/html/elements.ts'
import type { Site } from '../scan/site/site.ts'

/** How a customer gets through to the business, as the pages show it. */
export function contactOf(site: Site): string[] {
  const links = site.pages.flatMap((page) => page.links)
  const elements = site.pages.flatMap((page) => page.elements)
  const targets = elements.flatMap(({ name, node }) => (name === 'a' ? [attributeOf(node, 'href')] : []))
  const isFormed = elements.some(
    ({ name, node }) => name === 'textarea' || attributeOf(node, 'type') === 'email',
  )
  const found: readonly (readonly [string, boolean])[] = [
    [
      'phone',
      site.pages.some(({ phones }) => phones.length > 0) || targets.some((href) => /^tel:/i.test(href)),
    ],
    ['e-mail', targets.some((href) => /^mailto:/i.test(href))],
    ['a contact form', isFormed],
    [
      'online booking',
      links.some(
        ({ url, text }) =>
          bookingHost.test(url) ||
          /^(?:book|reserve|schedule)\b.{0,30}$/i.test(text.trim()) ||
          /\bbook(?:ing)? online\b/i.test(text),
      ),
    ],
    ['an online shop', site.profile.shop],
    ['chat', elements.some(({ name, node }) => name === 'script' && chatHost.test(attributeOf(node, 'src')))],
    ['WhatsApp', targets.some((href) => /^https?:\/\/(?:wa\.me|api\.whatsapp\.com)\//i.test(href))],
    ['a customer login', site.profile.app],
  ]
  return found.filter(([, isFound]) => isFound).map(([name]) => name)
}

const bookingHost =
  /^https?:\/\/(?:[\w-]+\.)*(?:calendly\.com|cal\.com|acuityscheduling\.com|booksy\.com|fresha\.com|opentable\.[a-z.]+|resy\.com|doctolib\.[a-z]+|zocdoc\.com|simplybook\.[a-z]+|mindbodyonline\.com|squareup\.com\/appointments)\b/i
const chatHost =
  /(?:intercom|drift|tawk|crisp|zendesk|livechat|tidio|hubspot)[\w.-]*\.(?:com|io|to|chat|net)\b/i
