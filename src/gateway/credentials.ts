import type { Holder } from '../core/endpoint.ts'
import { type ApiKey, subjectOfKey } from '../doors/keys/keys.ts'
import { issuerOf, type Oidc } from '../doors/keys/oidc.ts'
import type { Tokens } from '../doors/keys/tokens.ts'
import type { Confirm, KeyVerifier } from '../doors/keys/verify.ts'
import type { Credentials } from './principal.ts'

/** Verifies API keys, our own access tokens and those of a configured other issuer. */
export function createCredentials({
  keys,
  tokens,
  oidc,
  isOperation,
}: {
  readonly keys: Pick<KeyVerifier, 'verify'>
  readonly tokens: Pick<Tokens, 'verify'>
  /** Another issuer whose tokens are accepted, and its name in the tokens. */
  readonly oidc: (Oidc & { readonly issuer: string }) | undefined
  readonly isOperation: (scope: string) => boolean
}): Credentials {
  return {
    async key(text) {
      const verdict = await keys.verify(text)
      return verdict.kind === 'key' ? holds(holderOf(verdict, undefined)) : verdict
    },

    async token(text) {
      if (oidc && issuerOf(text) === oidc.issuer) {
        const verdict = await oidc.verify(text)
        if (verdict.kind === 'refused') return verdict
        const { subject, tier } = verdict
        // Another issuer's scopes may have nothing to do with our operations (openid, profile). Those are
        // ignored.
        const ours = verdict.scopes?.filter(isOperation) ?? []
        const scopes = ours.length > 0 ? ours : undefined
        return holds({ subject: `oidc:${subject}`, keyId: undefined, tier, scopes })
      }
      const verdict = await tokens.verify(text)
      return verdict.kind === 'bearer' ? holds(holderOf(verdict, verdict.scopes)) : verdict
    },
  }
}

function holds(holder: Holder) {
  return { kind: 'holder', holder } as const
}

function holderOf(
  { key: { id, tier }, confirm }: { readonly key: ApiKey; readonly confirm?: Confirm },
  scopes: readonly string[] | undefined,
): Holder {
  const holder = { subject: subjectOfKey(id), keyId: id, tier, scopes }
  return confirm ? { ...holder, confirm: async () => (await confirm()) !== undefined } : holder
}
