import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMailer, type Mail, MailError, type MailOptions } from '../../../src/platform/net/mail.ts'
import type { Analysis } from '../../../src/products/scan/findings/results.ts'
import { scanMail } from '../../../src/products/scan/report/mail-report.ts'
import { scannedSite } from '../../support/scans/scanned-site.ts'

const id = '6f1c1f0e-0000-4000-8000-000000000001'
const letter: Mail = {
  to: 'owner@site.example',
  subject: 'Scan of site.example',
  text: 'Plain words.',
  html: '<p>Words</p>',
  messageId: `scan-${id}`,
}

const ended = { id, ...scannedSite('site.example'), email: 'owner@site.example', isPrivate: false }

const analysis: Analysis = {
  companyName: 'Site',
  industry: 'other',
  description: '',
  coverage: 93,
  challenges: [],
  report: {
    readinessScore: 61,
    aeoScore: 47,
    readinessBreakdown: [],
    aeoBreakdown: [],
    executiveSummary: 'Site (site.example) scores 61 of 100. <img src="https://evil.example/pixel">',
    keyFindings: [
      'The title is "<script>alert(1)</script>" (https://site.example/: "</li><a href=//evil.example>").',
    ],
    totalTimeSavingsPotential: '8–16 hours a month',
    workflows: [],
    opportunities: ['First', 'Second', 'Third', 'Fourth'].map((title) => ({
      id: `opp-${title}`,
      title,
      description: `${title} & more.`,
      impact: 'high' as const,
      effort: 'low' as const,
      category: 'data',
      estimatedTimeSavingsRange: '2–4 hours a month',
    })),
  },
}

interface Delivery {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

/** A mail server on loopback that records what it receives. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const deliveries: Delivery[] = []
  const connected: true[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onConnect(_session, done) {
      connected.push(true)
      done()
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream)
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      deliveries.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
      done()
    },
    ...options,
  })
  server.on('error', () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return { deliveries, connected, smtpUrl: `smtp://127.0.0.1:${address.port}` }
}

/** A server that accepts connections and sends nothing. */
async function startSilentServer() {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { server, smtpUrl: `smtp://127.0.0.1:${address.port}` }
}

function mailer(options: Omit<MailOptions, 'folder' | 'from'> & { folder?: string }) {
  const made = createMailer({ folder: '/nowhere', from: 'Tollgate <scans@tollgate.example>', ...options })
  onTestFinished(() => made.close())
  return made
}

async function fault(sending: Promise<void>): Promise<MailError> {
  const error: unknown = await sending.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (error instanceof MailError) return error
  throw new Error(`expected a MailError and got ${String(error)}`)
}

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode })
}

