// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/**
 * The local chain's version of Uniswap's Permit2: its signature transfers, by which a wallet that approved this
 * contract once pays with a signature alone, in any token. The scheme `upto` uses it. The signed types, the order
 * of checks and the errors are the real contract's; a difference would first show with real money.
 *
 * Left out, because no payment uses them: transfers of several tokens at once, and allowances.
 *
 * The code is placed without a deployment, so nothing may depend on storage that a constructor writes.
 */
contract Permit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    error SignatureExpired(uint256 signatureDeadline);
    error InvalidAmount(uint256 maxAmount);
    error InvalidNonce();
    error InvalidSignatureLength();
    error InvalidSignature();
    error InvalidSigner();
    error InvalidContractSignature();

    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    /// The domain has no version.
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    string private constant TOKEN_PERMISSIONS = "TokenPermissions(address token,uint256 amount)";
    bytes32 private constant TOKEN_PERMISSIONS_TYPEHASH = keccak256(bytes(TOKEN_PERMISSIONS));
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        abi.encodePacked(
            "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)",
            TOKEN_PERMISSIONS
        )
    );
    string private constant WITNESS_PERMIT =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";

    /// A payer's used nonces, 256 in a word. A nonce's upper 248 bits name the word and its lowest byte
    /// the bit, so nonces can be used in any order.
    mapping(address owner => mapping(uint256 word => uint256 used)) public nonceBitmap;

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
    }

    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 structHash = keccak256(
            abi.encode(PERMIT_TYPEHASH, _hash(permit.permitted), msg.sender, permit.nonce, permit.deadline)
        );
        _transfer(permit, transferDetails, owner, structHash, signature);
    }

    /// The same for a spender that had the payer sign more: the hash of it, and the rest of the type
    /// string from the name of that member on.
    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 typeHash = keccak256(abi.encodePacked(WITNESS_PERMIT, witnessTypeString));
        bytes32 structHash = keccak256(
            abi.encode(typeHash, _hash(permit.permitted), msg.sender, permit.nonce, permit.deadline, witness)
        );
        _transfer(permit, transferDetails, owner, structHash, signature);
    }

    /// Lets a payer cancel up to 256 signatures at once.
    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    /// The caller is the spender in the signed data, so only the signed spender's call finds a valid signature.
    function _transfer(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 structHash,
        bytes calldata signature
    ) private {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (transferDetails.requestedAmount > permit.permitted.amount) revert InvalidAmount(permit.permitted.amount);
        _useNonce(owner, permit.nonce);
        _requireSigned(owner, MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash), signature);
        require(
            SafeERC20.trySafeTransferFrom(
                IERC20(permit.permitted.token), owner, transferDetails.to, transferDetails.requestedAmount
            ),
            "TRANSFER_FROM_FAILED"
        );
    }

    function _useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << uint8(nonce);
        uint256 used = nonceBitmap[owner][nonce >> 8];
        if (used & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][nonce >> 8] = used | bit;
    }

    function _requireSigned(address owner, bytes32 hash, bytes calldata signature) private view {
        if (owner.code.length > 0) {
            bytes4 answer = IERC1271(owner).isValidSignature(hash, signature);
            if (answer != IERC1271.isValidSignature.selector) revert InvalidContractSignature();
            return;
        }
        address signer = _recover(hash, signature);
        if (signer == address(0)) revert InvalidSignature();
        if (signer != owner) revert InvalidSigner();
    }

    /// 65 bytes are r, s and v; 64 are r and s with v in the uppermost bit of s (EIP-2098).
    function _recover(bytes32 hash, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65 && signature.length != 64) revert InvalidSignatureLength();
        bytes32 r = bytes32(signature[:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (signature.length == 65) return ecrecover(hash, uint8(signature[64]), r, s);
        return ecrecover(hash, 27 + uint8(uint256(s) >> 255), r, (s << 1) >> 1);
    }

    function _hash(TokenPermissions calldata permitted) private pure returns (bytes32) {
        return keccak256(abi.encode(TOKEN_PERMISSIONS_TYPEHASH, permitted.token, permitted.amount));
    }
}
