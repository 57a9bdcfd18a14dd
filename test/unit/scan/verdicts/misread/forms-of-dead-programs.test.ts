import { describe, expect, test } from 'vitest'
import { freshnessIndex } from '../../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { workflowAutomation } from '../../../../../src/products/scan/agents/workflow-automation/workflow-automation.ts'
import { type Entries, site } from '../../../../support/scans/captured.ts'
import { runCheck } from '../../../../support/scans/checks.ts'

/** GitHub Pages runs no PHP. A template's form that is sent to such a program delivers nothing there. */

const form = (action = '') =>
  `<form id="write"${action}><input name="name"><input type="email" name="email"><textarea name="message"></textarea><button>Send</button></form>`
const handled = (body: string, action = '') =>
  `${form(action)}<script>const sent = document.getElementById("write"); sent.addEventListener("submit", async (e) => { e.preventDefault(); ${body} })</script>`
const on = (host: string, body: string, entries: Entries = {}) =>
  runCheck(
    workflowAutomation,
    'lead-capture',
    site({ [`https://${host}/`]: `<title>Site Ltd</title><body>${body}`, ...entries }),
  )
const thanks = 'alert("Thank you!"); sent.reset()'
const program = ' action="forms/mail.php" method="post"'

test.each([
  ['by its action', form(program)],
  ['by fetch', handled(`await fetch("mail.php", { method: "POST", body: new FormData(sent) }); ${thanks}`)],
  [
    'by fetch of a constant',
    `<script>const endpoint = "/mail.php"</script>${handled(`fetch(endpoint).then(() => { ${thanks} })`)}`,
  ],
  [
    'by XMLHttpRequest',
    handled(`const x = new XMLHttpRequest(); x.open("POST", "./mail.php", true); x.send(); ${thanks}`),
  ],
  [
    'by jQuery',
    `${form()}<script>$("#write").on("submit", function (e) { e.preventDefault(); $.post("mail.php", $(this).serialize(), function () { alert("Sent") }) })</script>`,
  ],
  [
    'by jQuery with settings',
    `${form()}<script>$("#write").submit(function (e) { e.preventDefault(); $.ajax({ type: "POST", url: "mail.php", data: {} }) })</script>`,
  ],
  [
    'by a function of its script',
    `${handled(`sendMail(); ${thanks}`)}<script>function sendMail() { return fetch("mail.php") }</script>`,
  ],
  [
    'by a script that takes the action of the form',
    handled(
      `const to = sent.getAttribute("action"); fetch(to, { headers: { "X-Requested-With": "XMLHttpRequest" } }); ${thanks}`,
      program,
    ),
  ],
  [
    'beside scripts that draw icons and pictures',
    `${form(program)}<script src="https://use.fontawesome.com/releases/v5.12.1/js/all.js"></script><script src="//feed.pxlecdn.com/widget.js"></script>`,
  ],
])('a form that is sent to a PHP program %s delivers nothing on GitHub Pages', (_way, body) => {
  const outcome = on('smile.github.io', body)
  expect(outcome.result).toBe('fail')
  expect(JSON.stringify(outcome)).toContain('mail.php, which this host does not run')
  expect(on('site.example', body).result).toBe('pass')
})

test.each([
  ['to a service', handled(`fetch("https://forms.example/f/1"); ${thanks}`)],
  ['to a program of another host', handled(`fetch("https://api.smile.example/mail.php"); ${thanks}`)],
  ['to a program and to a service', handled(`fetch("mail.php"); emailjs.send("a", "b"); ${thanks}`)],
  ['to an address that is not written out', handled(`fetch(endpointOf(sent)); ${thanks}`)],
  ['by a script that takes its place', handled(`fetch("https://forms.example/f/1"); ${thanks}`, program)],
  ['by a script that was not read', `${form(program)}<script src="https://cdn.example/forms.js"></script>`],
  [
    'by a script that knows its button',
    `${form(' action="/thanks.html" method="post"').replace('<button>', '<button class="go">')}<script>$(".go").on("click", () => fetch("https://forms.example/f/1"))</script>`,
  ],
  [
    'by a script that takes each form',
    `${form(program)}<script>for (const one of document.forms) one.onsubmit = handlers.mail; fetch("https://forms.example/f/1")</script>`,
  ],
])('a form that is sent %s is not said to deliver nothing', (_way, body) => {
  expect(on('smile.github.io', body).result).toBe('pass')
})

test.each([
  ['without any script', form()],
  ['whose address is a mark', form(' action="#"')],
  [
    'beside a script of something else',
    `${form()}<script>document.querySelector("nav").hidden = true</script>`,
  ],
])('a form %s is sent to its own page, which takes nothing on GitHub Pages', (_what, body) => {
  const outcome = on('smile.github.io', body)
  expect(outcome.result).toBe('fail')
  expect(JSON.stringify(outcome)).toContain('is sent to its own page')
  expect(on('site.example', body).result).toBe('pass')
})

