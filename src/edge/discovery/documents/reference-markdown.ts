import { prose } from '../prose.ts'
import type { Reference } from '../reference.ts'

/** The API reference as markdown, for agents: the same view as the page for people, without its markup. */
export function referenceMarkdown({ title, version, description, playMoney, sections }: Reference): string {
  const parts = [
    `# ${prose(title)}: API reference`,
    `Version ${version}. ${prose(description)}`,
    ...(playMoney === undefined ? [] : [playMoney]),
    'Send JSON and read JSON. Operations with a free quota need no credentials; others take an API key in the `x-mcp-api-key` header, or a payment. An error has `error`, `message`, `code` and `details`, and its message says what to do next.',
    ...sections.flatMap((section) => [
      `## ${prose(section.description)}`,
      ...section.operations.flatMap((operation) => operationParts(operation)),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

type Operation = Reference['sections'][number]['operations'][number]

function operationParts(operation: Operation): string[] {
  const { method, path, url, summary, description, access, inputs, outputs, example, statuses } = operation
  return [
    `### ${method} ${path}`,
    `**${prose(summary)}.** ${prose(description)}`,
    `- Address: \`${method} ${url}\`\n- Access: ${prose(access)}\n- Statuses: ${statuses.map(({ status }) => status).join(', ')}`,
    ...fieldList('You send:', inputs),
    ...fieldList('You get:', outputs),
    ...(example === undefined ? [] : ['An example of the body:', `\`\`\`json\n${example}\n\`\`\``]),
  ]
}

function fieldList(heading: string, fields: Operation['inputs']): string[] {
  if (fields.length === 0) return []
  const lines = fields.map(({ name, type, place, isRequired, note }) => {
    const sent = place === 'reply' ? '' : `, ${isRequired ? 'required' : 'optional'} (${place})`
    return `- \`${name}\`: ${prose(type)}${sent}${note === undefined ? '' : `. ${prose(note)}`}`
  })
  return [`${heading}\n\n${lines.join('\n')}`]
}
