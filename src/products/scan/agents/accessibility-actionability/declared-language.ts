import { languageName } from '../../../../core/text/language-name.ts'
import { asking, fail, type Outcome, pass } from '../../findings/check.ts'
import { counted, further, maxPlaces } from '../../findings/share.ts'
import { isWronglyDeclared, languageOf } from '../../signals/page-language.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import type { Page } from '../../site/site.ts'

/**
 * Judges whether each page declares its language, and the one that it is written in. Readers and translators
 * have to guess it otherwise, or take one language for another.
 */
export function judgeLanguage(pages: readonly Page[]): Outcome {
  const judged = judgeTags(pages)
  const isChoice = 'fix' in judged && judged.fix.includes(southSlavicTags)
  return isChoice ? asking(judged, { kind: 'choose-language' }) : judged
}

function judgeTags(pages: readonly Page[]): Outcome {
  const wrong = pages.filter((page) => !isLanguageTag(page.$('html').first().attr('lang') ?? ''))
  const [first] = wrong
  const lying = first === undefined ? pages.filter((page) => isLying(page, pages)) : []
  const [liar] = lying
  if (liar !== undefined) {
    const { detected = '', declared = '' } = languageOf(liar)
    // "zxx" is the tag of what has no language: a picture, a table of figures.
    const mistake =
      declared === 'zxx'
        ? `The tag "zxx" says that there are no words to read or to translate, and the text is ${nameOf(detected)}.`
        : `Readers, translators and answer engines take ${nameOf(detected)} for ${languageName(declared) === declared ? `the language of the code "${shown(declared, 20)}"` : languageName(declared)}.`
    return fail(
      `${lying.length} of ${counted(pages.length, 'page')} ${lying.length === 1 ? 'declares' : 'declare'} another language than that of the text. ${mistake}`,
      `Write ${tagOf(detected)} into the html element of ${shown(liar.url)}.${secondTag(liar)}${onOthers(lying)}`,
      ...lying.slice(0, maxPlaces).map((page) => {
        const { detected: found = '', declared: said = '' } = languageOf(page)
        return {
          url: page.url,
          value: `lang="${shown(said, 20)}"${secondLang(page)
            .map((second) => ` lang="${second}"`)
            .join('')}, and the text is ${nameOf(found)}`,
        }
      }),
    )
  }
  if (first === undefined) {
    const lang = shown(pages[0]?.$('html').first().attr('lang') ?? '')
    return pass(
      `${pages.length === 1 ? 'The page' : `Each of ${pages.length} pages`} declares its language.`,
      {
        url: pages[0]?.url ?? '',
        value: `lang="${lang}"`,
      },
    )
  }
  const { detected = languageOfAll(pages) } = languageOf(first)
  const others = pages.filter((page) => !wrong.includes(page) && isLying(page, pages))
  const [untrue] = others.flatMap((page) => {
    const { detected: found, declared: said } = languageOf(page)
    return found === undefined ? [] : [{ url: page.url, found, said: said ?? '' }]
  })
  const where = hasNoTag(first)
    ? `Begin ${shown(first.url)}${/^\s*<!doctype/i.test(first.reply.body) ? ', below its doctype,' : ''} with an html element that names its language`
    : `Write the language of ${shown(first.url)} into its first element`
  return fail(
    `${wrong.length} of ${counted(pages.length, 'page')} ${wrong.length === 1 ? 'declares' : 'declare'} no valid language, so a reader or translator may take the text for another one.`,
    detected === undefined
      ? `${where}, such as lang="en" for English.${onOthers(wrong)}`
      : `${where}: ${southSlavic.has(detected) ? tagOf(detected) : `<html ${tagOf(detected)}>`}.${untrue === undefined ? '' : ` On ${shown(untrue.url)}, write ${tagOf(untrue.found)} in place of lang="${shown(untrue.said, 20)}".`}${secondTag(first)}${onOthers(wrong)}`,
    ...wrong.slice(0, maxPlaces).map((page) => {
      const lang = page.$('html').first().attr('lang')
      return {
        url: page.url,
        value: hasNoTag(page)
          ? 'no <html>, and so no lang'
          : lang === undefined
            ? '<html> without lang'
            : `lang="${shown(lang, 60)}"${secondLang(page)
                .map((second) => ` lang="${second}"`)
                .join('')}${isLanguageTag(lang.trim()) ? ', with a blank that does not belong there' : ''}`,
      }
    }),
  )
}

/** `<html lang="sve" lang="pl">`: what stands in the second of two such attributes, which the parser leaves out. */
function secondLang({ reply }: Page): string[] {
  const [tag = ''] = /<html\s[^>]{0,1000}>/i.exec(reply.body.slice(0, 20_000)) ?? []
  const [, second] = [...tag.matchAll(/\slang\s{0,5}=\s{0,5}["']?([\w-]{1,35})/gi)]
  return second === undefined ? [] : [shownInQuotes(second[1] ?? '', 35)]
}

function secondTag(page: Page): string {
  return secondLang(page)
    .map((second) => ` Take the second lang out of it, lang="${second}": only the first counts.`)
    .join('')
}

/** A site may have pages in two languages. */
function onOthers(pages: readonly Page[]): string {
  const others = pages.length - 1
  if (others < 1) return ''
  const isOne = new Set(pages.flatMap((page) => languageOf(page).detected ?? [])).size < 2
  return isOne
    ? ` Do the same on ${further(others, 'page')}.`
    : ` Do so on ${further(others, 'page')}, with the language of each.`
}

/** The parser makes up the html element that a page has left out. */
function hasNoTag({ reply }: Page): boolean {
  return !reply.isCut && !/<html[\s>]/i.test(reply.body)
}

/** Written in Latin letters, the three differ in too few words to be told apart. */
const southSlavic: ReadonlySet<string> = new Set(['hr', 'sr', 'bs'])

function nameOf(code: string): string {
  return southSlavic.has(code) ? 'Serbian, Croatian or Bosnian' : languageName(code)
}

const southSlavicTags = 'lang="sr" for Serbian, lang="hr" for Croatian or lang="bs" for Bosnian'

function tagOf(code: string): string {
  return southSlavic.has(code) ? southSlavicTags : `lang="${code}"`
}

/** What all pages with enough text are written in; undefined where they are in several languages. */
function languageOfAll(pages: readonly Page[]): string | undefined {
  const [one, ...others] = new Set(pages.flatMap((page) => languageOf(page).detected ?? []))
  return others.length === 0 ? one : undefined
}

/**
 * The labels of a page of addresses may well be English on an Italian site. So a short page that declares what most of the
 * text elsewhere is written in is believed.
 */
function isLying(page: Page, pages: readonly Page[]): boolean {
  const language = languageOf(page)
  if (!isWronglyDeclared(language)) return false
  if (page.text.length >= enoughCharacters) return true
  const others = pages.filter((other) => other !== page && languageOf(other).detected !== undefined)
  const agreeing = others.filter((other) => languageOf(other).detected === language.declared)
  return agreeing.length * 2 <= others.length
}

const enoughCharacters = 1_000

/**
 * Checks the form of BCP 47, with a primary language of two or three letters, as all languages in use have.
 */
function isLanguageTag(tag: string): boolean {
  if (tag.length > 35 || !/^[a-z]{2,3}(?:-|$)/i.test(tag)) return false
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    // The platform rejects a malformed tag with an exception.
    return false
  }
}