test.each([
  ['a button with a script of its own', form().replace('<button>', '<button onclick="write()">')],
  [
    'a script that sends',
    `${form()}<script>document.onclick = () => fetch("https://forms.example/f/1")</script>`,
  ],
  ['a script that was not read', `${form()}<script src="https://cdn.example/forms.js"></script>`],
])('a form with %s is not said to be sent to its own page', (_what, body) => {
  expect(on('smile.github.io', body).result).toBe('pass')
})

test('a booking form that is sent to its own page books nothing', () => {
  const booking =
    '<h2>Book a table</h2><form><input type="date" name="date"><input type="email" name="email"><button>Book</button></form>'
  const book = (host: string) =>
    runCheck(
      workflowAutomation,
      'booking',
      site({ [`https://${host}/`]: `<title>Inn</title><body>${booking}` }),
    )
  expect(book('inn.github.io').result).toBe('fail')
  expect(book('inn.example').result).toBe('pass')
})

test.each(['lead', 'booking'])(
  'a form for a %s that is sent to the placeholder of its template delivers nothing',
  (use) => {
    const date = use === 'booking' ? '<input type="date" name="date">' : ''
    const body = form(' action="https://formspree.io/f/your-form-id"').replace(
      '<textarea',
      `${date}<textarea`,
    )
    expect(JSON.stringify(on('site.example', body))).toContain('placeholder of its template')
  },
)

test('a brace in a string or in a comment does not end a handler before it sends', () => {
  for (const text of ['"}"', "'}'", '`}`', '"\\"}"', '1 // }\n', '1 /* } */'])
    expect(on('site.example', handled(`${thanks}; console.log(${text}); fetch("/send")`)).result).toBe('pass')
})

test.each([
  ['posted to a page', ' action="/thanks.html" method="post"'],
  ['left to Netlify', ' name="write" method="POST" data-netlify="true" action="/thanks"'],
])('a form that is %s is refused by GitHub Pages', (_what, attributes) => {
  expect(on('smile.github.io', form(attributes)).result).toBe('fail')
  expect(on('site.example', form(attributes)).result).toBe('pass')
})

const other =
  '<script>$("#search").validator().on("submit", function (e) { e.preventDefault(); $.ajax({ url: "find.php" }) }); $(".news").on("submit", () => fetch("https://news.example"))</script>'

test.each([
  ['whose handlers are for other forms', form(program).replace(' id="write"', ' class="write"') + other],
  [
    'whose handler only looks at its fields',
    `${form(' action="index.html" method="post" onsubmit="return looked()"')}<script>function looked() { if (document.getElementById("name").value == "") { alert("Your name?"); return false } if (!isValid(this)) return false; return true }</script>${other}`,
  ],
])('a posted form %s delivers nothing on GitHub Pages', (_what, body) => {
  expect(on('smile.github.io', body).result).toBe('fail')
  expect(on('site.example', body).result).toBe('pass')
})

test('a form in a page with the source of its program delivers nothing on any host', () => {
  const body = form(program).replace('</form>', '<?php if ($_POST["name"]) { send(); } ?></form>')
  expect(on('site.example', body)).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('sends the source of such programs and runs none'),
  })
})

describe('a form whose handler keeps the browser from sending', () => {
  const shows =
    '$("#write").addEventListener("submit", (e) => { e.preventDefault(); $$("input", e.target).forEach((one) => (one.disabled = true)); $(".sent").hidden = false })'
  const helpers =
    'const $ = (s) => document.querySelector(s); const $$ = (s, r = document) => [...r.querySelectorAll(s)]; const save = (all) => localStorage.setItem("a", all); fetch("db.json")'
  const script = (code: string) => `${form()}<script>${helpers}\n${code}</script>`

  test.each([
    ['and shows a part of the page', script(shows)],
    [
      'in a function for several forms',
      script(
        'const bind = (form) => { form.addEventListener("submit", (e) => { e.preventDefault(); form.reset(); done() }) }; function done() { $(".sent").hidden = false }; bind($("#write"))',
      ),
    ],
    [
      'beside one for all forms that draws',
      script(
        `${shows}; document.addEventListener("submit", (e) => { e.target.classList.add("sent"); requestAnimationFrame(() => { e.target.style.width = "1em" }) }, true)`,
      ),
    ],
    [
      'beside a module of another maker',
      script(`${shows}; import("https://cdn.jsdelivr.net/npm/three@0.160.0/build/three.module.js")`),
    ],
  ])('%s delivers nothing', (_what, body) => {
    expect(on('site.example', body)).toMatchObject({
      result: 'fail',
      reason: expect.stringContaining('thanks its visitor and sends nothing'),
    })
  })

  test.each([
    [
      'only where a field is empty',
      script(shows.replace('e.preventDefault();', 'if (!ok) { e.preventDefault() }')),
    ],
    [
      'and calls an object that may send',
      script(
        `${shows.replace('$$(', 'Desk.take(e.target); $$(')}; const Desk = { take: (f) => fetch("/take") }`,
      ),
    ],
    [
      'beside one for all forms that sends',
      script(`${shows}; document.addEventListener("submit", (e) => { fetch("/take") })`),
    ],
    [
      'beside a button that sends',
      script(
        `${shows}; document.getElementById("go").addEventListener("click", () => { fetch("/take") })`,
      ).replace('<button>', '<button id="go">'),
    ],
    ['beside a module that was not read', script(`import { send } from "./send.js"; ${shows}`)],
  ])('%s is let alone', (_what, body) => {
    expect(on('site.example', body).result).toBe('pass')
  })

  test('is a lesser fault where it takes reviews', () => {
    const review =
      '<form id="review"><input name="name"><select name="rating"></select><textarea name="text"></textarea><button>Send</button></form><script>const own = document.getElementById("review"); own.addEventListener("submit", function (e) { e.preventDefault(); own.reset() })</script>'
    const enquiry =
      '<form action="https://formspree.io/f/abcd" method="post"><label>E-mail <input type="email" name="mail"></label><label>Message <textarea name="message"></textarea></label><button>Send</button></form>'
    expect(on('site.example', `${review}${enquiry}`)).toMatchObject({
      result: 'warn',
      reason: expect.stringContaining('What visitors write there is lost'),
    })
    // Mended, it would not be the form for enquiries that is asked for then.
    expect(on('site.example', `${review}<a href="mailto:a@site.example">Write</a>`)).toMatchObject({
      reason: expect.not.stringContaining('What visitors write there is lost'),
    })
  })
})

