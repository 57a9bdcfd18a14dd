import type { Environment, SettingName } from './env.ts'

/**
 * Finds contradictions, missing settings, and values that production refuses. Malformed settings are reported
 * elsewhere and do not hide the faults of the others.
 */
export interface SettingFault {
  /** A sentence that names the setting and never its value. */
  readonly message: string
  /** When a setting is missing: the settings of which one would mend the fault. */
  readonly missing: readonly SettingName[]
}

export interface SettingsToCheck {
  /** A malformed setting has its default here, or none. */
  readonly env: Environment
  /** Whether the environment gives a setting: a malformed one counts, a default does not. */
  readonly isSet: (name: SettingName) => boolean
  readonly isMalformed: (name: SettingName) => boolean
  readonly isProduction: boolean
  /** The members of FACILITATOR_URL as they are written. */
  readonly facilitators: readonly string[]
}

/** Settings that contradict each other or need another one, in any environment. */
export function contradictions(settings: SettingsToCheck): SettingFault[] {
  const { env, isSet } = settings
  const faults: SettingFault[] = []
  if (env.STORE && isSet('DATABASE_URL')) {
    faults.push(fault('STORE=embedded and DATABASE_URL contradict each other: set one of them'))
  }
  if (env.TEXT_ENGINE && isSet('OPENAI_API_KEY')) {
    faults.push(fault('TEXT_ENGINE=local and OPENAI_API_KEY contradict each other: set one of them'))
  }
  if (env.NETWORK === 'base' && !isSet('RPC_URL')) {
    faults.push(
      fault(
        'RPC_URL: NETWORK=base needs it; a signature made for a local copy of Base would be valid on Base itself',
        'RPC_URL',
      ),
    )
  }
  if (isSet('RPC_URL') && !isSet('PAY_TO')) {
    faults.push(fault('PAY_TO: with RPC_URL set, say which address receives the payments', 'PAY_TO'))
  }
  if (env.PAY_TO && env.REFUSED_PAY_TO?.includes(env.PAY_TO.toLowerCase())) {
    faults.push(
      fault('PAY_TO and REFUSED_PAY_TO contradict each other: payments cannot go to a refused address'),
    )
  }
  if (env.TRUST_FORWARDED_HOST && !isSet('TRUST_PROXY')) {
    faults.push(
      fault('TRUST_PROXY: TRUST_FORWARDED_HOST=true needs it, to know whose header counts', 'TRUST_PROXY'),
    )
  }
  if (isSet('OIDC_ISSUER') && !isSet('OIDC_AUDIENCE')) {
    faults.push(
      fault(
        'OIDC_AUDIENCE: OIDC_ISSUER needs it; without it a token issued for another service would open this gateway',
        'OIDC_AUDIENCE',
      ),
    )
  }
  if (isSet('OIDC_AUDIENCE') && !isSet('OIDC_ISSUER')) {
    faults.push(fault('OIDC_ISSUER: OIDC_AUDIENCE needs it', 'OIDC_ISSUER'))
  }
  return [...faults, ...portFaults(settings), ...settlementFaults(settings)]
}

/** Whether two listeners of this gateway, or its local chain, would use one port. */
function portFaults({ env, isSet, isMalformed }: SettingsToCheck): SettingFault[] {
  const faults: SettingFault[] = []
  if (isSet('OPERATOR_HOST') && !isSet('OPERATOR_PORT')) {
    faults.push(fault('OPERATOR_PORT: OPERATOR_HOST needs it', 'OPERATOR_PORT'))
  }
  const ports: readonly SettingName[] = isSet('RPC_URL')
    ? ['PORT', 'OPERATOR_PORT']
    : ['PORT', 'OPERATOR_PORT', 'DEV_CHAIN_PORT']
  const used = ports.filter((name) => !isMalformed(name) && env[name] !== undefined)
  for (const [index, name] of used.entries()) {
    for (const other of used.slice(index + 1)) {
      if (env[name] === env[other]) faults.push(fault(`${name} and ${other}: give each its own port`))
    }
  }
  return faults
}

