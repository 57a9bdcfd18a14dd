import { fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { documentsOf } from '../../findings/document.ts'
import { counted } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { mediaTypeOf } from '../../site/files/headers.ts'
import type { Site } from '../../site/site.ts'

/**
 * Judges security.txt (RFC 9116). The file is optional. One that has expired or names no contact sends
 * reports of security holes to the wrong place.
 */
export function judgeSecurityTxt({ capture, now }: Site): Outcome {
  const document = documentsOf(capture, 'well-known').find(({ url }) =>
    url.endsWith('/.well-known/security.txt'),
  )
  if (!document) return unmeasured('security.txt was not asked for.')
  const { url } = document
  if (document.state === 'unseen') return unmeasured(`security.txt ${document.why}.`)
  if (document.state === 'absent')
    return notApplicable(`There is no security.txt: ${url} answers ${document.status}.`)
  if (document.state === 'page') {
    return fail(
      'security.txt answers 200 with a web page, so whoever wants to report a hole finds no contact there.',
      `Answer 404 at ${url}, or serve a file with Contact and Expires there as text/plain.`,
      { url, value: 'status 200, a web page instead of a file' },
    )
  }
  const fields = fieldsOf(document.answer.body)
  const contacts = fields.filter(
    ({ name, value }) => name === 'contact' && /^(?:mailto:|tel:|https:)\S+$/i.test(value),
  )
  const expiries = fields.filter(({ name }) => name === 'expires').map(({ value }) => value)
  const [expiry = ''] = expiries
  const expires = timestamp.test(expiry) ? Date.parse(expiry.toUpperCase()) : Number.NaN
  const type = mediaTypeOf(document.answer)
  const evidence = {
    url,
    value: `${counted(contacts.length, 'contact')}, Expires: ${shown(expiries.slice(0, 3).join(' and '), 80) || 'missing'}, ${shown(type, 40) || 'no type'}`,
  }
  const fault = [
    ...(contacts.length === 0 ? ['it names no Contact as mailto:, tel: or https: address'] : []),
    ...(expiries.length === 1 ? [] : [`it has ${counted(expiries.length, 'Expires field')} instead of one`]),
    ...(expiries.length === 1 && Number.isNaN(expires)
      ? ['its Expires is no date such as 2027-01-31T00:00:00Z']
      : []),
    ...(expires <= now ? ['its Expires lies in the past'] : []),
  ][0]
  if (fault !== undefined) {
    return fail(
      `There is a security.txt, but ${fault}; whoever wants to report a hole cannot rely on it.`,
      `Correct ${url}: at least one Contact, and one Expires in the future.`,
      evidence,
    )
  }
  if (type !== 'text/plain') {
    return warn(
      `security.txt is complete, but sent as ${shown(type, 40) || 'no type'}, and readers may refuse what is not text/plain.`,
      `Serve ${url} as text/plain; charset=utf-8.`,
      evidence,
    )
  }
  return pass('security.txt names a contact and has not expired.', evidence)
}

/** The offset is required, so that a reader's time zone cannot change the verdict. */
const timestamp = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

function fieldsOf(text: string): { name: string; value: string }[] {
  return text
    .slice(0, 100_000)
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':')
      if (line.startsWith('#') || colon < 1) return []
      return [{ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() }]
    })
}
