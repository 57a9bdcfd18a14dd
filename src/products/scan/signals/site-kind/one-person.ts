import { elementsWithin, metaOf } from '../../site/html/elements.ts'
import type { Page, Site } from '../../site/site.ts'
import { ownEntities } from '../own-entities.ts'
import { kindOfSite } from './site-kind.ts'

/**
 * Whether the whole site is one person's: markup describes a person and no firm, or the home page begins with "I am". Such a
 * site has no company that a page could tell about: its home page is the page about that person.
 */
export function isOnePersons(site: Site): boolean {
  const { home } = site
  if (home === undefined) return false
  const entities = ownEntities(site)
  if (entities.length > 0) return entities.every(({ node }) => node.types.includes('Person'))
  if (/^profile$/i.test(metaOf(home, 'og:type')) || isMarkedPerson(home)) return true
  const kind = kindOfSite(site)
  if (kind === 'person') return true
  if (kind !== 'unclear' && kind !== 'publication' && kind !== 'research') return false
  const beginning = home.mainText.slice(0, 800)
  return saysI.test(beginning) || (isNamedAfter(home.title, metaOf(home, 'author')) && says.test(beginning))
}

/** Microdata of the whole page say that it is about a person: `itemtype="http://schema.org/Person"` around its main heading. */
function isMarkedPerson({ $ }: Page): boolean {
  return $('body, main, article, div')
    .filter('[itemtype$="schema.org/Person"]')
    .toArray()
    .some((element) => elementsWithin(element, 'h1').length > 0)
}

/** The author of the page has the name of the page: "Mia Lind" by "Mia Lind". */
function isNamedAfter(title: string, author: string): boolean {
  return author.trim().includes(' ') && title.toLowerCase().includes(author.trim().toLowerCase())
}

const says =
  /(?<![\p{L}\p{N}])(?:I|my|me|ich|mein\p{L}{0,2}|je|mon|ma|yo|mi|io|mio|mia|eu|meu|minha|ik|mijn|ben|я|мой|моя|أنا)(?![\p{L}\p{N}])|私|我|저는|나는/iu

/** A person says what they are. "I" alone may be a customer who is quoted. */
const saysI =
  /(?<![\p{L}\p{N}“"„«])(?:I['’]m|I am) (?:(?:an?|the|currently|now|also)|(?:full |senior |junior |associate |assistant |adjunct |visiting |emeritus |principal |tenured )*(?:professor|lecturer|reader|postdoc(?:toral)?|ph\.?d|researcher|scientist|student|head|director|chair|founder|co-?founder|author|editor|owner|member|fellow|engineer|developer|designer|artist|teacher|writer))(?![\p{L}])|(?<![\p{L}])(?:my name is|mein Name ist|ich heiße|je m['’]appelle|je suis (?:une?|professeure?|maître|maîtresse|chercheu(?:r|se)|doctorante?)|me llamo|soy (?:un|una|el|la|profesora?)|ich bin (?:professor(?:in)?|ein|eine|wissenschaft\p{L}*)|mi chiamo|sono (?:un|una|professor\p{L}*)|meu nome é|chamo-me|sou (?:um|uma)|mijn naam is|ik ben een|benim adım|меня зовут|اسمي)\s|私は.{1,30}です|と申します|제 이름은|我叫|我是一/iu
