import { fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { counted, portion } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { headerOf } from '../../site/files/headers.ts'
import { type Robots, trainingBots } from '../../site/files/robots.ts'
import type { Site } from '../../site/site.ts'
import { isUnknown } from './bot-access.ts'

/**
 * Judges whether robots.txt says if the content may train models: `Content-Signal: ai-train=no` as
 * Cloudflare writes it (https://contentsignals.org), or `Content-Usage: / train-ai=n` of the IETF draft
 * (draft-ietf-aipref-attach). Yes and no both pass.
 */
export function judgeTrainingStance({ capture, robots }: Site): Outcome {
  if (robots.state === 'unreachable' || isUnknown(robots)) {
    return unmeasured('robots.txt was not read, so its stance is unknown.')
  }
  const trainingAgents = robots.groups.flatMap(({ agents }) =>
    agents.filter((agent) => trainingBots.some((bot) => bot.toLowerCase() === agent.toLowerCase())),
  )
  const bot = trainingAgents[0]
  if (bot !== undefined) {
    return pass('robots.txt speaks to crawlers that gather training data by name.', {
      url: robots.url,
      value: `a group for ${shown(bot)}`,
    })
  }
  const signal = signalLines(robots).find(({ settings }) => settings.some(isStance))
  if (signal !== undefined) {
    return pass('robots.txt states whether the content may train models.', {
      url: robots.url,
      value: shown(signal.line),
    })
  }
  const [home] = repliesFor(capture, 'home')
  const header = home === undefined ? '' : headerOf(home, 'content-usage')
  if (home !== undefined && header.split(',').map(readSetting).some(isStance)) {
    return pass('A header states whether the content may train models.', {
      url: home.finalUrl,
      value: `Content-Usage: ${shown(header)}`,
    })
  }
  return fail(
    'Nothing in robots.txt says whether AI models may be trained with the content. Each maker of models decides for itself.',
    robots.state === 'absent'
      ? `In the new ${shown(robots.url)}, write "Content-Signal: ai-train=yes" or "ai-train=no" below "User-agent: *".`
      : robots.groups.some(({ agents }) => agents.includes('*'))
        ? `Add "Content-Signal: ai-train=yes" or "ai-train=no" to the "User-agent: *" group of ${shown(robots.url)}.`
        : `Begin a group in ${shown(robots.url)} with the line "User-agent: *", and write "Content-Signal: ai-train=yes" or "ai-train=no" below it.`,
    {
      url: robots.url,
      value:
        robots.state === 'absent'
          ? 'no robots.txt, and no Content-Usage header'
          : 'no group for a training bot, no ai-train or train-ai preference',
    },
  )
}

export function judgeSignalSyntax({ robots }: Site): Outcome {
  if (robots.state === 'unreachable' || isUnknown(robots)) return unmeasured('robots.txt was not read.')
  const lines = signalLines(robots)
  const [first] = lines
  if (first === undefined) return notApplicable('robots.txt has no Content-Signal or Content-Usage line.')
  const faulty = lines.flatMap((line) => {
    const fault = faultOf(line)
    return fault === undefined ? [] : [{ ...line, fault }]
  })
  const [worst] = faulty
  if (worst === undefined) {
    return pass(`${counted(lines.length, 'usage preference')} can be parsed.`, {
      url: robots.url,
      value: shown(first.line),
    })
  }
  return fail(
    `${portion(faulty.length, lines.length, 'usage preference', 'cannot', 'cannot')} be parsed, so crawlers pass over ${faulty.length === 1 ? 'it' : 'them'}.`,
    `Correct "${shown(worst.line, 80)}" in ${shown(robots.url)}; a line such as "Content-Signal: search=yes, ai-train=no" within a group is understood.`,
    ...faulty
      .slice(0, 5)
      .map(({ line, fault }) => ({ url: robots.url, value: `${shown(line, 100)}: ${fault}` })),
  )
}

interface SignalLine {
  readonly line: string
  readonly isUsage: boolean
  readonly isInGroup: boolean
  readonly settings: readonly Setting[]
}

interface Setting {
  readonly key: string
  readonly value: string
}

/** Includes lines before the first group: parsers drop them, and the owner should know. */
function signalLines({ groups, looseSignals }: Robots): SignalLine[] {
  return [
    ...looseSignals.map((line) => readLine(line, false)),
    ...groups.flatMap(({ signals }) => signals.map((line) => readLine(line, true))),
  ].slice(0, 200)
}

function readLine(line: string, isInGroup: boolean): SignalLine {
  const colon = line.indexOf(':')
  const value = line.slice(colon + 1).trim()
  // A preference may begin with the path that it applies to.
  const settings = value.startsWith('/') ? value.slice(value.search(/\s|$/)) : value
  return {
    line,
    isUsage: line.slice(0, colon).trim().toLowerCase() === 'content-usage',
    isInGroup,
    settings: settings.split(',').map(readSetting),
  }
}

function readSetting(text: string): Setting {
  const [key = '', value = ''] = text.split('=')
  return { key: key.trim().toLowerCase(), value: value.trim().toLowerCase() }
}

/** The reserved keys of both forms. Each is accepted in the other form too, because sites mix them up. */
const purposes: ReadonlySet<string> = new Set([
  ...['search', 'ai-input', 'ai-train'],
  ...['train-ai', 'ai-use', 'train-genai', 'bots'],
])
/** Values of `use`, with which Cloudflare's own files say how much may be shown. */
const extents: ReadonlySet<string> = new Set(['immediate', 'reference', 'full'])

function faultOf({ isInGroup, isUsage, settings }: SignalLine): string | undefined {
  if (!isInGroup) return 'stands before the first User-agent line'
  for (const { key, value } of settings) {
    if (key === 'use' && !isUsage) {
      if (!extents.has(value)) return `"${shown(value, 30)}" is no value of use`
      continue
    }
    if (!purposes.has(key)) return key === '' ? 'says nothing' : `the key "${shown(key, 30)}" is unknown`
    if (!(isUsage ? ['y', 'n'] : ['yes', 'no']).includes(value)) {
      return `"${shown(value, 30)}" is not ${isUsage ? 'y or n' : 'yes or no'}`
    }
  }
  return undefined
}

function isStance({ key, value }: Setting): boolean {
  return ['ai-train', 'train-ai', 'train-genai'].includes(key) && ['yes', 'no', 'y', 'n'].includes(value)
}
