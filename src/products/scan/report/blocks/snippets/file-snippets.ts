import type { Block } from '../../../findings/results.ts'
import { dotFolderNote } from '../hosting/dot-folders.ts'
import type { Snippet, SnippetParts } from './snippet.ts'

/** Lines for the files that programs look for. */
export const fileSnippets: readonly (readonly [id: string, make: Snippet])[] = [
  ['crawl-access/training-stance', trainingStance],
  ['security-safety/security-txt', securityFile],
  ['entity-trust/accountability', answersFor],
]

/** Whether texts may train models is the owner's own decision, so no block takes it. */
function trainingStance({ site, change }: SnippetParts): Block {
  const isNew = change.fix.startsWith('In the new')
  return {
    kind: 'robots.txt',
    where: [
      `Put the line that stands here below “User-agent: *” in ${site.origin}/robots.txt.`,
      ...(isNew ? ['That file is not there yet, so publish it first.'] : []),
      'Do both lines stand here? Then one has to be chosen first. “no” forbids to train AI models with your texts, and “yes” allows it. The line does not change whether search engines and assistants may read the site.',
    ].join(' '),
    text: 'Content-Signal: ai-train=no\nContent-Signal: ai-train=yes\n',
    missing: [],
  }
}

/** Some sites are asked for a page, and no file takes its place. */
function answersFor(parts: SnippetParts): Block | undefined {
  return parts.change.work?.kind === 'security-file' ? securityFile(parts) : undefined
}

/** A year is the longest time that RFC 9116 recommends. */
function securityFile({ site, facts }: SnippetParts): Block {
  const expires = new Date(site.now + 364 * 86_400_000).toISOString().replace(/\.\d+/, '')
  const { email } = facts
  return {
    kind: 'text',
    where: [
      `Save it as ${site.origin}/.well-known/security.txt, as plain text. It holds for a year: set a new date then.`,
      ...(email === undefined
        ? ['Before you save it, write your e-mail address where capital letters stand, behind “mailto:”.']
        : []),
    ]
      .join(' ')
      .concat(dotFolderNote(site)),
    text: `Contact: mailto:${email ?? 'YOUR E-MAIL ADDRESS'}\nExpires: ${expires}\n`,
    missing: email === undefined ? ['your e-mail address, in place of YOUR E-MAIL ADDRESS (Contact)'] : [],
  }
}
