import { wallOf } from '../../agents/crawl-access/challenge.ts'
import { homeAnswer, isGone } from '../../findings/document.ts'
import type { Block } from '../../findings/results.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { productToken } from '../../site/files/robots.ts'
import type { Site } from '../../site/site.ts'

/**
 * The owner of a walled site hands this to the person who runs the server: which names to let pass, and what was seen. An
 * owner of another trade can neither find the rule that refuses them nor say in its terms what to change.
 */
export function wallBlock(site: Site): Block | undefined {
  const home = homeAnswer(site.capture)
  if (home === undefined) return undefined
  const [browser] = repliesFor(site.capture, 'home-browser')
  // A site that sends the same to a browser keeps no agent out, and a light scan asks as no browser.
  const isSame = browser === undefined || browser.body === home.body
  if (isGone(home) && isSame) return undefined
  if (home.status === 200 && isSame && wallOf(home) === undefined) return undefined
  const lines = [
    `Address: ${shown(home.finalUrl, 300)}`,
    `Answer to a program that gives its own name: ${home.status}`,
    ...(browser === undefined ? [] : [`Answer to a browser: ${browser.status}`]),
    '',
    'Let these names pass. Programs give them in the User-Agent line of a request:',
    ...names.map(([owner, bots]) => `- ${owner}: ${bots}`),
    `- This scan, so that it can read the site next time: ${productToken}`,
    '',
    'Look at the rules of the firewall, at security plugins of the website system and at the bot protection of the host.',
    'Logins and forms can stay protected.',
  ]
  return {
    kind: 'text',
    where: 'Hand this on to whoever runs your server, such as the host of your website.',
    text: `${lines.join('\n')}\n`,
    missing: [],
  }
}

const names: readonly (readonly [owner: string, bots: string])[] = [
  ['ChatGPT', 'OAI-SearchBot, ChatGPT-User'],
  ['Claude', 'Claude-SearchBot, Claude-User'],
  ['Perplexity', 'PerplexityBot, Perplexity-User'],
  ['Google and Gemini', 'Googlebot'],
  ['Bing and Copilot', 'bingbot'],
  ['Apple', 'Applebot'],
  ['DuckDuckGo', 'DuckDuckBot, DuckAssistBot'],
]
