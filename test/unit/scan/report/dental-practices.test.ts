import { describe, expect, test } from 'vitest'
import { line } from '../../../../src/products/scan/report/blocks/llms/llms-lists.ts'
import { scanMail } from '../../../../src/products/scan/report/mail-report.ts'
import { reportPage } from '../../../../src/products/scan/report/report-page.ts'
import { viewOf } from '../../../../src/products/scan/report/report-view.ts'
import { ownerTitle } from '../../../../src/products/scan/report/work/owner-titles.ts'
import { analyze } from '../../../../src/products/scan/worker/analyze.ts'
import { captured, defaultNow, type Entries, site } from '../../../support/scans/captured.ts'
import { scannedSite } from '../../../support/scans/scanned-site.ts'

/** What the owners of two dental practices could not act on, or would have done harm by, when they read their reports. */

const at = 'https://lind.example'
const words = (count: number) => 'word '.repeat(count)
const analysisOf = (entries: Entries) => analyze(captured(entries), defaultNow).analysis
const dead =
  '<form id="ask"><input name="name"><input type="email" name="email"><textarea name="message"></textarea><button>Send</button></form><script>document.getElementById("ask").addEventListener("submit", (e) => { e.preventDefault(); alert("Thank you") })</script>'
const practice = (body = '', menu = '<nav><a href="/prices">Prices</a></nav>'): Entries => ({
  [`${at}/`]: `<html lang="en"><title>Lind Dental Practice</title><body>${menu}<main><h1>Lind Dental Practice</h1><p>We are dentists in Torquay. ${words(200)}</p>${body}</main></body></html>`,
  ...(menu === ''
    ? {}
    : {
        [`${at}/prices`]: `<html lang="en"><title>Fees</title>${menu}<main><h1>Fees</h1><p>${words(100)}</p></main></html>`,
      }),
})
const stepsOf = (entries: Entries) => {
  const view = viewOf(analysisOf(entries))
  return [...view.steps, ...view.tasks.flatMap((task) => task.steps)]
}
const stepOn = (entries: Entries, title: RegExp) => {
  const step = stepsOf(entries).find((one) => title.test(one.title))
  if (step === undefined) throw new Error(`no step is called ${title}`)
  return [step.title, step.why, ...step.how, step.message?.text ?? ''].join('\n')
}

