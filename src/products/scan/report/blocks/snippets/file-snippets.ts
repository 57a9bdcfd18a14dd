import type { Block } from '../../../findings/results.ts'
import type { Snippet, SnippetParts } from './snippet.ts'

/** Lines for the files that programs look for. */
export const fileSnippets: readonly (readonly [id: string, make: Snippet])[] = [
  ['crawl-access/training-stance', trainingStance],
  ['security-safety/security-txt', securityFile],
  ['entity-trust/accountability', securityFile],
]

function trainingStance({ site }: SnippetParts): Block {
  return {
    kind: 'robots.txt',
    where: `Put this line below “User-agent: *” in ${site.origin}/robots.txt. It says that your texts may be found and cited, and not used to train AI models. If they may be used for that, too, write yes in place of no.`,
    text: 'Content-Signal: search=yes, ai-train=no\n',
    missing: [],
  }
}

/** A year is the longest time that RFC 9116 recommends. */
function securityFile({ site, facts }: SnippetParts): Block {
  const expires = new Date(site.now + 364 * 86_400_000).toISOString().replace(/\.\d+/, '')
  const contact = facts.email === undefined ? 'mailto:YOUR E-MAIL ADDRESS' : `mailto:${facts.email}`
  return {
    kind: 'text',
    where: `Save it as ${site.origin}/.well-known/security.txt, as plain text. It holds for a year: set a new date then.`,
    text: `Contact: ${contact}\nExpires: ${expires}\n`,
    missing: [],
  }
}
