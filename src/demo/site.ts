import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The website of an invented small business, which the demo scans on this machine, so that it needs no network. Like
 * real ones, the site is readable and lacks some things.
 */
export interface DemoSite {
  /** The domain to scan. */
  readonly domain: string
  readonly port: number
  close(): Promise<void>
}

export async function startDemoSite(): Promise<DemoSite> {
  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', `http://${domain}`)
    const file = files[pathname]
    res.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/html; charset=utf-8' })
    res.end(req.method === 'HEAD' ? undefined : (file?.body ?? '<title>Not found</title><h1>Not found</h1>'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = addressOf(server.address())
  return {
    domain,
    port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const domain = 'brightsmile.example'

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the site is not listening on a port')
  return address
}

const html = 'text/html; charset=utf-8'

const files: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
  '/': {
    type: html,
    body: page(
      'Bright Smile Dental: gentle dentistry in Portland',
      '<meta name="description" content="Bright Smile Dental is a family practice in Portland for check-ups, hygiene, fillings and crowns, with appointments until eight in the evening.">',
      `<h1>Gentle dentistry for the whole family</h1>
<p>Bright Smile Dental is a dental practice in Portland that offers check-ups, hygiene, fillings and crowns to families and to people who have been afraid of the dentist for years.</p>
<h2>What we do</h2>
<p>A check-up takes 40 minutes: we look at every tooth, take two X-ray pictures where they are needed, and tell you in plain words what we saw. Cleaning takes another 30 minutes, and you can have both on one day. For a filling we plan an hour and use material in the colour of your teeth. Crowns are made in our own laboratory within 5 days, so that you need no second injection.</p>
<h2>When we are there</h2>
<p>Monday to Thursday from 8 to 20, Friday from 8 to 14. People in pain are seen on the same day: ring us before 9. Parking is behind the house, and line 14 stops in front of it.</p>
<h2>How to get an appointment</h2>
<p>Call us at <a href="tel:+15035550142">503 555 0142</a>, or write to <a href="mailto:hello@brightsmile.example">hello@brightsmile.example</a>. We answer within a day and send a reminder the evening before.</p>`,
    ),
  },
  '/prices': {
    type: html,
    body: page(
      'Prices',
      '',
      `<h1>Prices</h1>
<table><tr><th>Treatment</th><th>Price</th></tr><tr><td>Check-up</td><td>$85</td></tr><tr><td>Cleaning</td><td>$120</td></tr><tr><td>Filling</td><td>from $190</td></tr><tr><td>Crown</td><td>from $940</td></tr></table>
<p>You pay what we agreed on before we began. Most insurances pay 80 percent of a filling and half of a crown; we send them the papers.</p>`,
    ),
  },
  '/about': {
    type: html,
    body: page(
      'About us',
      '',
      `<h1>About us</h1>
<p>Dr. Alma Reyes opened the practice in 2009 with one chair. Today we are three dentists, four hygienists and two people at the desk who know most of our patients by name.</p>`,
    ),
  },
  '/robots.txt': {
    type: 'text/plain',
    body: 'User-agent: *\nAllow: /\n\nUser-agent: PerplexityBot\nDisallow: /\n',
  },
}

function page(title: string, head: string, main: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><header><nav><a href="/">Home</a> <a href="/prices">Prices</a> <a href="/about">About us</a></nav></header>
<main>${main}</main>
<footer>Bright Smile Dental, 12 Alder Street, Portland</footer></body></html>
`
}