describe('what an owner is sent to do', () => {
  const heads = '<h1>Lind</h1><h1>Hours</h1><h4>Monday</h4><h4>Dr. med. Ada Lind</h4>'

  test('of several main headings the owner chooses one, and the message names all', () => {
    const step = stepOn(practice('<h1>Lind</h1><h1>Hours</h1>'), /one main heading/)
    expect(step).toContain('Choose the one that says what the page is about')
    expect(step).toContain('h1: "Hours"')
    expect(step).toContain('the words of the main heading: ')
  })

  test('the main heading is asked for in the message that puts the headings in order, and the first one stays without an answer', () => {
    const all = stepsOf(practice(heads))
    expect(all.some(({ title }) => /one main heading/.test(title))).toBe(false)
    const step = stepOn(practice(heads), /headings/)
    expect(step).toContain('“Lind Dental Practice” stays the one main heading (h1).')
    expect(step).toContain('Nothing here means that all stays as it is above:')
    expect(step).toContain('if another line than “Lind Dental Practice” says it better: ')
  })

  test('headings out of order are a message that says what each becomes', () => {
    const step = stepOn(practice(heads), /headings/)
    expect(step).toContain('Please change this on our website.')
    expect(step).toContain('h1 "Hours" becomes h2')
    expect(step).toContain('h4 "Dr. med. Ada Lind" becomes h3')
    expect(step).toMatch(
      /1\. Correct the headings of .+ as listed: h1 "Lind" becomes h2, and \d more change with it/,
    )
  })

  test('the entries elsewhere are asked for once, in the message that describes the business', () => {
    const step = stepOn(practice(), /description of/)
    expect(step).toContain('Write down where else you are listed')
    expect(step).toContain('two or more of our entries elsewhere, such as maps or a register (sameAs): ')
    expect(
      stepsOf(practice()).filter(({ how }) => how.join(' ').includes('where else you are')),
    ).toHaveLength(1)
  })

  test('the answers to a message about facts have a place', () => {
    expect(stepOn(practice(), /description of/)).toContain('under the name in brackets')
  })

  test('a name that no visitor sees is asked for', () => {
    const renamed = JSON.parse(
      JSON.stringify(practice()).replaceAll('<h1>Lind Dental Practice</h1>', '<h1>Welcome</h1>'),
    )
    expect(stepOn(renamed, /description of/)).toContain('name as it stands on')
    expect(stepOn(practice(), /description of/)).not.toContain('as it stands on')
  })

  test('checks of what a site may do without are no faults of its areas', () => {
    const { html } = reportPage(scannedSite('lind.example'), analysisOf(practice()))
    expect(html).toMatch(/Would add to the score: [^<]+/)
    for (const [, extras = '', missed = ''] of html.matchAll(
      /Would add to the score: ([^<]+?)\. Not passed: ([^<]+)/g,
    ))
      for (const [title] of extras.matchAll(/“[^”]+”/g)) expect(missed).not.toContain(title)
  })

  test('words that a script takes from lists are to be changed there, too', () => {
    const marked = '<p data-i18n="a">A</p>'.repeat(5)
    const reader = '<script>for (const one of document.querySelectorAll("[data-i18n]")) fill(one)</script>'
    expect(stepOn(practice(marked + reader), /figures/)).toContain('list for each language')
    // Without a script that reads them, the marks do nothing.
    expect(stepOn(practice(marked), /figures/)).not.toContain('data-i18n')
    expect(stepOn(practice(), /figures/)).not.toContain('data-i18n')
  })

  test('pages of one title are told apart in llms.txt', () => {
    const named = (heading: string) =>
      `<title>Lind Dental</title><main><h2>${heading}</h2><p>${words(40)}</p></main>`
    const one = site({
      [`${at}/`]: `<title>Lind Dental</title><nav><a href="/a">A</a><a href="/b">B</a></nav><main><h1>Lind Dental</h1></main>`,
      [`${at}/a`]: named('Crowns'),
      [`${at}/b`]: named('Veneers'),
    })
    expect(one.pages.map((page) => line(page, one))).toEqual([
      `- [Lind Dental](${at}/)`,
      `- [Crowns](${at}/a)`,
      `- [Veneers](${at}/b)`,
    ])
  })

  test('a number that no telephone reaches is among the first steps', () => {
    const calls = practice('<a href="tel:+43 0660 1234765">Call</a>')
    const first = viewOf(analysisOf(calls)).steps
    expect(first.map(({ title }) => title).join(' ')).toContain('the code of your country')
  })
})

test('a form that sends nothing stands among the first steps, and is not left as it is until it works', () => {
  const first = viewOf(analysisOf(practice(dead))).steps
  expect(first.map(({ title }) => title).join(' ')).toContain('really send')
  const step = stepOn(practice(dead), /really send/)
  expect(step).toContain('Until it works, take the form off the page')
  expect(step).not.toContain('Send yourself')
})

describe('a trade whose rules limit prices', () => {
  test('is not asked to write what it costs', () =>
    expect(JSON.stringify(analysisOf(practice()).challenges)).not.toMatch(/what it costs|at what price/))

  test('may leave the prices out', () =>
    expect(stepOn(practice(), /starting prices/)).toContain(
      'If you may not, leave this out: the check then stays open',
    ))

  test('is another than that of a joiner, who is asked', () => {
    const joiner = JSON.parse(
      JSON.stringify(practice())
        .replaceAll('Dental Practice', 'Joinery Ltd')
        .replaceAll('dentists', 'joiners'),
    )
    expect(JSON.stringify(analysisOf(joiner).challenges)).toContain('what it costs')
  })
})

