import { once } from 'node:events'
import { createServer } from 'node:http'
import { z } from 'zod'

/**
 * A stand-in for a language model, at the socket: an OpenAI-compatible server that composes answers from the data in the
 * prompt. Every third first answer has a fault that models make (a sentence twice, hours that do not multiply out, a
 * keyword too rare, another language), and asked again it mends it. It is no measure of a model, but of what the gateway
 * does with one: what data it gets, what is sold, what is asked for again.
 */
export interface StandIn {
  readonly baseUrl: string
  /** How many answers had a fault on purpose. */
  readonly faulty: number
  readonly asked: number
  close(): Promise<void>
}

const sent = z.looseObject({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.object({ json_schema: z.object({ name: z.string(), schema: z.unknown() }) }),
})
const siteData = z.looseObject({
  offers: z.array(z.string()),
  prices: z.array(z.string()),
  places: z.array(z.string()),
  sentences: z.array(z.string()),
})

export async function startStandIn(): Promise<StandIn> {
  const count = { asked: 0, faulty: 0, first: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(request, 'end')
    const body = sent.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    count.asked += 1
    const isAgain = body.messages.length > 2
    if (!isAgain) count.first += 1
    const isFaulty = !isAgain && count.first % 3 === 0
    if (isFaulty) count.faulty += 1
    const content = JSON.stringify(answerTo(body, isFaulty))
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'stand-in',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            logprobs: null,
            message: { role: 'assistant', content, refusal: null },
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    get asked() {
      return count.asked
    },
    get faulty() {
      return count.faulty
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerTo({ messages, response_format }: z.infer<typeof sent>, isFaulty: boolean): unknown {
  const user = messages[1]?.content ?? ''
  const request = z.record(z.string(), z.string()).parse(JSON.parse(between(user, 'request') ?? '{}'))
  const written = between(user, 'site')
  const site = written === undefined ? undefined : siteData.parse(JSON.parse(written))
  const schema = JSON.stringify(response_format.json_schema.schema)
  const hasEnvelope = schema.includes('"reason"')
  const asked = Object.values(request).join(' ')
  if (hasEnvelope && /chemtrails/i.test(asked))
    return { reason: 'a conspiracy theory that frightens parents', text: null }
  const isGerman = /\b(?:wie|der|können|weniger)\b/i.test(asked)
  const writer = new Writer(isGerman, asked)
  const text = compose(
    response_format.json_schema.name,
    request,
    site,
    writer,
    schema.includes('"volume"'),
    isFaulty,
  )
  return hasEnvelope ? { reason: null, text } : text
}

function between(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(text)?.[1]
}

type SiteData = z.infer<typeof siteData>

function compose(
  name: string,
  request: Readonly<Record<string, string>>,
  site: SiteData | undefined,
  writer: Writer,
  hasVolume: boolean,
  isFaulty: boolean,
): unknown {
  switch (name) {
    case 'analysis':
      return analysis(request, site, writer, hasVolume, isFaulty)
    case 'lead_research':
      return research(request, site, writer, isFaulty)
    default:
      return article(request, writer, isFaulty)
  }
}

function seenOf(site: SiteData | undefined): string {
  const said = site?.sentences[0]?.replace(/ \([^)]*\)$/, '')
  return said === undefined ? '' : `“${said}”`
}

function namesOf(site: SiteData | undefined): string {
  if (site === undefined) return ''
  return ` It offers ${site.offers.join(' and ')} for ${site.prices.join(' and ')} in ${site.places.join(' and ')}.`
}

function analysis(
  request: Readonly<Record<string, string>>,
  site: SiteData | undefined,
  writer: Writer,
  hasVolume: boolean,
  isFaulty: boolean,
): unknown {
  const opportunities = [1, 2, 3].map((place) => {
    const count = 20 * place + 10
    const hours = (count * 4.33 * 6) / 60
    const [hoursMin, hoursMax] = [Math.round(hours * 0.3), Math.round(hours * 0.6)]
    const wrong = isFaulty && place === 2
    return {
      title: writer.title(place),
      description: writer.sentence(),
      currentState: writer.sentence(),
      potentialState: writer.sentence(),
      hoursMin: wrong ? hoursMin * 4 : hoursMin,
      hoursMax: wrong ? hoursMax * 4 : hoursMax,
      ...(hasVolume
        ? {
            volume: { count, unit: 'cases', per: 'week', minutes: 6, removedFrom: 30, removedTo: 60 },
            seen: place === 1 ? seenOf(site) : '',
          }
        : {
            basis: `${count} cases a week at about 6 minutes each, with 30 to 60 percent of that work removed`,
          }),
      impact: 'high',
      effort: 'low',
      approach: [`a list for ${english.what[place] ?? ''}`, `a form of ${place + 2} lines`],
      tools: ['Front', 'Zapier'],
      caution: writer.sentence(),
    }
  })
  return {
    industry: 'other',
    summary: `${writer.sentence()}${namesOf(site)}`,
    answer: request.question === undefined ? [] : [`${writer.about(request.question)} ${writer.sentence()}`],
    opportunities,
    quickWin: {
      title: writer.title(4),
      why: writer.sentence(),
      steps: [writer.sentence(), writer.sentence()],
    },
    assumptions: [writer.sentence()],
  }
}

function research(
  request: Readonly<Record<string, string>>,
  site: SiteData | undefined,
  writer: Writer,
  isFaulty: boolean,
): unknown {
  const twice = writer.sentence()
  return {
    overview: [
      `${request.companyName} is described here. ${writer.sentence()}${namesOf(site)}`,
      isFaulty ? twice : writer.sentence(),
    ],
    painPoints: [1, 2, 3].map((place) => ({
      title: writer.title(place),
      detail: isFaulty && place === 1 ? twice : writer.sentence(),
      check: writer.sentence(),
    })),
    outreach: {
      role: request.targetRole ?? 'Owner',
      angle: [writer.sentence()],
      objection: writer.sentence(),
      message: [writer.sentence(), writer.question(1)],
    },
    starters: [2, 3, 4, 5].map((place) => writer.question(place)),
    assumptions: [writer.sentence()],
  }
}

function article(request: Readonly<Record<string, string>>, writer: Writer, isFaulty: boolean): unknown {
  const { topic = '', targetKeyword } = request
  const named = targetKeyword ?? topic
  const paragraph = (sentences: number) =>
    Array.from({ length: sentences }, () => writer.sentence()).join(' ')
  const naming = (place: number) =>
    isFaulty && targetKeyword !== undefined ? '' : ` ${writer.about(named, place)}`
  const twice = isFaulty && targetKeyword === undefined ? writer.sentence() : undefined
  return {
    title: topic,
    introduction: [`${writer.about(topic)} ${paragraph(4)}`],
    sections: [1, 2, 3, 4, 5].map((place) => ({
      heading: writer.title(place),
      paragraphs: [`${paragraph(4)}${naming(place)} ${twice ?? ''}`.trim(), paragraph(4)],
      steps: place === 4 ? [writer.sentence(), writer.sentence(), writer.sentence()] : [],
      after: [],
    })),
    faq: [6, 7, 8, 9].map((place) => ({ question: writer.question(place), answer: paragraph(2) })),
  }
}

/** Writes sentences that never repeat, in English or German. */
class Writer {
  readonly #isGerman: boolean
  readonly #topic: string
  #next = 0

  constructor(isGerman: boolean, topic: string) {
    this.#isGerman = isGerman
    this.#topic = topic.slice(0, 60)
  }

  sentence(): string {
    const place = this.#next++
    const lists = this.#isGerman ? german : english
    const pick = (list: readonly string[], step: number) =>
      list[(place * step + Math.floor(place / list.length)) % list.length] ?? ''
    return `${pick(lists.who, 1)} ${pick(lists.does, 3)} ${pick(lists.what, 5)} ${pick(lists.when, 7)}${this.#isGerman ? ', und' : ', and'} ${pick(lists.result, 11)}.`
  }

  about(phrase: string, place = 0): string {
    const lead = this.#isGerman
      ? ['Es geht um', 'Wer sich befasst mit', 'Ein Wort zu', 'Auch bei', 'Kurz gesagt', 'Noch einmal']
      : ['This is about', 'People who care for', 'A word on', 'The same holds for', 'In short', 'Once more']
    const rest = this.#isGerman
      ? ['und nichts anderes', 'sieht das schnell', 'vorweg', 'zählt die Ruhe', 'so ist es', 'zum Schluss']
      : [
          'and nothing else',
          'will see it soon',
          'before we go on',
          'on a calm day',
          'so it goes',
          'at the end',
        ]
    return `${lead[place % 6]} ${phrase.replace(/[?!.]+$/, '')} ${rest[place % 6]}.`
  }

  title(place: number): string {
    return this.#isGerman
      ? `Punkt ${place}: ${german.what[place] ?? ''}`
      : `Point ${place}: ${english.what[place] ?? ''}`
  }

  question(place: number): string {
    return this.#isGerman
      ? `Wer bearbeitet ${german.what[place] ?? ''} zuerst?`
      : `Who deals with ${english.what[place] ?? this.#topic} first?`
  }
}

const english = {
  who: [
    'The office',
    'A new colleague',
    'Each volunteer',
    'The owner',
    'One clerk',
    'Her deputy',
    'The night shift',
    'An assistant',
    'Every driver',
    'The bookkeeper',
    'His team',
    'A careful manager',
    'The front desk',
  ],
  does: [
    'writes down',
    'sorts',
    'checks',
    'counts',
    'collects',
    'compares',
    'opens',
    'forwards',
    'answers',
    'files',
    'prepares',
  ],
  what: [
    'open letters',
    'the plan for Monday',
    'late requests',
    'a list of names',
    'two old ledgers',
    'missing papers',
    'the morning calls',
    'printed forms',
    'a box of receipts',
    'unread messages',
    'the spare keys',
    'weekly totals',
    'the waiting list',
    'last year’s notes',
    'fresh questions',
    'small orders',
    'every promise',
  ],
  when: [
    'before noon',
    'on the second day',
    'while the kettle boils',
    'after each visit',
    'at the end of a shift',
    'without any hurry',
    'as soon as the phone rings',
  ],
  result: [
    'the rest can wait until the afternoon',
    'somebody signs with a clear name',
    'a short note goes to the whole group',
    'nothing gets lost on the way',
    'the figure stands on the wall by evening',
    'mistakes show within an hour',
    'people know whom to ask',
    'the next step begins by itself',
    'a second look takes one minute',
    'costs stay where they were',
  ],
}
const german = {
  who: [
    'Das Büro',
    'Eine neue Kollegin',
    'Jeder Mitarbeiter',
    'Die Inhaberin',
    'Ein Angestellter',
    'Ihr Vertreter',
    'Die Nachtschicht',
    'Eine Assistentin',
    'Der Empfang',
    'Die Buchhaltung',
    'Sein Team',
    'Eine sorgfältige Leiterin',
    'Der Fahrer',
  ],
  does: [
    'notiert',
    'sortiert',
    'prüft',
    'zählt',
    'sammelt',
    'vergleicht',
    'öffnet',
    'übergibt',
    'beantwortet',
    'ordnet',
    'bereitet vor:',
  ],
  what: [
    'offene Briefe',
    'den Plan für Montag',
    'späte Anfragen',
    'eine Liste von Namen',
    'zwei alte Bücher',
    'fehlende Papiere',
    'die Anrufe am Morgen',
    'gedruckte Formulare',
    'eine Schachtel Belege',
    'ungelesene Nachrichten',
    'die Ersatzschlüssel',
    'die Summen der Woche',
    'die Warteliste',
    'Notizen vom letzten Jahr',
    'neue Fragen',
    'kleine Aufträge',
    'jedes Versprechen',
  ],
  when: [
    'vor dem Mittag',
    'am zweiten Tag',
    'während der Kaffee läuft',
    'nach jedem Besuch',
    'am Ende der Schicht',
    'ohne jede Eile',
    'sobald das Telefon klingelt',
  ],
  result: [
    'der Rest wartet bis zum Nachmittag',
    'jemand unterschreibt mit klarem Namen',
    'eine kurze Nachricht geht an alle',
    'nichts geht unterwegs verloren',
    'die Zahl steht am Abend an der Wand',
    'Fehler zeigen sich in einer Stunde',
    'die Leute wissen, wen sie fragen',
    'der nächste Schritt beginnt von selbst',
    'ein zweiter Blick dauert eine Minute',
    'die Kosten bleiben, wo sie waren',
  ],
}
