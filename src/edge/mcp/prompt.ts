import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'

/** The prompt that people choose in their client: it leads a model through a scan, to what to do about it. */
const improveWebsite: Prompt = {
  name: 'improve_website',
  title: 'Make a website ready for AI',
  description: 'Scans a website and says what to change first.',
  arguments: [{ name: 'url', description: 'the website: a domain or an http(s) address', required: true }],
}

export const prompts: readonly Prompt[] = [improveWebsite]

/** @throws ProtocolError for another name, or without a website. */
export function writePrompt(
  name: string,
  args: Readonly<Record<string, string>> | undefined,
): GetPromptResult {
  if (name !== improveWebsite.name) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`)
  }
  const url = args?.url?.trim()
  if (!url || url.length > maxCharacters) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The prompt needs the argument url, a website.')
  }
  const text = `Find out how ready the website ${JSON.stringify(url)} is for AI agents and answer engines.
1. Call start_scan with it.
2. Call get_scan_status every 5 to 10 seconds until the status is complete or error.
3. Call get_scan_results, and with an API key get_playbook as well.
4. Tell me both scores with what lowers them most, then the three changes to make first: for each what it brings, and what it takes.`
  return {
    description: improveWebsite.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}

const maxCharacters = 2_000
