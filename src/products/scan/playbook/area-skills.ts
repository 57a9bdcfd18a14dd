import type { Level } from '../findings/results.ts'

/** What fixing the findings of one agent takes, whatever they are in a given scan. */
export interface AreaSkill {
  readonly name: string
  /** Completes the sentence "This is the skill to …". */
  readonly purpose: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Tools that the owner of any site can use, whatever the trade. */
  readonly tools: readonly string[]
  /** Tools of the trade, named only to makers of software. */
  readonly developerTools?: readonly string[]
  /**
   * Of most findings: low is a line of configuration or of one page, medium a template, high a change of the
   * site itself.
   */
  readonly effort: Level
  /** Checks whose findings take another effort. */
  readonly except?: Partial<Record<Level, readonly string[]>>
}

/**
 * Returns the skill of an agent. Its steps come from the scan; the table holds only what is the same for
 * every site.
 */
export function areaSkill(agent: string, category: string): AreaSkill {
  return areaSkills.get(agent) ?? { ...unknownArea, name: `Mend ${category}` }
}

/** Returns the effort to fix one finding: a header takes less work than rendering a site on the server. */
export function effortOf(challengeId: string): Level {
  const [agent = '', check = ''] = challengeId.split('/', 2)
  const { effort, except = {} } = areaSkills.get(agent) ?? { ...unknownArea, except: {} }
  return levels.find((level) => except[level]?.includes(check)) ?? effort
}

/** Returns the effort to open a gate that no check reported; undefined for the id of a check. */
export function effortOfGate(id: string): Level | undefined {
  return gateEfforts.get(id)
}

const gateEfforts: ReadonlyMap<string, Level> = new Map([
  ['gate/wall', 'medium'],
  ['gate/noindex', 'low'],
  ['gate/shell', 'high'],
  ['gate/bots', 'low'],
])

const levels: readonly Level[] = ['low', 'medium', 'high']

const unknownArea = {
  purpose: 'mend what the scan found there',
  inputs: ['the findings of this scan'],
  outputs: ['the mended pages'],
  tools: [],
  effort: 'medium',
} as const

