import type { Environment } from './env.ts'

/**
 * Finds the faults of settings that are well-formed: contradictions, missing settings, and values that
 * production refuses. Each fault is a sentence that names the setting and never its value.
 */

/** Settings that contradict each other or need another one, in any environment. */
export function contradictions(env: Environment): string[] {
  const faults: string[] = []
  if (env.STORE === 'embedded' && env.DATABASE_URL) {
    faults.push('STORE=embedded and DATABASE_URL contradict each other: set one of them')
  }
  if (env.TEXT_ENGINE === 'local' && env.OPENAI_API_KEY) {
    faults.push('TEXT_ENGINE=local and OPENAI_API_KEY contradict each other: set one of them')
  }
  if (env.NETWORK === 'base' && !env.RPC_URL) {
    faults.push(
      'RPC_URL: NETWORK=base needs it; a signature made for a local copy of Base would be valid on Base itself',
    )
  }
  if (env.RPC_URL && !env.PAY_TO) {
    faults.push('PAY_TO: with RPC_URL set, say which address receives the payments')
  }
  if (env.PAY_TO && env.REFUSED_PAY_TO?.includes(env.PAY_TO.toLowerCase())) {
    faults.push('PAY_TO and REFUSED_PAY_TO contradict each other: payments cannot go to a refused address')
  }
  if (env.OIDC_ISSUER && !env.OIDC_AUDIENCE) {
    faults.push(
      'OIDC_AUDIENCE: OIDC_ISSUER needs it; without it a token issued for another service would open this gateway',
    )
  }
  if (env.OIDC_AUDIENCE && !env.OIDC_ISSUER) faults.push('OIDC_ISSUER: OIDC_AUDIENCE needs it')
  faults.push(...settlementFaults(env))
  return faults
}

/** Whether there is exactly one settler, with all that it needs. */
function settlementFaults(env: Environment): string[] {
  const faults: string[] = []
  const list = env.FACILITATOR_URL
  const isLocal = !list || list.includes('local')
  if (env.SETTLER_KEY && env.CDP_SETTLER_ACCOUNT) {
    faults.push('SETTLER_KEY and CDP_SETTLER_ACCOUNT contradict each other: set one of them')
  }
  if (env.SETTLER_KEY && !isLocal) {
    faults.push(
      'SETTLER_KEY and FACILITATOR_URL contradict each other: set one of them, or list local as well',
    )
  }
  if (env.CDP_SETTLER_ACCOUNT && !isLocal) {
    faults.push(
      'CDP_SETTLER_ACCOUNT and FACILITATOR_URL contradict each other: set one of them, or list local as well',
    )
  }
  const isRealChain = env.RPC_URL || env.NODE_ENV === 'production'
  if (isRealChain && isLocal && !env.SETTLER_KEY && !env.CDP_SETTLER_ACCOUNT) {
    faults.push(
      list
        ? 'SETTLER_KEY or CDP_SETTLER_ACCOUNT: say which account settles for FACILITATOR_URL=local'
        : 'SETTLER_KEY or FACILITATOR_URL: say who settles the payments',
    )
  }
  if (list?.includes('cdp') && !env.RPC_URL) {
    faults.push('RPC_URL: FACILITATOR_URL=cdp needs it; Coinbase settles on the public network only')
  }
  const needsApiKey = list?.includes('cdp')
    ? 'FACILITATOR_URL=cdp'
    : env.CDP_SETTLER_ACCOUNT && 'CDP_SETTLER_ACCOUNT'
  if (needsApiKey && !env.CDP_API_KEY_ID) faults.push(`CDP_API_KEY_ID: ${needsApiKey} needs it`)
  if (needsApiKey && !env.CDP_API_KEY_SECRET) faults.push(`CDP_API_KEY_SECRET: ${needsApiKey} needs it`)
  if (env.CDP_SETTLER_ACCOUNT && !env.CDP_WALLET_SECRET) {
    faults.push('CDP_WALLET_SECRET: CDP_SETTLER_ACCOUNT needs it')
  }
  return faults
}

/**
 * What production requires or refuses.
 * @param given the environment without its empty variables: a default does not count as given.
 * @param isTestAccount recognizes published test keys and their addresses.
 */
export function missingInProduction(
  env: Environment,
  given: Readonly<Record<string, string | undefined>>,
  isTestAccount: (keyOrAddress: string) => boolean,
): string[] {
  const faults: string[] = []
  if (env.DRY_RUN) faults.push('DRY_RUN: production takes money for what it sells')
  if (env.OIDC_ISSUER?.startsWith('http:'))
    faults.push('OIDC_ISSUER: in production it must be an https address')
  if (!given.NETWORK) faults.push('NETWORK: say base or base-sepolia')
  if (!env.RPC_URL && env.NETWORK !== 'base') faults.push('RPC_URL: production never runs on a local chain')
  if (!env.RPC_URL && !env.PAY_TO) faults.push('PAY_TO: say which address receives the payments')
  faults.push(...unsafeKeys(env, isTestAccount))
  if (env.PAY_TO && (isTestAccount(env.PAY_TO) || /^0x0+$/.test(env.PAY_TO))) {
    faults.push('PAY_TO: this is the address of a published test key, or the zero address')
  }
  if (!env.DATABASE_URL && env.STORE !== 'embedded') {
    faults.push('DATABASE_URL: set it, or say STORE=embedded to keep the books in DATA_DIR')
  }
  if (!env.BASE_URL) faults.push('BASE_URL: say the public address of the service')
  if (!env.OPENAI_API_KEY && env.TEXT_ENGINE !== 'local') {
    faults.push('OPENAI_API_KEY: set it, or say TEXT_ENGINE=local to write texts without a model')
  }
  if (!env.SMTP_URL && env.MAIL !== 'files') {
    faults.push('SMTP_URL: set it, or say MAIL=files to write reports to files in DATA_DIR')
  }
  if (env.ALLOW_PRIVATE_TARGETS) {
    faults.push('ALLOW_PRIVATE_TARGETS: in production callers must not reach a private network')
  }
  return faults
}

/**
 * Each key must have one role. The settling keys hold gas and nothing else: a stolen settling key must not
 * also give access to the refunds' money or sign receipts.
 */
function unsafeKeys(env: Environment, isTestAccount: (key: string) => boolean): string[] {
  const roles = Object.entries({
    SETTLER_KEY: env.SETTLER_KEY ?? [],
    REFUND_KEY: env.REFUND_KEY ? [env.REFUND_KEY] : [],
    RECEIPT_KEY: env.RECEIPT_KEY ? [env.RECEIPT_KEY] : [],
    UPSTREAM_WALLET_KEY: env.UPSTREAM_WALLET_KEY ? [env.UPSTREAM_WALLET_KEY] : [],
  })
  return roles.flatMap(([name, keys], index) => [
    ...(keys.some(isTestAccount) ? [`${name}: this is a published test key; anyone can use it`] : []),
    ...roles
      .slice(index + 1)
      .filter(([, others]) => others.some((other) => keys.includes(other)))
      .map(([other]) => `${name} and ${other}: give each its own key`),
  ])
}
