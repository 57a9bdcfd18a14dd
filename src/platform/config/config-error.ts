/** The gateway cannot run with its settings; the message names every fault. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * A setting that is needed here.
 * @throws ConfigError when it is not set.
 */
export function requireSetting<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new ConfigError([`${name}: needed here, but not set`])
  return value
}
