import type { ServerResponse } from 'node:http'

/** A file server that finds one page under many spellings, as stock servers and frameworks together do. */
export function createShop() {
  const given = new Set<string>()
  return {
    /** The spellings under which the page that costs was given away. */
    given: (): readonly string[] => [...given],
    /** @param target path and query, as they came. */
    reply(target: string, res: ServerResponse): void {
      const isPremium = spelledPlainly(target) === '/premium.html'
      if (isPremium) given.add(target)
      res.writeHead(200, { 'content-type': 'text/html' }).end(isPremium ? 'premium' : 'free')
    },
  }
}

/** Decodes twice, and leaves out what one server or another ignores. */
function spelledPlainly(target: string): string {
  let path = target.split('?', 1).join()
  for (let times = 0; times < 2; times += 1) path = decoded(path)
  return path
    .replaceAll('\\', '/')
    .replace(/[?#;].*$/s, '')
    .replace(/\/+/g, '/')
    .replace(/(?:\/\.)+(?=\/|$)/g, '')
    .replace(/[\s./\0]+$/, '')
    .toLowerCase()
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not UTF-8: such servers take the bytes as they are.
    return path
  }
}
