import { fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { documentsOf } from '../../findings/document.ts'
import { listed } from '../../findings/share.ts'
import { absolute, shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { isChallengePage } from '../../site/challenge-page.ts'
import { mediaTypeOf } from '../../site/files/headers.ts'
import { withoutCode } from '../../site/files/markdown-code.ts'
import type { Site } from '../../site/site.ts'

/** Judges llms.txt. A missing file is not a fault, but models read a file that is served. */
export function judgeLlms({ capture }: Site): Outcome {
  const [document] = documentsOf(capture, 'llms')
  const [llms] = repliesFor(capture, 'llms')
  if (document === undefined || llms === undefined) return unmeasured('/llms.txt was not read.')
  const { url, status, body } = llms
  if (status >= 500) {
    return fail(
      `/llms.txt answers with status ${status}, so a model that looks for a guide meets an error.`,
      `Let ${shown(url)} answer 200 with a Markdown guide, or 404 when there is none.`,
      { url, value: `status ${status}` },
    )
  }
  if (document.state === 'absent') return notApplicable(`There is no llms.txt (status ${status}).`)
  if (document.state === 'unseen') return unmeasured(`/llms.txt ${document.why}.`)
  if (isChallengePage(llms)) return unmeasured('/llms.txt was answered with a challenge for humans.')
  if (document.state === 'page')
    return notApplicable('There is no llms.txt: the address answers with a web page, as others do.')
  const type = mediaTypeOf(llms)
  const evidence = { url, value: `${shown(type, 40) || 'no content type'}: ${shown(body.slice(0, 300))}` }
  if (!type.startsWith('text/')) {
    return fail(
      '/llms.txt answers 200 with something that is not plain text, so the guide for models is broken.',
      `Let ${shown(url)} answer 404, or serve a Markdown guide as text/plain or text/markdown.`,
      evidence,
    )
  }
  const missing = [
    ...(/^\ufeff?#[ \t]{1,9}\S/m.test(body) ? [] : ['a heading that begins with "# "']),
    ...(hasLink(body, llms.finalUrl) ? [] : ['a link of the form [name](address) or a whole address']),
    ...(Array.from(body.trim()).length >= 50 ? [] : ['at least 50 characters of text']),
  ]
  if (missing.length === 0) return pass('llms.txt is text with a heading and links.', evidence)
  return fail(
    `llms.txt lacks ${listed(missing)}, so a model finds no guide in it.`,
    `Add ${listed(missing)} to ${shown(url)}.`,
    evidence,
  )
}

/**
 * A model follows an address that stands in the text as well as a link. The repetitions are bounded, because the
 * site's author controls the text.
 */
function hasLink(markdown: string, base: string): boolean {
  if (/https?:\/\/[\w-]{1,63}\.[^\s`]{2,500}/.test(withoutCode(markdown))) return true
  for (const [, address] of withoutCode(markdown).matchAll(/\[[^\]\n]{1,300}\]\(([^)\s]{1,2000})\)/g)) {
    if (address !== undefined && absolute(address, base) !== undefined) return true
  }
  return false
}