test('the owner of a site without a menu is not sent to one', () => {
  const texts = (entries: Entries) =>
    stepsOf(entries)
      .map(({ title, how, message }) => [title, ...how, message?.text ?? ''].join(' '))
      .join('\n')
  expect(texts(practice())).toMatch(/(?:from|in) the menu/)
  expect(texts(practice('', ''))).not.toMatch(/(?:from|in) the menu/)
})

test('a page about the people is asked for in one place', () => {
  const step = stepOn(practice(), /who runs the business/)
  expect(step).toContain('Put it on a page of its own.')
  expect(step).not.toContain(`Put it on ${at}`)
})

test('facts are written where the message asks for them, and a logo is sent as a picture', () => {
  const analysis = analysisOf(practice())
  const { html } = reportPage(scannedSite('lind.example'), analysis)
  expect(html).toContain('into the message, behind the colons')
  expect(html).not.toContain('at the end of the message')
  expect(html).toContain('your logo, or else a picture of your sign, in the attachment')
})

test('texts that the owner writes can be sent to who publishes them', () => {
  const how = stepsOf(practice()).flatMap((step) => step.how)
  expect(how).toContain('Publish the page, or send the text to whoever looks after your website.')
  expect(how).not.toContain('Publish the page.')
})

test('an area without a score has a row, for its faults have steps', () => {
  const analysis = analysisOf(practice())
  const { html } = reportPage(scannedSite('lind.example'), analysis)
  expect(analysis.report.unscoredAreas?.length).toBeGreaterThan(0)
  for (const { category } of analysis.report.unscoredAreas ?? [])
    expect(html).toContain(`<td>${category}<br>`)
})

test('a privacy notice that still has a text of its template is to be filled in', () => {
  const entries = {
    ...practice('<footer><a href="/privacy">Privacy</a></footer>'),
    [`${at}/privacy`]:
      '<title>Privacy</title><h1>Privacy</h1><p>We keep your data.</p><p>Responsible: [Your name]</p>',
  }
  const fixes = analysisOf(entries).challenges.map(({ id, fix }) => `${id} ${fix}`)
  expect(fixes.join('\n')).toMatch(
    /entity-trust\/legal .*Fill in, or take out, what the template left open on https:\/\/lind\.example\/privacy/,
  )
})

test('sizes of pictures do not distort them', () => {
  const fixes = analysisOf(practice('<img src="/a.jpg" alt="Room"><img src="/b.jpg" alt="Chair">')).challenges
  const fix = fixes.find(({ id }) => id === 'render-performance/img-dims')?.fix
  expect(fix).toContain('"height: auto"')
})

test('mail and page do not set what is missing most against what is first', () => {
  const analysis = analysisOf(practice())
  const mail = scanMail(
    {
      id: 'ID',
      ...scannedSite('lind.example'),
      email: 'a@lind.example',
      isPrivate: false,
      outcome: { analysis },
    },
    'https://gateway.example',
  )
  for (const text of [mail.text, reportPage(scannedSite('lind.example'), analysis).html])
    expect(text).toMatch(/What it lacks most: [^.]+\. The first step: /)
})

test('questions for a site without a menu go to a new page', () => {
  const fix = `Write the questions that you are asked most, at least 4, as headings (h2 or h3) on a new page that is linked on ${at}/.`
  expect(ownerTitle('workflow-automation/faq', fix, `${at}/`)).toMatch(/on a new page\.$/)
})

test('a page about the people that is a little short gets a few words, and no second page', () => {
  const page = `${at}/team`
  const entries = {
    ...practice(`<a href="/team">Our team</a>`),
    [page]: `<title>Team</title><main><h1>Our team</h1><p>${words(139)}</p></main>`,
  }
  const step = stepOn(entries, /a part on who runs it/)
  expect(step).toContain(`Tell on ${page} who runs it`)
  expect(step).toContain('done before: 20 more words.')
  expect(step).not.toMatch(/150 words or more|page of its own|Link the page/)
})
