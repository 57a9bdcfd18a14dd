import { z } from 'zod'
import { type Evidence, fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { jsonOf, readDocument } from '../../findings/document.ts'
import { judgeDocument, type Reading } from '../../findings/judge-document.ts'
import { counted } from '../../findings/share.ts'
import { absolute, pathOf, shown } from '../../site/addresses.ts'
import type { Purpose, SiteReply } from '../../site/capture.ts'
import { readLinkHeader } from '../../site/files/link-header.ts'
import type { Site } from '../../site/site.ts'
import { faultOf, few, notJson, startOf, word } from './agent-documents.ts'

/**
 * The catalogue of agents and tools of a site (`ai-catalog.json`), and where the site announces it: a line
 * `Agentmap:` in robots.txt, or rel="ai-catalog" in a Link header or in the page's head.
 */
export function judgeAiCatalog(site: Site): Outcome {
  const { capture, origin } = site
  return judgeDocument(
    { capture },
    {
      name: 'A catalogue of agents and tools',
      isPlace: isCatalog,
      read: readAiCatalog,
      isExpected: announcementsIn(site).length > 0,
      sign: 'although the site announces one',
      loss: 'Agents read it to learn which tools and agents the site offers.',
      fix: `Publish the catalogue at ${origin}${wellKnown}, or remove the line or link that announces it.`,
    },
  )
}

/** Applies only where there is a catalogue: `judgeAiCatalog` reports one that is announced and missing. */
export function judgeCatalogAnnounced(site: Site): Outcome {
  const { capture, home, origin } = site
  const catalog = capture.exchanges
    .filter(({ url, purpose }) => isCatalog(pathOf(url), purpose))
    .map(readDocument)
    .find((document) => document.state === 'present' && readAiCatalog(document.answer).state === 'good')
  if (!catalog)
    return notApplicable('No catalogue of agents and tools was seen that the site could announce.')
  const [announcement] = announcementsIn(site)
  if (announcement) return pass('The site announces its catalogue of agents and tools.', announcement.place)
  if (!home) return unmeasured('The page did not answer 200 with HTML, so its links are not known.')
  return fail(
    'Neither robots.txt nor the page announces the catalogue of agents and tools, so agents must guess its address.',
    `Add the line "Agentmap: ${shown(catalog.url)}" to ${origin}/robots.txt.`,
    { url: catalog.url, value: 'status 200, a catalogue' },
    { url: home.url, value: 'no rel="ai-catalog"' },
  )
}

const wellKnown = '/.well-known/ai-catalog.json'

export function isCatalog(path: string, purpose: Purpose): boolean {
  return path === wellKnown || purpose === 'ai-catalog'
}

interface Announcement {
  readonly url: string
  readonly place: Evidence
}

function announcementsIn({ robots, home }: Site): Announcement[] {
  const inRobots = robots.agentmaps.map((url) => ({
    url,
    place: { url: robots.url, value: `Agentmap: ${shown(url)}` },
  }))
  if (!home) return inRobots
  const inHeader = readLinkHeader(home.reply.headers.link ?? [], home.url)
    .filter(({ rels }) => rels.includes(relation))
    .map(({ url }) => ({ url, place: { url: home.url, value: `Link: <${shown(url)}>; rel=${relation}` } }))
  const inHead = home
    .$('link[rel][href]')
    .toArray()
    .slice(0, 500)
    .filter(({ attribs: { rel = '' } }) => rel.toLowerCase().split(/\s+/).includes(relation))
    .flatMap(({ attribs: { href = '' } }) => absolute(href, home.url) ?? [])
    .map((url) => ({ url, place: { url: home.url, value: `<link rel="${relation}" href="${shown(url)}">` } }))
  return [...inRobots, ...inHeader, ...inHead]
}

const relation = 'ai-catalog'

/** Reads a catalogue as ARD 0.9 describes it: https://github.com/ards-project/ard-spec */
function readAiCatalog(answer: SiteReply): Reading {
  const json = jsonOf(answer)
  const fix = `Let ${answer.url} hold "specVersion" and "entries", each with displayName, type and either url or data.`
  if (!json) return notJson(answer, fix)
  const parsed = catalog.safeParse(json.value)
  if (!parsed.success) return { state: 'broken', value: startOf(answer), fault: faultOf(parsed.error), fix }
  return { state: 'good', value: counted(parsed.data.entries.length, 'entry', 'entries') }
}

const entry = z
  .object({
    displayName: word,
    type: word.optional(),
    /** The older name of `type`. */
    mediaType: word.optional(),
    url: word.optional(),
    data: z.unknown().optional(),
  })
  .refine(({ type, mediaType }) => (type ?? mediaType) !== undefined, { path: ['type'] })
  .refine(({ url, data }) => (url === undefined) !== (data === undefined), { path: ['url'] })
const catalog = z.object({ specVersion: word, entries: few(entry) })
