/**
 * Writes tags in a sentence as words: `the field "quantity"` for `<input name="quantity">`. Owners of small sites read
 * reports too, and a tag in a sentence tells them only that the sentence is not for them. What to paste stands in a
 * block of its own.
 */
export function inWords(text: string): string {
  return tagsInWords(text.replace(linkHeader, 'a Link header that names $1 with rel="$2"'))
}

/** `the header Link: </llms.txt>; rel="describedby"`: the marks around the address look like a tag, and are none. */
const linkHeader =
  /(?:the header )?Link: <((?:\/|https?:)[^<>\s]{0,300})>\s?;\s?rel="?([\w -]{1,60}?)"?(?=[\s.;,]|$)/gi

function tagsInWords(text: string): string {
  if (!text.includes('<')) return text
  return text
    .replace(
      /(?:\b(a|an|the|no) )?("?)<(\/?[a-z][a-z0-9-]{0,30})((?:\s[^<>]{0,300})?)\/?>("?)/gi,
      (_tag, article: string | undefined, opened: string, name: string, rest: string, closed: string) => {
        const isQuoted = opened !== '' && closed !== ''
        const around = (words: string) => (isQuoted ? words : `${opened}${words}${closed}`)
        if (name.startsWith('/')) return around('')
        const words = described(name.toLowerCase(), rest)
        return around(article?.toLowerCase() === 'no' ? `no ${words.replace(/^(?:an?|the) /, '')}` : words)
      },
    )
    .replaceAll('<', '‹')
}

/** In quotation marks where it has blanks: a sentence within a name is a part of it, and no order of ours. */
function whole(name: string): string {
  return /\s/.test(name) && !name.startsWith('"') ? `"${name}"` : name
}

function described(name: string, rest: string): string {
  const value = (attribute: string) =>
    new RegExp(`(?:^|\\s)${attribute}\\s*=\\s*"([^"]*)"`, 'i').exec(rest)?.[1]?.trim() ?? ''
  const named = (noun: string, ...values: string[]) => {
    const first = values.find((one) => one !== '')
    if (first === undefined) return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
    return `the ${noun} ${whole(first)}`
  }
  const quoted = (attribute: string) => (value(attribute) === '' ? '' : `"${value(attribute)}"`)
  switch (name) {
    case 'a':
      if (value('href') === '') return 'a link'
      if (value('href') !== '#') return `the link to ${whole(value('href'))}`
      return value('class') === ''
        ? 'a link without an address'
        : `the link ${quoted('class')} without an address`
    case 'img':
      return named('picture', value('src'))
    case 'input':
    case 'select':
    case 'textarea':
      return named('field', quoted('name'), quoted('id'), quoted('placeholder'), quoted('type'))
    case 'button':
      return named('button', quoted('aria-label'), quoted('name'), quoted('id'), quoted('class'))
    case 'form':
      return named('form', quoted('toolname'), value('action'), quoted('id'))
    case 'iframe':
      return named('embedded page', value('src'))
    case 'script':
      return named('script', value('src'))
    case 'link':
      return value('rel') === ''
        ? 'a link line'
        : `a line of the kind "${value('rel')}"${value('href') === '' ? '' : ` that names ${value('href')}`}`
    case 'meta':
      return `${named('line', quoted('name'), quoted('property'))}${value('name').toLowerCase() === 'robots' && value('content') !== '' ? ` with ${quoted('content')}` : ''}`
    case 'html':
      return value('lang') === '' ? 'the html element' : `the html element with lang="${value('lang')}"`
    case 'lastmod':
    case 'title':
    case 'main':
    case 'nav':
      return `the ${name} element`
    default:
      return named(`${name} element`)
  }
}
