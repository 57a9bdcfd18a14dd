import type { SiteReply } from '../../capture.ts'

/**
 * A piece of HTML that a script of another page loads into a window or a box, such as the portrait of a dentist: it has
 * none of the tags that a page of its own has. What a page has to have, a title and a language above all, is missing
 * there for a good reason. Many a page leaves out optional tags, and has a title or a main heading.
 */
export function isFragment({ body }: Pick<SiteReply, 'body'>): boolean {
  const html = body.replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  return /^\s*<(?:div|section|article)[\s>]/i.test(html) && !pageTag.test(html)
}

const pageTag =
  /<(?:!doctype|script|html|head|title|body|meta|link|base|frameset|h1|main|nav|header|footer)[\s>/]|application\/ld\+json/i
