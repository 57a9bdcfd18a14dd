import type { Block } from '../../../findings/results.ts'
import { siteLanguage } from '../../../signals/page-language.ts'
import { shown } from '../../../site/addresses.ts'
import { imageOf } from '../facts/facts.ts'
import { escaped } from './escaped.ts'
import { questionLines } from './question-lines.ts'
import type { Snippet, SnippetParts } from './snippet.ts'

/** Lines of HTML for pages. */
export const pageSnippets: readonly (readonly [id: string, make: Snippet])[] = [
  ['core-snapshot/contact-path', contactLinks],
  ['accessibility-actionability/labels', (parts) => retagged(parts, labelled)],
  [
    'accessibility-actionability/alt',
    (parts) => retagged(parts, (tag) => added(tag, 'alt', 'SAY WHAT IT SHOWS')),
  ],
  [
    'accessibility-actionability/iframes',
    (parts) => retagged(parts, (tag) => added(tag, 'title', 'SAY WHAT IT HOLDS')),
  ],
  [
    'render-performance/img-dims',
    (parts) => retagged(parts, (tag) => added(added(tag, 'height', 'HEIGHT'), 'width', 'WIDTH')),
  ],
  ['accessibility-actionability/landmarks', landmarks],
  ['accessibility-actionability/lang', language],
  ['structured-data/open-graph', preview],
  ['entity-trust/brand-name', oneName],
  ['structured-data/same-as', profiles],
  ['freshness-index/footer-year', footerYear],
  ['workflow-automation/lead-capture', enquiryForm],
  ['workflow-automation/faq', questions],
  ['workflow-automation/support', questions],
  ['content-answerability/question-blocks', questions],
]

function html(where: string, lines: readonly string[]): Block {
  return { kind: 'html', where, text: `${lines.join('\n')}\n`, missing: [] }
}

const written = 'Write your own words where capital letters stand.'

function contactLinks({ site, facts }: SnippetParts): Block | undefined {
  const { telephone, email } = facts
  const lines = [
    ...(telephone === undefined
      ? []
      : [`<a href="tel:${telephone.replace(/[^\d+]/g, '')}">${escaped(telephone)}</a>`]),
    ...(email === undefined ? [] : [`<a href="mailto:${escaped(email)}">${escaped(email)}</a>`]),
  ]
  return lines.length === 0 ? undefined : html(`Put it into the footer of ${site.origin}/.`, lines)
}

/** The elements that the finding quotes, each with what it lacks. */
function retagged({ change }: SnippetParts, mend: (tag: string) => string | undefined): Block | undefined {
  const lines = change.evidence.flatMap(({ url, value }) => {
    const tag = /<[a-z][^<>]*>/i.exec(value)?.[0]
    const line = tag === undefined ? undefined : mend(tag)
    return line === undefined ? [] : [`<!-- ${url.replaceAll('--', '-%2D')} -->`, line]
  })
  return lines.length === 0
    ? undefined
    : html(`Put these lines in place of those that the pages have now. ${written}`, lines)
}

function added(tag: string, name: string, value: string): string {
  const without = tag.replace(new RegExp(`\\s${name}="[^"]*"`, 'i'), '').replace(/\s*\/?>$/, '')
  return `${without} ${name}="${value}">`
}

function labelled(tag: string): string | undefined {
  const [, element = ''] = /^<([a-z]+)/i.exec(tag) ?? []
  if (!/^(?:input|select|textarea)$/i.test(element)) return undefined
  const [, id] = /\sid="([^"]+)"/i.exec(tag) ?? []
  const [, name = 'field'] = /\sname="([^"]+)"/i.exec(tag) ?? []
  const target = id ?? name
  const field = id === undefined ? added(tag, 'id', target) : tag
  return `<label for="${target}">SAY WHAT BELONGS INTO IT</label> ${field}`
}

function landmarks({ site }: SnippetParts): Block {
  return html(`Put the parts of the page template into these elements, on all pages of ${site.origin}/.`, [
    '<header>… name and logo …</header>',
    '<nav>… the menu …</nav>',
    '<main>… what the page is about …</main>',
    '<footer>… contact, legal notice …</footer>',
  ])
}

function language({ site }: SnippetParts): Block | undefined {
  const code = siteLanguage(site)
  return code === undefined
    ? undefined
    : html(
        'Let the first element of each page in this language begin like this. Pages in another language name their own.',
        [`<html lang="${code}">`],
      )
}

function preview({ site, facts }: SnippetParts): Block | undefined {
  const { home } = site
  if (home === undefined) return undefined
  const image = facts.image ?? imageOf(home)
  return html(
    `Paste it into the head of ${shown(home.url)}.${image === undefined ? ` ${written}` : ' The picture is the first of the page. Name another one if it fits better.'}`,
    [`<meta property="og:image" content="${escaped(image ?? 'ADDRESS OF A PICTURE, FROM HTTPS: ON')}">`],
  )
}

function oneName({ site, facts }: SnippetParts): Block | undefined {
  const { home } = site
  if (home === undefined) return undefined
  const name = escaped(facts.name ?? 'YOUR NAME')
  return html(
    `Put these lines into the head of ${shown(home.url)}, in place of the title that it has now. Write the name in the same way into the footer. ${written}`,
    [`<title>${name} | WHAT YOU DO, AND WHERE</title>`, `<meta property="og:site_name" content="${name}">`],
  )
}

function profiles({ site }: SnippetParts): Block {
  return html(
    `Put these lines into the description for machines in the head of ${site.origin}/, behind a line that ends with a comma. ${written}`,
    [
      '"sameAs": [',
      '  "FULL ADDRESS OF YOUR FIRST PROFILE",',
      '  "FULL ADDRESS OF YOUR SECOND PROFILE"',
      '],',
    ],
  )
}

function footerYear({ site, facts }: SnippetParts): Block {
  const year = new Date(site.now).getUTCFullYear()
  return html('Write this into the footer of all pages, or leave the year out.', [
    `© ${year} ${escaped(facts.name ?? site.capture.domain)}`,
  ])
}

function enquiryForm({ change }: SnippetParts): Block {
  const page = /https?:\/\/[^\s,;]*[^\s,;.:]/.exec(change.fix)?.[0]
  return html(
    `Put this form on ${page ?? 'a page in the menu'}. ${written} Most website systems make such a form by themselves, and send what it takes to your mailbox.`,
    [
      '<form method="post" action="ADDRESS THAT TAKES THE MESSAGE">',
      '  <label for="name">YOUR WORD FOR NAME</label> <input id="name" name="name" autocomplete="name" required>',
      '  <label for="email">YOUR WORD FOR E-MAIL</label> <input id="email" name="email" type="email" autocomplete="email" required>',
      '  <label for="message">YOUR WORD FOR MESSAGE</label> <textarea id="message" name="message" required></textarea>',
      '  <button>YOUR WORD FOR SEND</button>',
      '</form>',
    ],
  )
}

function questions({ site, facts, change }: SnippetParts): Block {
  const page = /https?:\/\/[^\s,;]*[^\s,;.:]/.exec(change.fix)?.[0]
  return html(
    `Write your questions and answers in this form, on ${page ?? 'a page of its own with a link in the menu'}. ${written}`,
    questionLines(siteLanguage(site), facts).flatMap(({ question, answer }) => [
      `<h2>${escaped(question)}</h2>`,
      `<p>${escaped(answer)}</p>`,
    ]),
  )
}
