// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/// The smallest wallet contract (ERC-1271): it accepts its owner's signatures. Bytes after the first 65 are ignored,
/// so that a test can send signatures that no plain wallet makes.
contract ContractWallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        address signer =
            ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        return signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