const areaSkills: ReadonlyMap<string, AreaSkill> = new Map<string, AreaSkill>([
  [
    'core-snapshot',
    {
      name: 'Keep the home page readable for agents',
      purpose: 'see the home page as a program without JavaScript sees it and mend what is missing there',
      inputs: ['the HTML of the home page as the server sends it', 'robots.txt and the sitemap'],
      outputs: ['a home page that says in plain HTML what it is and how to get in touch'],
      tools: ['Google Search Console'],
      developerTools: ['Bing Webmaster Tools', 'curl'],
      effort: 'low',
      except: { medium: ['ssr-text'] },
    },
  ],
  [
    'crawl-access',
    {
      name: 'Let the right bots in',
      purpose:
        'decide which bots may read the site and make robots.txt, the firewall and the sitemap say the same',
      inputs: ['robots.txt', 'rules of the firewall or CDN', 'the access log by user agent'],
      outputs: ['rules that let search and user-driven bots read', 'a sitemap without dead ends'],
      tools: ['Google Search Console'],
      developerTools: ['Bing Webmaster Tools'],
      effort: 'low',
      except: { medium: ['bot-wall', 'challenge', 'sitemap-quality', 'soft-404'] },
    },
  ],
  [
    'structured-data',
    {
      name: 'Publish facts as structured data',
      purpose: 'state who the business is and what each page is about as JSON-LD that agrees with the page',
      inputs: ['name, address, profiles and logo of the business', 'the templates of each kind of page'],
      outputs: ['valid JSON-LD on every kind of page'],
      tools: [],
      developerTools: ['Google Rich Results Test', 'Schema Markup Validator'],
      effort: 'medium',
      except: { low: ['parse-errors', 'organization', 'same-as', 'website-node', 'open-graph'] },
    },
  ],
  [
    'content-answerability',
    {
      name: 'Write pages that can be quoted',
      purpose: 'begin pages with the answer, cut them into passages and give the figures that you know',
      inputs: ['the pages named in the findings', 'questions that people really ask'],
      outputs: ['passages that answer one question each and stand by themselves'],
      tools: [],
      developerTools: ['LanguageTool'],
      effort: 'medium',
      except: { low: ['answer-first', 'link-text'] },
    },
  ],
  [
    'agent-files',
    {
      name: 'Offer a clean copy to models',
      purpose: 'publish llms.txt and Markdown copies and keep them equal to the pages',
      inputs: ['the list of the most important pages', 'their main text'],
      outputs: ['llms.txt and Markdown copies without dead links'],
      tools: [],
      developerTools: ['Pandoc', 'lychee'],
      effort: 'low',
      except: { medium: ['md-negotiation', 'md-twin', 'md-parity'] },
    },
  ],
  [
    'agent-protocols',
    {
      name: 'Describe the interfaces to agents',
      purpose: 'publish descriptions of the interfaces at the addresses where agents look for them',
      inputs: ['the routes and fields of the interface', 'the rules for access'],
      outputs: ['documents that agents can find and check'],
      tools: [],
      developerTools: ['Redocly CLI', 'Spectral', 'MCP Inspector'],
      effort: 'high',
      except: {
        low: ['link-header', 'api-catalog', 'webmcp', 'oauth-meta', 'no-fake-200'],
        medium: ['openapi', 'a2a', 'skills'],
      },
    },
  ],
  [
    'entity-trust',
    {
      name: 'Be one recognisable business',
      purpose: 'use one name, one set of contact facts and one list of profiles everywhere',
      inputs: ['registered name, address, phone and e-mail', 'the list of official profiles'],
      outputs: ['pages, markup and profiles that agree'],
      tools: ['Google Business Profile'],
      developerTools: ['Wikidata'],
      effort: 'medium',
      except: { low: ['brand-name', 'nap', 'profiles', 'citations', 'accountability'] },
    },
  ],
  [
    'freshness-index',
    {
      name: 'Keep the site fresh and without dead ends',
      purpose: 'date what changes, tell crawlers about it and remove broken links',
      inputs: ['the sitemap with its dates', 'the list of broken addresses'],
      outputs: ['true dates in pages, sitemap and feed'],
      tools: [],
      developerTools: ['lychee', 'W3C Feed Validation Service'],
      effort: 'medium',
      except: { low: ['date-match', 'conditional', 'coverage', 'footer-year'] },
    },
  ],
  [
    'render-performance',
    {
      name: 'Serve pages fast and in full',
      purpose: 'send the content with the first answer, compressed and without blocking scripts',
      inputs: ['the rendering mode of the site', 'the settings of server and CDN'],
      outputs: ['pages whose HTML holds their content'],
      tools: [],
      developerTools: ['PageSpeed Insights', 'Lighthouse', 'WebPageTest'],
      effort: 'low',
      except: { medium: ['ttfb', 'html-size', 'text-size', 'img-dims'], high: ['js-shell'] },
    },
  ],
  [
    'accessibility-actionability',
    {
      name: 'Make every control nameable',
      purpose: 'give each control, image and region a name, so that a person or an agent can operate it',
      inputs: ['the elements named in the findings'],
      outputs: ['forms and links that work from the accessibility tree alone'],
      tools: [],
      developerTools: ['axe DevTools', 'Lighthouse'],
      effort: 'medium',
      except: { low: ['lang', 'landmarks', 'autocomplete', 'cta', 'iframes'] },
    },
  ],
  [
    'workflow-automation',
    {
      name: 'Let visitors and agents start the work',
      purpose: 'offer a path on the site for each request that reaches people by phone or e-mail today',
      inputs: ['the requests of a usual week', 'who answers them'],
      outputs: ['forms, booking and answers that need no first call'],
      tools: [],
      developerTools: ['n8n', 'Zapier'],
      effort: 'medium',
      except: {
        high: ['commerce', 'integrations'],
      },
    },
  ],
  [
    'security-safety',
    {
      name: 'Keep the site safe to read',
      purpose: 'remove hidden text and leaked keys and set the headers that protect visitors',
      inputs: ['the pages and headers named in the findings'],
      outputs: ['pages that no assistant has a reason to refuse'],
      tools: [],
      developerTools: ['Mozilla HTTP Observatory', 'Gitleaks'],
      effort: 'low',
      except: { medium: ['injection', 'leaked-keys', 'mixed', 'csp'] },
    },
  ],
])
