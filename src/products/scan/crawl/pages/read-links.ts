import type { SiteReply } from '../../site/capture.ts'
import { filesOf } from '../../site/html/scripted/included-parts.ts'
import { partFetch } from '../agent-fetches.ts'
import type { CaptureRun } from '../capture-run.ts'
import type { Read, Readings } from '../readings.ts'
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
  const mayLoad = filesOf(run).scripts.some(({ body }) => /\.x?html?["'`\s]/.test(body))
  const { parts, links } = mayLoad ? await again() : first
  if (parts.length === 0) return links
  await run.fetchAll(parts.map(partFetch))
  return (await again()).links
}