test('who mends a form is told to take out that it is a demonstration', () => {
  expect(on('smile.github.io', form(program))).toMatchObject({
    fix: expect.stringContaining('take that sentence out once the form works'),
  })
})

test('a form for news that is sent to a PHP program subscribes nobody on GitHub Pages', () => {
  const body =
    '<h2>Newsletter</h2><form action="/php/news.php" method="post"><input type="email" name="email"><button>Subscribe</button></form>'
  const news = (host: string) =>
    runCheck(
      workflowAutomation,
      'newsletter',
      site({ [`https://${host}/`]: `<title>Site Ltd</title><body>${body}` }),
    )
  expect(news('smile.github.io')).toMatchObject({
    result: 'fail',
    reason: expect.stringContaining('Nobody is subscribed'),
  })
  expect(news('site.example').result).toBe('pass')
  expect(on('smile.github.io', `${body}<a href="mailto:a@smile.example">Write</a>`).result).toBe('warn')
})

describe('fields without a form element', () => {
  const loose = (script: string) =>
    on(
      'site.example',
      `<div><input name="name"><input type="tel" name="phone"><textarea></textarea><button onclick="submitForm()">Send</button></div><script>${script}</script>`,
    )

  test('whose button only shows a message deliver nothing', () => {
    const outcome = loose(
      'function submitForm() { setTimeout(() => { document.getElementById("success").style.color = "var(--dark)" }, 900) }',
    )
    expect(outcome.result).toBe('fail')
    expect(JSON.stringify(outcome)).toContain('only shows a message')
  })

  test.each([
    ['sends', 'function submitForm() { fetch("https://forms.example/f").then(() => alert("Thank you")) }'],
    [
      'calls what may send',
      'function submitForm() { pass(); alert("Thank you") } function pass() { fetch("https://forms.example/f") }',
    ],
    ['shows what it made', 'function submitForm() { result.textContent = signatureOf(fields()) }'],
    ['is handled elsewhere', 'const other = () => alert("Thank you")'],
  ])('are let alone where the button %s', (_, script) => expect(loose(script).result).toBe('pass'))
})

test('two forms that are sent to a program are both counted beside one that is thanked for', () => {
  const third = form().replaceAll('write', 'other')
  const body = `${form(program)}${form(program)}`
  const outcome = site({
    'https://smile.github.io/': `<title>Site</title><body>${body}`,
    'https://smile.github.io/contact': `<title>Contact</title><body>${third}<script>document.getElementById("other").addEventListener("submit", (e) => { e.preventDefault(); ${thanks} })</script>`,
  })
  expect(JSON.stringify(runCheck(workflowAutomation, 'lead-capture', outcome))).toContain(
    '2 are sent to a program of this host',
  )
})

test.each([
  ['fail', 'GitHub Pages, which sends it as a file', 'smile.github.io', 'application/octet-stream'],
  ['pass', 'GitHub Pages, if it holds a page', 'smile.github.io', 'text/html'],
  ['pass', 'a host that runs it', 'site.example', 'text/html'],
])('a link to a PHP program is a %s on %s', (result, _where, host, type) => {
  const url = `https://${host}/fees.php`
  const entries: Entries = {
    [`https://${host}/`]: '<a href="/fees.php">Fees</a>',
    [url]: { purpose: 'link', headers: { 'content-type': type } },
  }
  expect(runCheck(freshnessIndex, 'internal-links', site(entries)).result).toBe(result)
})
