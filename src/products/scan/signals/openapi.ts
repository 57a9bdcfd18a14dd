import { z } from 'zod'
import { jsonOf } from '../findings/document.ts'
import type { Reading } from '../findings/judge-document.ts'
import { counted } from '../findings/share.ts'
import { shown } from '../site/addresses.ts'
import type { SiteReply } from '../site/capture.ts'

/**
 * Reads the description of an API: OpenAPI 3 or Swagger 2, as JSON or YAML. It is good when it has at least
 * one path.
 */
export function readOpenApi(answer: SiteReply): Reading {
  const isJson = /^[\s\uFEFF]*[[{"]/.test(answer.body.slice(0, 1_000))
  const outline = isJson ? outlineOfJson(answer) : outlineOfYaml(answer.body)
  const value = `${counted(answer.bytes, 'byte')} that begin with: ${shown(answer.body.slice(0, 300), 60)}`
  const fix = `Serve an OpenAPI 3 description with its paths at ${answer.url}, and check it with a validator.`
  if (!outline) return { state: 'broken', value, fault: 'it is not valid JSON', fix }
  if (!/^(?:3\.\d|2\.0)/.test(outline.version)) {
    return { state: 'broken', value, fault: 'it names no version of OpenAPI', fix }
  }
  if (outline.paths === undefined)
    return { state: 'unknown', why: 'has its paths in a form that is not read' }
  const summary = `OpenAPI ${shown(outline.version, 20)}, ${counted(outline.paths, 'path')}`
  if (outline.paths === 0) return { state: 'broken', value: summary, fault: 'it describes no path', fix }
  return { state: 'good', value: summary }
}

interface Outline {
  readonly version: string
  /** How many there are; undefined when they cannot be counted. */
  readonly paths: number | undefined
}

const description = z.object({
  openapi: z.string().optional(),
  swagger: z.string().optional(),
  paths: z.looseObject({}).optional(),
})

function outlineOfJson(answer: SiteReply): Outline | undefined {
  const json = jsonOf(answer)
  if (!json) return undefined
  const { success, data } = description.safeParse(json.value)
  if (!success) return { version: '', paths: 0 }
  const paths = Object.keys(data.paths ?? {}).filter((key) => key.startsWith('/'))
  return { version: data.openapi ?? data.swagger ?? '', paths: paths.length }
}

/**
 * Reads the two outer levels of block YAML line by line. A YAML parser would let a site block this thread:
 * the `yaml` package took 0.36 s for 39 KB of anchors with aliases and 3.4 s for 165 KB (`parse` of
 * alternating `- &a1 x` and `- *a1` lines). The version and the paths stand at the beginning of lines, so no
 * parser is needed.
 */
function outlineOfYaml(text: string): Outline {
  let version = ''
  let section = ''
  let inline = ''
  let depth = 0
  let paths = 0
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const [, gap = '', start = ''] = /^( {0,20})(.{0,300})/.exec(line) ?? []
    if (start.trim() === '' || start.startsWith('#')) continue
    if (gap === '') {
      const [, key = '', rest = ''] = /^["']?([a-z]{1,20})["']?\s{0,9}:(.*)$/.exec(start) ?? []
      const value = rest.replace(/\s#.*$/, '').trim()
      section = key
      if (key === 'paths') inline = value
      if (key === 'openapi' || key === 'swagger') version = value.replace(/^["']|["']$/g, '')
    } else if (section === 'paths') {
      // The first indented line sets the depth of the paths; deeper lines belong to one of them.
      if (depth === 0) depth = gap.length
      if (gap.length === depth && /^["']?\//.test(start)) paths += 1
    }
  }
  return { version, paths: inline === '' || inline === '{}' ? paths : undefined }
}