describe('the report of a scan', () => {
  test('reaches its one recipient with scores, findings, three opportunities and a link, as text and as HTML', async () => {
    const { smtpUrl, deliveries } = await startMailServer()
    const scan = { ...ended, outcome: { analysis } }
    await mailer({ smtpUrl }).send(scanMail(scan, 'https://tollgate.example/'))

    expect(deliveries).toHaveLength(1)
    const [delivery] = deliveries
    expect(delivery?.from).toBe('scans@tollgate.example')
    expect(delivery?.to).toEqual(['owner@site.example'])
    const mail = await PostalMime.parse(delivery?.raw ?? '')
    expect(mail.subject).toBe('Scan of site.example: 61 of 100 for AI readiness')
    expect(mail.from).toMatchObject({ name: 'Tollgate', address: 'scans@tollgate.example' })
    expect(mail.messageId).toBe(`<scan-${id}@tollgate.example>`)
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(mail.headers.map(({ key }) => key)).not.toContain('x-mailer')
    const link = `https://tollgate.example/api/insights/scan/${id}/results`
    for (const part of [
      '61',
      '47',
      '93 %',
      'The hours are estimates',
      'First',
      'Third',
      '2–4 hours a month',
      link,
    ]) {
      expect(mail.text).toContain(part)
      expect(mail.html).toContain(part)
    }
    expect(mail.text).toContain('1. The title is "<script>')
    expect(mail.text).not.toContain('Fourth')
  })

  test('contains no markup and no link of the scanned site', () => {
    const scan = { ...ended, outcome: { analysis } }
    const { html } = scanMail(scan, 'https://tollgate.example')
    expect(html).not.toMatch(/<script|<img|<a href=\/\//)
    expect(html).toContain('&lt;script&gt;alert(1)')
    expect(html.match(/<[^>]*(?:href|src)=[^>]*>/g)).toEqual([
      `<a href="https://tollgate.example/api/insights/scan/${id}/results">`,
    ])
  })

  const hostile = 'Call 555-0100 now: https://evil.com/pay'

  test.each([
    { analysis: { ...analysis, report: { ...analysis.report, executiveSummary: hostile } } },
    { problem: hostile },
  ])(
    'shows text of the site only below its own words and link, and no address of it as one: %#',
    (outcome) => {
      const scan = { ...ended, domain: 'call-me-now.shop.example', outcome }
      const { subject, text, html } = scanMail(scan, 'https://tollgate.example')
      expect(subject).toMatch(/can of shop\.example/)
      expect(subject).not.toMatch(/call/i)
      for (const part of [text, html]) {
        const [ours = '', theirs = ''] = part.split(
          /What follows (?:is our advice, and is meant to be followed\. It )?quotes the website/,
        )
        expect(ours).toContain('shop.example')
        expect(ours).toContain(`https://tollgate.example/api/insights/scan/${id}/`)
        expect(ours).toContain('You get this e-mail because this address was given')
        expect(ours).not.toMatch(/call|evil/i)
        expect(theirs).toContain('call-me-now.shop.example')
        expect(theirs).toContain('Call 555-0100 now: https[://]evil[.]com/pay')
        expect(theirs).not.toMatch(/(?<!\[):\/\//)
      }
    },
  )

  test.each([
    ['example.com', 'example.com'],
    ['free-money-here.example.co.uk', 'example.co.uk'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['203.0.113.7', '203.0.113.7'],
    ['your-account-is-closed-call-555-0100.com', 'a website'],
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.com`, 'a website'],
  ])('of %s names it %s in its subject, and never as a link', (domain, name) => {
    for (const [outcome, expected] of [
      [{ analysis }, `Scan of ${name}: 61 of 100 for AI readiness`],
      [{ problem: 'It did not answer.' }, `The scan of ${name} could not be finished`],
    ] as const) {
      const { subject, text, html } = scanMail({ ...ended, domain, outcome }, 'https://tollgate.example')
      expect(subject).toBe(expected)
      const broken = domain.replaceAll('.', '[.]')
      for (const part of [text, html]) expect(part).toContain(`quotes the website ${broken}.`)
      expect(text).not.toContain(domain)
    }
  })

  test.each([{ analysis }, { problem: 'It did not answer.' }])(
    'says that the link needs the key when the scan was made with one, and nothing of keys otherwise',
    (outcome) => {
      const [own, open] = [true, false].map((isPrivate) =>
        scanMail({ ...ended, isPrivate, outcome }, 'https://t.example'),
      )
      for (const part of [own?.text, own?.html]) expect(part).toMatch(/made with an API key, .*x-mcp-api-key/)
      for (const part of [open?.text, open?.html]) expect(part).not.toMatch(/key\b(?! findings)/)
    },
  )

  test('brings the whole report where only a key opens the link, as a page without a script or a link', async () => {
    const { smtpUrl, deliveries } = await startMailServer()
    const scan = { ...ended, isPrivate: true, outcome: { analysis } }
    await mailer({ smtpUrl }).send(scanMail(scan, 'https://t.example'))
    const { attachments, text } = await PostalMime.parse(deliveries[0]?.raw ?? '')
    expect(text).toContain('save report.html, and open it in a browser')
    expect(attachments).toMatchObject([{ filename: 'report.html', mimeType: 'text/html' }])
    const [page] = attachments
    const html = typeof page?.content === 'string' ? page.content : new TextDecoder().decode(page?.content)
    expect(html).toContain('Report on site.example')
    expect(html).toContain('21 November 2026')
    expect(html).not.toMatch(/<script|<a |<img|<form/)
    expect(scanMail({ ...scan, isPrivate: false }, 'https://t.example').attachedPage).toBeUndefined()
  })

  test('is called an e-mail and never a letter', () => {
    const mail = scanMail({ ...ended, outcome: { analysis } }, 'https://t.example')
    for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toMatch(/letter/i)
    expect(mail.text).toContain('You get this e-mail because')
  })

  test('says why a scan failed', () => {
    const problem = 'The site did not answer within 20 s.'
    const mail = scanMail({ ...ended, outcome: { problem } }, 'https://t.example')
    expect(mail.subject).toBe('The scan of site.example could not be finished')
    expect(mail.text).toContain(problem)
    expect(mail.html).toContain(problem)
    expect(mail.html).toContain(`href="https://t.example/api/insights/scan/${id}/status"`)
    expect(mail.messageId).toBe(`scan-${id}`)
  })
})

describe('an e-mail', () => {
  test.each([
    'one@site.example, two@site.example',
    'one@site.example two@site.example',
    'one@site.example;two@site.example',
    'Name <one@site.example>',
    'one@site.example\r\nBcc: two@site.example',
    'one@site.example>\r\nRCPT TO:<two@site.example',
    'one@two@site.example',
    '@site.example',
    'one',
    '',
  ])('to %j is refused permanently, without a connection to the server', async (to) => {
    const { smtpUrl, connected } = await startMailServer()
    expect((await fault(mailer({ smtpUrl }).send({ ...letter, to }))).isPermanent).toBe(true)
    expect(connected).toEqual([])
  })

  test.each(['../../etc/passwd', 'a/b', '.hidden', 'a b', 'a\r\nBcc: x@site.example', ''])(
    'with the message id %j is refused permanently',
    async (messageId) => {
      expect((await fault(mailer({}).send({ ...letter, messageId }))).isPermanent).toBe(true)
    },
  )

  test('keeps a subject with line breaks in one header', async () => {
    const { smtpUrl, deliveries } = await startMailServer()
    await mailer({ smtpUrl }).send({ ...letter, subject: 'Scan\r\nBcc: two@site.example\r\n\r\nBody' })
    const mail = await PostalMime.parse(deliveries[0]?.raw ?? '')
    expect(mail.subject).toBe('Scan Bcc: two@site.example Body')
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(deliveries[0]?.to).toEqual(['owner@site.example'])
  })

  test.each<[string, boolean, SMTPServerOptions]>([
    [
      'recipient is refused permanently',
      true,
      { onRcptTo: ({ address }, _session, done) => done(refusal(550, `${address} is unknown`)) },
    ],
    [
      'recipient is deferred',
      false,
      { onRcptTo: ({ address }, _session, done) => done(refusal(450, `${address} is busy`)) },
    ],
    [
      'content is refused permanently',
      true,
      {
        onData: async (stream, _session, done) => {
          await text(stream)
          done(refusal(554, 'owner@site.example wants no such letters'))
        },
      },
    ],
    ['sender is refused', false, { onMailFrom: (_from, _session, done) => done(refusal(553, 'not you')) }],
  ])(
    'whose %s fails with isPermanent %s and an error that names no recipient',
    async (_case, isPermanent, options) => {
      const { smtpUrl, deliveries } = await startMailServer(options)
      const error = await fault(mailer({ smtpUrl }).send(letter))
      expect(error.isPermanent).toBe(isPermanent)
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('owner')
      expect(error.cause).toBeUndefined()
      expect(deliveries).toEqual([])
    },
  )

  test('that fails for a wrong password may be sent again', async () => {
    const { smtpUrl } = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusal(535, 'wrong password')),
    })
    const error = await fault(mailer({ smtpUrl: smtpUrl.replace('//', '//user:secret@') }).send(letter))
    expect(error.isPermanent).toBe(false)
    expect(error.message).toContain('535')
    expect(error.message).not.toContain('secret')
  })

  test('to a silent server fails at the deadline and may be sent again', async () => {
    const { smtpUrl } = await startSilentServer()
    expect((await fault(mailer({ smtpUrl, deadlineMs: 50 }).send(letter))).isPermanent).toBe(false)
  })

  test('that is being sent is aborted when the mailer is closed, and none is sent afterwards', async () => {
    const { server, smtpUrl } = await startSilentServer()
    const mail = mailer({ smtpUrl })
    const sending = fault(mail.send(letter))
    await once(server, 'connection')
    mail.close()
    expect((await sending).isPermanent).toBe(false)
    expect((await fault(mail.send(letter))).isPermanent).toBe(false)
  })
})

describe('without a mail server', () => {
  async function temporaryFolder(): Promise<string> {
    const parent = await mkdtemp(join(tmpdir(), 'mail-'))
    onTestFinished(() => rm(parent, { recursive: true }))
    return join(parent, 'outbox')
  }

  test('an e-mail is a file in the folder that only our user may read, and a repeat replaces it', async () => {
    const folder = await temporaryFolder()
    const mail = mailer({ folder })
    await mail.send({ ...letter, text: 'First words.' })
    await mail.send(letter)
    expect(await readdir(folder)).toEqual([`scan-${id}.eml`])
    const file = join(folder, `scan-${id}.eml`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const parsed = await PostalMime.parse(await readFile(file))
    expect(parsed.to).toMatchObject([{ address: 'owner@site.example' }])
    expect(parsed.text?.trim()).toBe('Plain words.')
    expect(parsed.html?.trim()).toBe('<p>Words</p>')
    expect(parsed.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
  })

  test('a folder that cannot be written is no permanent failure', async () => {
    const folder = await temporaryFolder()
    await mailer({ folder }).send(letter)
    const inTheWay = join(folder, `scan-${id}.eml`, 'deeper')
    const error = await fault(mailer({ folder: inTheWay }).send(letter))
    expect(error.isPermanent).toBe(false)
    expect(error.message).toContain('ENOTDIR')
  })
})
