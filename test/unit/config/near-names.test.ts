import { expect, test } from 'vitest'
import { describeSettings } from '../../../src/platform/config/env.ts'
import { findLookalikes } from '../../../src/platform/config/near-names.ts'

/** Which variables of an environment are taken for a misspelt setting. */

const settings = describeSettings().map(({ name }) => name)

test.each([
  ['PAYTO', 'PAY_TO'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['SETLER_KEY', 'SETTLER_KEY'],
  ['SETTLER_KEYS', 'SETTLER_KEY'],
  ['TRUSTPROXY', 'TRUST_PROXY'],
  ['TRUST_PROXIES', 'TRUST_PROXY'],
  ['trust_proxy', 'TRUST_PROXY'],
  ['trustProxy', 'TRUST_PROXY'],
  ['TOLLGATE_PAY_TO', 'PAY_TO'],
  ['FACILITATOR_ULR', 'FACILITATOR_URL'],
  ['OPERATER_TOKEN', 'OPERATOR_TOKEN'],
  ['REDIS_URI', 'REDIS_URL'],
  ['UPSTREAM_WALET_KEY', 'UPSTREAM_WALLET_KEY'],
  ['RPC_ULR', 'RPC_URL'],
  ['NETWROK', 'NETWORK'],
  ['PAY_OT', 'PAY_TO'],
  ['STROE', 'STORE'],
  ['REDIS_ULR', 'REDIS_URL'],
  ['MAX_GAS_PRICE', 'MAX_GAS_PRICE_GWEI'],
  ['GAS_WARNING', 'GAS_WARNING_PAYMENTS'],
  ['REFUND_PRIVATE_KEY', 'REFUND_KEY'],
])('%s is taken for a misspelt %s', (given, setting) => {
  expect(findLookalikes([given], settings)).toEqual([{ given, setting }])
})

test('a variable that resembles a setting which is set is not named', () => {
  expect(findLookalikes(['PAYTO', 'PAY_TO', 'SETTLER_KEY', 'SETTLER_KEY_2'], settings)).toEqual([])
})

test.each([
  'PATH HOME USER SHELL LANG TERM PWD OLDPWD SHLVL LOGNAME HOSTNAME HOSTTYPE EDITOR PAGER LS_COLORS TMPDIR TZ _',
  'SSH_CLIENT SSH_TTY DISPLAY XDG_RUNTIME_DIR XDG_DATA_DIRS DBUS_SESSION_BUS_ADDRESS INVOCATION_ID JOURNAL_STREAM',
  'NODE NODE_PATH NODE_OPTIONS NODE_VERSION YARN_VERSION NPM_CONFIG_CACHE npm_package_name npm_lifecycle_event',
  'LOG LOGS DEBUG ENV CI PORTS HOSTS STORED MAILCHECK http_proxy https_proxy no_proxy HTTP_PROXY CCACHE_DIR',
  'REDIS_PORT REDIS_HOST REDIS_PORT_6379_TCP REDIS_SERVICE_HOST TOLLGATE_PORT TOLLGATE_SERVICE_HOST KUBERNETES_PORT',
  'POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB DOMAIN PGHOST PGDATABASE DATABASE_NAME DATABASE_USER DATABASE_HOST',
  'OPENAI_ORG_ID OPENAI_PROJECT_ID OPENAI_API_BASE OPENAI_API_VERSION ANTHROPIC_API_KEY AWS_SECRET_ACCESS_KEY',
  'POSTGRES_PORT MYSQL_PORT NPM_TOKEN npm_config_cache npm_config_user_agent npm_config_global_prefix npm_node_execpath',
  'SMTP_HOST SMTP_PORT SMTP_USER MAIL_HOST ETH_RPC_URL OIDC_CLIENT_ID UPSTREAM_LLM_KEY UPSTREAM_TOKEN COMPOSE_FILE',
])('variables of other programs are not taken for settings: %s', (names) => {
  expect(findLookalikes(names.split(' '), settings)).toEqual([])
})
