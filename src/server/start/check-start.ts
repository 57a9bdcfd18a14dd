import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ownEndpoints } from '../../edge/handlers/table.ts'
import { isDevAccount } from '../../platform/chain/dev-accounts.ts'
import { CatalogError, describeFault, loadCatalog } from '../../platform/config/catalog-file.ts'
import {
  type CheckedEnvironment,
  checkEnvironment,
  describeLookalike,
} from '../../platform/config/check-environment.ts'
import { type Settings, toSettings } from '../../platform/config/config.ts'
import { ConfigError } from '../../platform/config/config-error.ts'
import type { RawEnvironment } from '../../platform/config/env.ts'
import { upstreamFaults } from '../upstreams.ts'
import { catalogFaults } from './catalog-checks.ts'

/**
 * Checks everything that can be checked before anything is opened: the settings, the folders and the catalog
 * that they name, and the settings that the catalog names. All faults come in one list, because an operator
 * who learns of one fault per start needs as many starts as there are faults.
 * @returns the settings, and a sentence for each variable that resembles a setting.
 * @throws ConfigError naming every fault.
 */
export async function checkStart(
  environment: RawEnvironment,
): Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }> {
  const checked = checkEnvironment(environment, isDevAccount)
  const settings = toSettings(checked)
  const warnings = checked.lookalikes.map(describeLookalike)
  const faults = [
    ...checked.faults,
    ...(await folderFaults(settings, checked)),
    ...(await faultsOfCatalog(settings, checked)),
  ]
  if (faults.length > 0) throw new ConfigError([...faults, ...warnings])
  return { settings, warnings }
}

async function faultsOfCatalog(
  settings: Settings,
  { isMalformed }: Pick<CheckedEnvironment, 'isMalformed'>,
): Promise<string[]> {
  const file = settings.config.catalogFile
  try {
    const catalog = await loadCatalog(file, ownEndpoints)
    return (await catalogFaults(catalog, settings, isMalformed)).map((fault) => `${file}: ${fault}`)
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error
    const ofUpstreams = await upstreamFaults(error.upstreams, settings, isMalformed)
    return [
      ...error.faults.map((fault) => describeFault(file, fault)),
      ...ofUpstreams.map((fault) => `${file}: ${fault}`),
    ]
  }
}

/** Whether the folders that will be used can be created or written. */
async function folderFaults(
  { config: { store, chain, dataDir, cacheDir } }: Settings,
  { env, isMalformed }: Pick<CheckedEnvironment, 'env' | 'isMalformed'>,
): Promise<string[]> {
  const keepsBooks = store === 'embedded' && !isMalformed('DATABASE_URL')
  const keepsChain = chain.kind === 'local'
  const keepsMail = env.MAIL === 'files'
  const folders = [
    ...(keepsBooks || keepsChain || keepsMail ? [{ name: 'DATA_DIR', folder: dataDir }] : []),
    ...((keepsBooks || keepsChain) && cacheDir !== dataDir ? [{ name: 'CACHE_DIR', folder: cacheDir }] : []),
  ]
  const faults = await Promise.all(
    folders.map(async ({ name, folder }) => {
      const reason = await whyNotWritable(resolve(folder))
      return reason === undefined ? [] : [`${name}: ${folder} cannot be used: ${reason}`]
    }),
  )
  return faults.flat()
}

/** Looks at the nearest folder that exists: the gateway creates the others. */
async function whyNotWritable(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && dirname(folder) !== folder) {
      return await whyNotWritable(dirname(folder))
    }
    return error instanceof Error ? error.message : String(error)
  }
}
