import type { SiteReply } from '../../site/capture.ts'
import { filesOf } from '../../site/html/scripted/included-parts.ts'
import { partFetch } from '../agent-fetches.ts'
import type { CaptureRun } from '../capture-run.ts'
import type { Read, Readings } from '../readings.ts'
import { pagesToRead } from './fetch-pages.ts'
import type { PageLink } from './sample-pages.ts'

/**
 * The links of the home page, with those of a menu and a footer that scripts put into it from files of the site. Such a
 * script may have a file of its own, which may have been fetched since the page was first read.
 * @param first what that first reading gave; undefined where the page has no HTML.
 */
export async function readLinks(
  { run, read, signal }: { readonly run: CaptureRun; readonly read: Read; readonly signal: AbortSignal },
  home: SiteReply,
  first: Readings['home']['result'] | undefined,
): Promise<readonly PageLink[]> {
  if (first === undefined) return []
  const again = () => read('home', { reply: home, files: filesOf(run) }, signal)
  const mayLoad = filesOf(run).scripts.some(namesPages)
  const { parts, links } = mayLoad ? await again() : first
  if (parts.length === 0) return links
  await run.fetchAll(parts.map(partFetch))
  return (await again()).links
}

/**
 * Fetches what scripts put into the pages of the sample, where such a script has a file of its own, which was fetched after
 * its page was read.
 * @param scripts that were fetched since
 */
export async function fetchLateParts(
  { run, read, signal }: { readonly run: CaptureRun; readonly read: Read; readonly signal: AbortSignal },
  scripts: readonly string[],
): Promise<void> {
  const files = filesOf(run)
  const late = new Set(scripts)
  if (!files.scripts.some((script) => late.has(script.url) && namesPages(script))) return
  const pages = run.exchanges.filter(({ purpose }) => purpose === 'page')
  const parts = await read('parts', { replies: pagesToRead(pages), files }, signal)
  await run.fetchAll(parts.map(partFetch))
}

function namesPages({ body }: SiteReply): boolean {
  return /\.x?html?["'`\s]/.test(body)
}
