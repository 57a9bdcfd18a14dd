import { depthOf } from '../../site/addresses.ts'
import { insideFolder, isBeside, ownFolder } from '../../site/below-home.ts'
import type { SiteReply } from '../../site/capture.ts'
import type { CaptureRun } from '../capture-run.ts'
import { pageFetch, statusFetch } from '../planned-fetch.ts'
import type { Places } from '../readings.ts'
import type { PageLink } from './sample-pages.ts'

/**
 * Finds out what links with a leading slash are meant for, where a site has only a folder of its host. Many authors write
 * them for the root of a host: `/crowns.html` answers 404 there, and stands in the folder. Read by its links alone, such a
 * site would have a single page. Where one of the first links shows it, all of them are taken so.
 */
export async function placesOf(
  run: CaptureRun,
  home: SiteReply,
  links: readonly PageLink[],
): Promise<Places> {
  const folder = ownFolder(home.url, home.finalUrl)
  if (folder === undefined) return { folder, areMeantForFolder: false }
  const beside = [...new Set(links.map(({ url }) => url))].filter(
    (url) => isBeside(url, folder) && depthOf(url) > 0,
  )
  for (const url of beside.slice(0, maxTries)) {
    const [inside] = await run.fetchAll([statusFetch('folder-link', insideFolder(url, folder))])
    if (inside?.outcome !== 'replied' || inside.status !== 200) continue
    const [outside] = await run.fetchAll([pageFetch('page', url)])
    const isGone = outside?.outcome === 'replied' && outside.status === 404
    if (isGone) return { folder, areMeantForFolder: true }
  }
  return { folder, areMeantForFolder: false }
}

const maxTries = 2
