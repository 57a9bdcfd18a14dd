import { setTimeout as pause } from 'node:timers/promises'
import type { getAuthHeaders } from '@coinbase/cdp-sdk/auth'
import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { CdpWalletConfig } from '../../../platform/config/secrets.ts'
import { deadlineAfter } from '../../../platform/net/reply-deadline.ts'
import { readResponseText } from '../../../platform/net/response-text.ts'
import { address } from '../wire/envelope.ts'

/** A reply takes less than a kilobyte. */
const maxBytes = 100_000
const maxTries = 4
const stepMs = 100

const accountReply = z.object({ address })
const signReply = z.object({ signedTransaction: z.string() })

interface CdpReply {
  readonly status: number
  readonly text: string
}

/**
 * The three requests of Coinbase's wallet API that a settlement account needs. Only the authentication comes
 * from Coinbase's SDK: its client would report each call, and its errors, to an analytics server of
 * Coinbase's, and nothing but the environment of the process can forbid it. Each operation has one deadline
 * over all its requests.
 */
export class CdpWallets {
  readonly #config: CdpWalletConfig
  readonly #getAuthHeaders: typeof getAuthHeaders

  private constructor(config: CdpWalletConfig, authenticate: typeof getAuthHeaders) {
    this.#config = config
    this.#getAuthHeaders = authenticate
  }

  static async load(config: CdpWalletConfig): Promise<CdpWallets> {
    // Imported on first use: without it, the start is faster (the rows "first 402" of `npm run bench`).
    const { getAuthHeaders } = await import('@coinbase/cdp-sdk/auth')
    return new CdpWallets(config, getAuthHeaders)
  }

  /**
   * Finds the account with this name, or makes it when there is none.
   * @throws Error when CDP does not reply in time, or with anything but an account.
   */
  async openAccount(name: string): Promise<Address> {
    const deadline = deadlineAfter(this.#config.timeoutMs)
    const path = `/evm/accounts/by-name/${name}`
    const existing = await this.#request('GET', path, undefined, deadline)
    if (existing.status !== 404) return accountOf(existing)
    const made = await this.#request('POST', '/evm/accounts', { name }, deadline)
    // Another replica has made it meanwhile.
    if (made.status === 409) return accountOf(await this.#request('GET', path, undefined, deadline))
    return accountOf(made)
  }

  /**
   * Has an account sign a serialized transaction.
   * @returns what CDP sent as the signed transaction; not checked.
   * @throws Error when CDP does not reply in time, or refuses.
   */
  async sign(account: Address, transaction: Hex): Promise<string> {
    const deadline = deadlineAfter(this.#config.timeoutMs)
    const path = `/evm/accounts/${account}/sign/transaction`
    return read(await this.#request('POST', path, { transaction }, deadline), signReply).signedTransaction
  }

  /**
   * Sends a request, again when no reply came: a connection that was kept open may be gone. None of the three
   * moves money, so sending one twice does no harm.
   */
  async #request(
    method: 'GET' | 'POST',
    path: string,
    body: object | undefined,
    deadline: AbortSignal,
  ): Promise<CdpReply> {
    const endpoint = new URL(`${this.#config.apiUrl}/platform/v2${path}`)
    for (let tries = 1; ; tries += 1) {
      const headers = await this.#authenticate(method, endpoint, body)
      const payload = body ? JSON.stringify(body) : null
      try {
        const response = await fetch(endpoint, {
          method,
          headers,
          body: payload,
          redirect: 'error',
          signal: deadline,
        })
        return { status: response.status, text: await readResponseText(response, maxBytes) }
      } catch (cause) {
        if (deadline.aborted) {
          throw new Error(`CDP did not reply within ${this.#config.timeoutMs} ms`, { cause })
        }
        // `fetch` rejects with a TypeError when the connection fails.
        if (!(cause instanceof TypeError) || tries === maxTries) throw cause
        await pause(stepMs * tries)
      }
    }
  }

  /** Signs the tokens for one request; CDP takes each of them once. */
  #authenticate(
    method: 'GET' | 'POST',
    { host, pathname }: URL,
    body: object | undefined,
  ): Promise<Record<string, string>> {
    const { apiKey, walletSecret } = this.#config
    return this.#getAuthHeaders({
      apiKeyId: apiKey.id,
      apiKeySecret: apiKey.secret,
      walletSecret,
      requestMethod: method,
      requestHost: host,
      requestPath: pathname,
      requestBody: body,
    })
  }
}

function accountOf(reply: CdpReply): Address {
  return read(reply, accountReply).address
}

function read<Body>({ status, text }: CdpReply, schema: z.ZodType<Body>): Body {
  if (status < 200 || status >= 300) throw new Error(`CDP replied ${status}: ${text.slice(0, 200)}`)
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`CDP replied ${status} in an unexpected form`, { cause })
  }
}