/** Whether there is exactly one settler, with all that it needs. */
function settlementFaults({
  isSet,
  isMalformed,
  isProduction,
  facilitators,
}: SettingsToCheck): SettingFault[] {
  const faults: SettingFault[] = []
  const isLocal = facilitators.length === 0 || facilitators.includes('local')
  const usesCdp = facilitators.includes('cdp')
  if (isSet('SETTLER_KEY') && isSet('CDP_SETTLER_ACCOUNT')) {
    faults.push(fault('SETTLER_KEY and CDP_SETTLER_ACCOUNT contradict each other: set one of them'))
  }
  for (const name of ['SETTLER_KEY', 'CDP_SETTLER_ACCOUNT'] as const) {
    // A malformed member of the list may be a misspelt `local`.
    if (!isSet(name) || isLocal || isMalformed('FACILITATOR_URL')) continue
    faults.push(
      fault(`${name} and FACILITATOR_URL contradict each other: set one of them, or list local as well`),
    )
  }
  const isRealChain = isSet('RPC_URL') || isProduction
  if (isRealChain && isLocal && !isSet('SETTLER_KEY') && !isSet('CDP_SETTLER_ACCOUNT')) {
    faults.push(
      isSet('FACILITATOR_URL')
        ? fault(
            'SETTLER_KEY or CDP_SETTLER_ACCOUNT: say which account settles for FACILITATOR_URL=local',
            'SETTLER_KEY',
            'CDP_SETTLER_ACCOUNT',
          )
        : fault(
            'SETTLER_KEY or FACILITATOR_URL: say who settles the payments',
            'SETTLER_KEY',
            'CDP_SETTLER_ACCOUNT',
            'FACILITATOR_URL',
          ),
    )
  }
  if (usesCdp && !isSet('RPC_URL')) {
    faults.push(
      fault('RPC_URL: FACILITATOR_URL=cdp needs it; Coinbase settles on the public network only', 'RPC_URL'),
    )
  }
  const needsApiKey = usesCdp
    ? 'FACILITATOR_URL=cdp'
    : isSet('CDP_SETTLER_ACCOUNT')
      ? 'CDP_SETTLER_ACCOUNT'
      : undefined
  for (const name of ['CDP_API_KEY_ID', 'CDP_API_KEY_SECRET'] as const) {
    if (needsApiKey && !isSet(name)) faults.push(fault(`${name}: ${needsApiKey} needs it`, name))
  }
  if (isSet('CDP_SETTLER_ACCOUNT') && !isSet('CDP_WALLET_SECRET')) {
    faults.push(fault('CDP_WALLET_SECRET: CDP_SETTLER_ACCOUNT needs it', 'CDP_WALLET_SECRET'))
  }
  return faults
}

/**
 * What production requires or refuses.
 * @param isTestAccount recognizes published test keys and their addresses.
 */
export function missingInProduction(
  { env, isSet }: SettingsToCheck,
  isTestAccount: (keyOrAddress: string) => boolean,
): SettingFault[] {
  const faults: SettingFault[] = []
  if (env.DRY_RUN) faults.push(fault('DRY_RUN: production takes money for what it sells'))
  if (env.OIDC_ISSUER?.startsWith('http:')) {
    faults.push(fault('OIDC_ISSUER: in production it must be an https address'))
  }
  if (!isSet('NETWORK')) faults.push(fault('NETWORK: say base or base-sepolia', 'NETWORK'))
  if (!isSet('RPC_URL') && env.NETWORK !== 'base') {
    faults.push(fault('RPC_URL: production never runs on a local chain', 'RPC_URL'))
  }
  if (!isSet('RPC_URL') && !isSet('PAY_TO')) {
    faults.push(fault('PAY_TO: say which address receives the payments', 'PAY_TO'))
  }
  faults.push(...unsafeKeys(env, isTestAccount))
  if (env.PAY_TO && (isTestAccount(env.PAY_TO) || /^0x0+$/.test(env.PAY_TO))) {
    faults.push(fault('PAY_TO: this is the address of a published test key, or the zero address'))
  }
  if (!isSet('DATABASE_URL') && !isSet('STORE')) {
    faults.push(
      fault(
        'DATABASE_URL: set it, or say STORE=embedded to keep the books in DATA_DIR',
        'DATABASE_URL',
        'STORE',
      ),
    )
  }
  if (!isSet('BASE_URL')) faults.push(fault('BASE_URL: say the public address of the service', 'BASE_URL'))
  if (!isSet('OPENAI_API_KEY') && !isSet('TEXT_ENGINE')) {
    faults.push(
      fault(
        'OPENAI_API_KEY: set it, or say TEXT_ENGINE=local to write texts without a model',
        'OPENAI_API_KEY',
        'TEXT_ENGINE',
      ),
    )
  }
  if (!isSet('SMTP_URL') && !isSet('MAIL')) {
    faults.push(
      fault('SMTP_URL: set it, or say MAIL=files to write reports to files in DATA_DIR', 'SMTP_URL', 'MAIL'),
    )
  }
  if (isSet('ALLOW_PRIVATE_TARGETS')) {
    faults.push(fault('ALLOW_PRIVATE_TARGETS: in production callers must not reach a private network'))
  }
  return faults
}

/**
 * Each key must have one role. The settling keys hold gas and nothing else: a stolen settling key must not
 * also give access to the refunds' money or sign receipts.
 */
function unsafeKeys(env: Environment, isTestAccount: (key: string) => boolean): SettingFault[] {
  const roles = Object.entries({
    SETTLER_KEY: env.SETTLER_KEY ?? [],
    REFUND_KEY: env.REFUND_KEY ? [env.REFUND_KEY] : [],
    RECEIPT_KEY: env.RECEIPT_KEY ? [env.RECEIPT_KEY] : [],
    UPSTREAM_WALLET_KEY: env.UPSTREAM_WALLET_KEY ? [env.UPSTREAM_WALLET_KEY] : [],
  })
  return roles.flatMap(([name, keys], index) => [
    ...(keys.some(isTestAccount) ? [fault(`${name}: this is a published test key; anyone can use it`)] : []),
    ...roles
      .slice(index + 1)
      .filter(([, others]) => others.some((other) => keys.includes(other)))
      .map(([other]) => fault(`${name} and ${other}: give each its own key`)),
  ])
}

function fault(message: string, ...missing: SettingName[]): SettingFault {
  return { message, missing }
}
