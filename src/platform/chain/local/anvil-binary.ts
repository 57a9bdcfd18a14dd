import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DevChainError } from './dev-chain-error.ts'

const packages: Readonly<Record<string, string>> = {
  'darwin arm64': '@foundry-rs/anvil-darwin-arm64/bin/anvil',
  'darwin x64': '@foundry-rs/anvil-darwin-amd64/bin/anvil',
  'linux arm64': '@foundry-rs/anvil-linux-arm64/bin/anvil',
  'linux x64': '@foundry-rs/anvil-linux-amd64/bin/anvil',
  'win32 x64': '@foundry-rs/anvil-win32-amd64/bin/anvil.exe',
}

/**
 * Finds the anvil program inside the npm package for this machine. The package's launcher would start it as a
 * child process: our signals would end the launcher, and the chain would end without saving its state.
 * @returns the program's absolute path.
 * @throws DevChainError when there is none for this machine, or it is not installed.
 */
export function anvilBinary(
  platform: string = process.platform,
  architecture: string = process.arch,
): string {
  const path = packages[`${platform} ${architecture}`]
  if (!path) {
    throw new DevChainError(
      `The local chain (anvil) does not exist for ${platform} ${architecture}. Set RPC_URL to a Base Sepolia endpoint to run without it.`,
    )
  }
  try {
    // Resolved from anvil's package, because npm may have put the package for this machine below it.
    const anvilPackage = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const file = createRequire(anvilPackage).resolve(path)
    if (existsSync(file)) return file
    throw new Error(`${file} does not exist`)
  } catch (error) {
    throw new DevChainError(
      `The local chain (anvil) is not installed for ${platform} ${architecture}. Run "npm install --include=optional", or set RPC_URL to a Base Sepolia endpoint to run without it.`,
      { cause: error },
    )
  }
}
