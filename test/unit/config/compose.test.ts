import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { operatorRows } from '../../../src/edge/handlers/operator/operator.ts'
import { readSettings } from '../../../src/platform/config/config.ts'
import { describeSettings } from '../../../src/platform/config/env.ts'

/** docker-compose.yml as an operator gets it. There is no Docker here, so the file is read and not run. */

const service = z.object({
  environment: z.record(z.string(), z.string()).optional(),
  env_file: z.array(z.looseObject({ path: z.string() })).optional(),
  build: z.object({ dockerfile_inline: z.string() }).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  logging: z.object({ options: z.record(z.string(), z.string()) }),
  deploy: z.object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) }),
})
const { services, configs } = z
  .object({
    services: z.record(z.string(), service),
    configs: z.object({ caddyfile: z.object({ content: z.string() }) }),
  })
  .parse(
    parse(readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'), { merge: true }),
  )
const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway'))

/** The environment that compose makes of a file `.env`. */
function environmentOf(name: string, dotEnv: Readonly<Record<string, string>>): Record<string, string> {
  const written = services[name]?.environment ?? {}
  return Object.fromEntries(
    Object.entries(written).map(([setting, value]) => [
      setting,
      value.replace(/\$\{(\w+)(?::[-?][^}]*)?\}/g, (_match, variable: string) => dotEnv[variable] ?? ''),
    ]),
  )
}

const dotEnv = {
  DOMAIN: 'api.example.com',
  POSTGRES_PASSWORD: 'a-long-random-word',
  OPERATOR_TOKEN: 'o'.repeat(32),
  NETWORK: 'base',
  RPC_URL: 'https://rpc.example.com',
  PAY_TO: `0x${'22'.repeat(20)}`,
  SETTLER_KEY: `0x${'11'.repeat(32)}`,
  TEXT_ENGINE: 'local',
  MAIL: 'files',
}

test('there are two gateways', () => {
  expect(gateways.map(([name]) => name)).toEqual(['gateway', 'gateway-2'])
})

describe.each(gateways)('the service %s', (name, { environment = {}, volumes, ports }) => {
  test('gets every setting and no other', () => {
    // MAIL comes with the whole of .env: compose would prefer the shell's variable, which names a mailbox.
    const settings = describeSettings().flatMap((setting) => (setting.name === 'MAIL' ? [] : [setting.name]))
    expect(Object.keys(environment).sort()).toEqual(settings.sort())
  })

  test('gets each setting from the variable of the same name, or has it fixed', () => {
    for (const [setting, value] of Object.entries(environment)) {
      const [, variable] = /^\$\{(\w+)/.exec(value) ?? []
      if (variable !== undefined) expect(variable).toBe(setting)
    }
  })

  test('starts in production with a short .env, with the settlement accounts of both', () => {
    expect(services[name]?.env_file).toContainEqual({ path: '.env', required: false })
    const { config, secrets } = readSettings({ ...dotEnv, ...environmentOf(name, dotEnv) }, () => false)
    expect(config).toMatchObject({
      production: true,
      baseUrl: 'https://api.example.com',
      trustProxy: 1,
      store: 'postgres',
    })
    expect(secrets.settlerKeys).toEqual([dotEnv.SETTLER_KEY])
  })

  test('follows the catalog of the host, which it cannot write, and publishes no port', () => {
    expect(volumes).toContain('./pricing:/app/pricing:ro')
    expect(ports).toBeUndefined()
  })

  test('has memory for its heap and for the three threads that read websites', () => {
    const { build, deploy } = services[name] ?? {}
    const [, heapMb] = /--max-old-space-size=(\d+)/.exec(build?.dockerfile_inline ?? '') ?? []
    expect(Number(heapMb) + 3 * 256).toBeLessThan(megabytes(deploy?.resources.limits.memory ?? ''))
  })

  test('gets calls from the proxy, but none to the operator’s endpoints', () => {
    const { listen, operatorListen } = readSettings(
      { ...dotEnv, ...environmentOf(name, dotEnv) },
      () => false,
    ).config
    const { content } = configs.caddyfile
    expect(content.match(/reverse_proxy .*\{/g)).toEqual([
      expect.stringContaining(` ${name}:${listen.port} `),
      expect.stringContaining(` ${name}:${listen.port} `),
    ])
    expect(operatorListen?.port).not.toBe(listen.port)
    const refused = /@operator path (.*)/.exec(content)?.[1]?.split(' ')
    for (const { path } of Object.values(operatorRows)) {
      const prefix = `/${path.split('/')[1]}`
      expect(refused).toEqual(expect.arrayContaining([prefix, `${prefix}/*`]))
    }
  })
})

test('every service has a limit of memory and of its log', () => {
  for (const { deploy, logging } of Object.values(services)) {
    expect(megabytes(deploy.resources.limits.memory)).toBeGreaterThan(0)
    expect(Object.keys(logging.options)).toEqual(['max-size', 'max-file'])
  }
})

function megabytes(text: string): number {
  const [, number, unit] = /^(\d+)([mg])$/.exec(text) ?? []
  return Number(number) * (unit === 'g' ? 1024 : 1)
}
