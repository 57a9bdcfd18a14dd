import { createHash } from 'node:crypto'
import { z } from 'zod'
import { jsonOf, readDocument } from '../../findings/document.ts'
import type { Reading } from '../../findings/judge-document.ts'
import { counted } from '../../findings/share.ts'
import { absolute, shown } from '../../site/addresses.ts'
import type { Capture, SiteReply } from '../../site/capture.ts'
import { faultOf, few, notJson, startOf } from './agent-documents.ts'

/**
 * Reads the index of agent skills (discovery 0.2.0) and recomputes the digest of its first skill. An agent
 * follows the instructions of a skill. With a wrong digest it cannot know whether they come from the site.
 */
export function readSkillsIndex(answer: SiteReply, capture: Capture): Reading {
  const json = jsonOf(answer)
  const fix = `Give each skill in ${answer.url} its name, type, description, url and "sha256:" digest, as discovery 0.2.0 has it.`
  if (!json) return notJson(answer, fix)
  const index = skillsIndex.safeParse(json.value)
  if (!index.success) return { state: 'broken', value: startOf(answer), fault: faultOf(index.error), fix }
  const [first] = index.data.skills
  if (!first) return { state: 'broken', value: 'skills: []', fault: 'it lists no skill', fix }
  const url = absolute(first.url, answer.finalUrl)
  const exchange = capture.exchanges.find((one) => one.purpose === 'skill' && one.url === url)
  if (!exchange) return { state: 'unknown', why: 'names a skill that was not fetched' }
  const document = readDocument(exchange)
  if (document.state === 'unseen') return { state: 'unknown', why: `names a skill that ${document.why}` }
  if (document.state === 'absent') {
    return {
      state: 'broken',
      value: shown(first.url),
      fault: `its first skill answers ${document.status}`,
      fix,
    }
  }
  const digest = digestOf(document.answer)
  if (digest === undefined) return { state: 'unknown', why: 'names a skill whose bytes were not kept whole' }
  if (first.digest !== digest) {
    return {
      state: 'broken',
      value: `${shown(first.name, 64)}: index says ${first.digest.slice(0, 19)}…, file has ${digest.slice(0, 19)}…`,
      fault: 'the digest of its first skill does not match the file',
      fix: `Write ${digest} into ${answer.url} as digest of ${shown(first.name, 64)}, or serve the file it was made from.`,
    }
  }
  return {
    state: 'good',
    value: `${counted(index.data.skills.length, 'skill')}, digest of ${shown(first.name, 64)} matches`,
  }
}

const skillsIndex = z.object({
  $schema: z.string().regex(/\/0\.2\.0\//),
  skills: few(
    z.object({
      name: z
        .string()
        .regex(/^[a-z0-9-]{1,64}$/)
        .refine((name) => !name.startsWith('-') && !name.endsWith('-') && !name.includes('--')),
      type: z.enum(['skill-md', 'archive']),
      description: z.string().trim().min(1).max(1024),
      url: z.string().trim().min(1),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    }),
  ),
})

/**
 * Digest of the bytes as sent; undefined when the decoded text does not give them back, as with an archive.
 */
function digestOf({ body, bytes, isCut }: SiteReply): string | undefined {
  if (isCut) return undefined
  // Decoding drops a byte order mark, but the digest includes it.
  const sent = [body, `\uFEFF${body}`]
    .map((text) => Buffer.from(text))
    .find(({ byteLength }) => byteLength === bytes)
  if (!sent || body.includes('\uFFFD')) return undefined
  return `sha256:${createHash('sha256').update(sent).digest('hex')}`
}
