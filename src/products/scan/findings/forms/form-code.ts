import { absolute } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { attributeOf } from '../../site/html/elements.ts'
import type { Page, Site } from '../../site/site.ts'
import { sends } from './submit-handlers.ts'

/** The code that may handle the forms of a page. */

export function sourcesOf({ url: base, elements }: Page): string[] {
  return elements.flatMap(({ name, node }) => {
    const source = name === 'script' ? attributeOf(node, 'src') : ''
    return source === '' ? [] : (absolute(source, base) ?? [])
  })
}

export function isLibrary(url: string): boolean {
  return library.test(url)
}

/** Libraries handle no form by themselves, nor does a widget that shows pictures. The script that uses them does. */
const library =
  /(?:jquery|bootstrap|form-validator\.min|swiper|slick|owl|aos|wow|gsap|popper|isotope|masonry|lightbox|fancybox|modernizr|font-?awesome|purecounter|counterup|imagesloaded|waypoints|typed|venobox|magnific|particles|tiny-?slider|splide|flatpickr|datepicker|moment|select2|nice-select|easing|parallax|stellar|scrollax|superfish|animsition|feather|lucide|lottie)[\w.-]*\.js|\/\/(?:www\.googletagmanager\.com|www\.google-analytics\.com|analytics\.ahrefs\.com|plausible\.io|maps\.google(?:apis)?|(?:kit|use)\.fontawesome\.com|(?:[\w-]{1,40}\.){0,3}pxlecdn\.com|snapwidget\.com|lightwidget\.com|connect\.facebook\.net|cdn\.tailwindcss\.com|cdnjs\.cloudflare\.com\/ajax\/libs\/|cdn\.jsdelivr\.net\/npm\/|unpkg\.com\/|code\.jquery\.com\/|ajax\.googleapis\.com\/ajax\/libs\/|www\.google\.com\/recaptcha\/|static\.cloudflareinsights\.com\/|translate\.google\.com\/translate_a\/|platform\.twitter\.com\/)/i

/** All code that may handle a form of the page; undefined where a part of it was not read. */
export function codeOf(page: Page, { capture }: Site): string | undefined {
  const replies = repliesFor(capture, 'script')
  const parts = page.elements
    .filter(({ name, node }) => name === 'script' && attributeOf(node, 'src') === '')
    .map(({ node: { children } }) => (children[0]?.type === 'text' ? children[0].data : ''))
  for (const url of sourcesOf(page)) {
    if (isLibrary(url) && !sends(url)) continue
    const reply = replies.find((one) => one.url === url || one.finalUrl === url)
    if (reply === undefined || reply.isCut || reply.status === 403 || reply.status >= 500) return undefined
    if (reply.status === 200) parts.push(reply.body)
  }
  const code = parts.join('\n')
  return code.length > maxCode || loadsModule(code) ? undefined : code
}

/** Whether a script loads a module of the site, which was not read. */
function loadsModule(code: string): boolean {
  return Array.from(code.matchAll(imported), ([, url = '']) => url).some((url) => !isLibrary(url))
}

const imported =
  /(?<![\w$.@])import(?:\s{0,9}\(\s{0,9}|[\w${},*\s]{1,300}?from\s{0,9}|\s{0,9})["'`]([^"'`\n]{1,300})["'`]|(?<![\w$.@])import\(/g

const maxCode = 600_000
