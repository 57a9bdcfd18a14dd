import { type Evidence, fail, type Outcome, pass, unmeasured, warn } from '../check.ts'
import type { Page, Site } from '../site.ts'
import { textWithin } from '../visible-text.ts'
import { countWords } from '../words.ts'
import { counted } from './share.ts'

/**
 * Whether the page is only a shell that a script fills. Most agents run no scripts: to them such a page is
 * empty, whatever people see. The elements are those in which the common frameworks put their pages.
 */
export function judgeShell({ home, pages }: Site): Outcome {
  if (!home) return unmeasured('The page did not answer 200 with HTML.')
  const { words, mount } = measure(home)
  const where: Evidence[] = [
    { url: home.url, value: `${counted(words, 'word')} without JavaScript` },
    ...(mount === undefined
      ? []
      : [{ url: home.url, value: `#${mount.id} holds ${counted(mount.length, 'character')}` }]),
  ]
  const fix = `Render ${home.url} on the server or at build time, so that its text stands in the HTML.`
  if (words < 50) {
    const cause = mount === undefined ? '' : `, and #${mount.id} is filled by a script`
    return fail(
      `The HTML holds ${counted(words, 'word')}, fewer than 50${cause}; agents that run no scripts see an empty page.`,
      fix,
      ...where,
    )
  }
  if (mount) {
    return warn(
      `The HTML holds ${counted(words, 'word')}, but #${mount.id} is empty until a script fills it; agents that run no scripts miss what it shows.`,
      fix,
      ...where,
    )
  }
  const shells = pages.filter((page) => {
    const one = measure(page)
    return one.words < 50 && one.mount !== undefined
  })
  if (shells.length > 0) {
    return warn(
      `The first page has its text in the HTML, but ${shells.length} of ${counted(pages.length, 'page')} ${shells.length === 1 ? 'is' : 'are'} empty until a script runs.`,
      `Render ${shells[0]?.url ?? home.url} on the server or at build time as well.`,
      ...shells
        .slice(0, 5)
        .map(({ url }): Evidence => ({ url, value: 'fewer than 50 words without JavaScript' })),
    )
  }
  return pass(`The HTML holds ${counted(words, 'word')} without JavaScript.`, ...where)
}

const mounts = ['root', 'app', '__next', '___gatsby', '__nuxt']

/** The words of the page, and the first of those elements that holds fewer than 50 characters. */
function measure(page: Page): { words: number; mount: { id: string; length: number } | undefined } {
  const found = mounts.flatMap((id) => {
    const element = page.$(`[id="${id}"]`).toArray()[0]
    return element === undefined ? [] : [{ id, length: textWithin([element]).length }]
  })
  return { words: countWords(page.text), mount: found.find(({ length }) => length < 50) }
}
