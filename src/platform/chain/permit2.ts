import { type Address, parseAbi } from 'viem'

/**
 * The two contracts of the scheme `upto`: Permit2 moves a wallet's tokens on its signature, and the x402
 * proxy takes the final amount of a call, at most the signed one. Both have these addresses on every chain,
 * and payers sign them: with another address every payment would be refused.
 */

/** Checks the payer's signature, and has the ERC-20 allowance by which it moves the tokens. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** The spender that every `upto` payment is signed for. */
export const uptoProxyAddress: Address = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002'

/**
 * The part of Permit2 that is called, and its errors. `nonceBitmap` returns the 256 nonces of a payer that
 * share their upper 248 bits; the bit that the lowest byte names is set once the nonce is used or
 * invalidated.
 */
export const permit2Abi = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'error InvalidNonce()',
  'error SignatureExpired(uint256 signatureDeadline)',
  'error InvalidAmount(uint256 maxAmount)',
  'error InvalidSignature()',
  'error InvalidSignatureLength()',
  'error InvalidSigner()',
  'error InvalidContractSignature()',
])

/**
 * The proxy. It moves `amount` to `witness.to`, in the token's smallest unit and at most
 * `permit.permitted.amount`. Only `witness.facilitator` may call it. `settleWithPermit` first carries out an
 * EIP-2612 permit that approves Permit2; when the permit fails, an earlier approval still counts.
 */
export const uptoProxyAbi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'struct EIP2612Permit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(EIP2612Permit permit2612, PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function PERMIT2() view returns (address)',
  'function WITNESS_TYPEHASH() view returns (bytes32)',
  'function WITNESS_TYPE_STRING() view returns (string)',
  'event Settled()',
  'event SettledWithPermit()',
  'error AmountExceedsPermitted()',
  'error InvalidDestination()',
  'error InvalidOwner()',
  'error InvalidPermit2Address()',
  'error PaymentTooEarly()',
  'error Permit2612AmountMismatch()',
  'error ReentrancyGuardReentrantCall()',
  'error UnauthorizedFacilitator()',
])
