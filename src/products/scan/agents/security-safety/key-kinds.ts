/**
 * The forms of secret keys of common services. Keys that are meant to be public, such as a map's, are not
 * listed. Each has a fixed beginning, so a plain search skips text without one and the pattern runs only
 * after it.
 */
export interface KeyKind {
  readonly service: string
  readonly start: string
  /** The pattern after the start: sticky, with a maximum length for each part. */
  readonly rest: RegExp
  /** Its beginning tells nothing of it. */
  readonly isPlain?: true
}

export const keyKinds: readonly KeyKind[] = [
  { service: 'AWS access key', start: 'AKIA', rest: /[0-9A-Z]{16}(?![0-9A-Za-z])/y },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start): KeyKind => {
    return { service: 'GitHub token', start, rest: /[0-9A-Za-z]{36,255}/y }
  }),
  { service: 'GitHub token', start: 'github_pat_', rest: /[0-9A-Za-z_]{60,255}/y },
  { service: 'GitLab token', start: 'glpat-', rest: /[0-9A-Za-z_-]{20,255}/y },
  { service: 'Stripe secret key', start: 'sk_live_', rest: /[0-9A-Za-z]{16,255}/y },
  { service: 'Stripe restricted key', start: 'rk_live_', rest: /[0-9A-Za-z]{16,255}/y },
  { service: 'OpenAI key', start: 'sk-proj-', rest: /[0-9A-Za-z_-]{40,255}/y },
  { service: 'OpenAI key', start: 'sk-svcacct-', rest: /[0-9A-Za-z_-]{40,255}/y },
  { service: 'OpenAI key', start: 'sk-', rest: /[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}/y },
  { service: 'Anthropic key', start: 'sk-ant-', rest: /[0-9A-Za-z_-]{40,255}/y },
  { service: 'OpenRouter key', start: 'sk-or-v1-', rest: /[0-9a-f]{64}/y },
  { service: 'Groq key', start: 'gsk_', rest: /[0-9A-Za-z]{52}/y },
  { service: 'xAI key', start: 'xai-', rest: /[0-9A-Za-z]{80}/y },
  { service: 'Perplexity key', start: 'pplx-', rest: /[0-9A-Za-z]{48}/y },
  { service: 'Replicate token', start: 'r8_', rest: /[0-9A-Za-z]{37}/y },
  { service: 'Hugging Face token', start: 'hf_', rest: /[0-9A-Za-z]{34}(?![0-9A-Za-z])/y },
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxs-', 'xoxr-'].map((start): KeyKind => {
    return { service: 'Slack token', start, rest: /\d{8,15}-[0-9A-Za-z-]{12,255}/y }
  }),
  {
    service: 'Slack webhook',
    start: 'hooks.slack.com/services/',
    rest: /T[0-9A-Z]{8,12}\/B[0-9A-Z]{8,12}\/[0-9A-Za-z]{20,40}/y,
  },
  {
    service: 'Discord webhook',
    start: 'discord.com/api/webhooks/',
    rest: /\d{16,20}\/[0-9A-Za-z_-]{60,80}/y,
  },
  { service: 'SendGrid key', start: 'SG.', rest: /[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}/y },
  { service: 'Mailgun key', start: 'key-', rest: /[0-9a-f]{32}(?![0-9A-Za-z])/y },
  {
    // `Email.send({ Host: "smtp.…", Username: "…", Password: "…" })` of a library that sends mail from the browser.
    service: 'password of a mail account',
    start: 'Host',
    isPlain: true,
    rest: /["']?\s{0,5}:\s{0,5}["']s(?:mtp|end)[\w.-]{3,80}["'],[\s/*]{0,60}["']?Username["']?\s{0,5}:\s{0,5}["'][^"']{3,120}["'],[\s/*]{0,60}["']?Password["']?\s{0,5}:\s{0,5}["'][^"']{8,120}(?=["'])/y,
  },
  { service: 'npm token', start: 'npm_', rest: /[0-9A-Za-z]{36}(?![0-9A-Za-z])/y },
  { service: 'PyPI token', start: 'pypi-AgEIcHlwaS', rest: /[0-9A-Za-z_-]{40,255}/y },
  ...['shpat_', 'shpss_', 'shpca_', 'shppa_'].map((start): KeyKind => {
    return { service: 'Shopify token', start, rest: /[0-9a-fA-F]{32}/y }
  }),
  { service: 'Square secret', start: 'sq0csp-', rest: /[0-9A-Za-z_-]{43}/y },
  { service: 'DigitalOcean token', start: 'dop_v1_', rest: /[0-9a-f]{64}/y },
  { service: 'Google OAuth secret', start: 'GOCSPX-', rest: /[0-9A-Za-z_-]{28}/y },
  { service: 'Supabase secret key', start: 'sb_secret_', rest: /[0-9A-Za-z_-]{20,255}/y },
  { service: 'Notion token', start: 'ntn_', rest: /[0-9A-Za-z]{40,60}/y },
  { service: 'Linear key', start: 'lin_api_', rest: /[0-9A-Za-z]{40}/y },
  {
    service: 'private key',
    start: '-----BEGIN ',
    // Scripts write line breaks as \n.
    rest: /(?:RSA |EC |DSA |OPENSSH )?PRIVATE KEY-----(?:\\[rn]|\s){1,4}[0-9A-Za-z+/=]{40,4000}/y,
  },
]
