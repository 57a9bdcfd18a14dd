import { attributeOf } from '../../site/html/elements.ts'
import { enquiryUses, type Form, formsOf } from '../../site/html/forms.ts'
import type { Site } from '../../site/site.ts'
import { codeOf } from './form-code.ts'
import { bodyOf, handlersIn, opensMail } from './submit-handlers.ts'

/**
 * The forms for enquiries whose script opens the mail program of the visitor and sends nothing itself. Named only where
 * each script of the page that may handle its forms was read.
 */
export function mailFormsOf(site: Site): readonly Form[] {
  return site.pages.flatMap((page) => {
    const forms = formsOf(page).filter(({ use, node }) => enquiryUses.has(use) && node.name === 'form')
    const code = forms.length === 0 ? undefined : codeOf(page, site)
    if (code === undefined || !code.includes('mailto:')) return []
    const called = forms.filter(({ node }) => {
      const body = bodyOf(attributeOf(node, 'onsubmit').replace(/^\s*return\s+/, ''), code)
      return body !== undefined && opensMail(body)
    })
    if (called.length > 0) return called
    const handlers = handlersIn(code)
    return handlers.length > 0 && handlers.every((body) => body !== undefined && opensMail(body)) ? forms : []
  })
}
