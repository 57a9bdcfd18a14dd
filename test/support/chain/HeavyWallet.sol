// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/// A wallet contract whose signature check takes much gas, as one does that calculates a passkey's signature itself.
contract HeavyWallet {
    uint256 private immutable rounds;

    constructor(uint256 rounds_) {
        rounds = rounds_;
    }

    function isValidSignature(bytes32 hash, bytes calldata) external view returns (bytes4) {
        bytes32 sum = hash;
        for (uint256 round = 0; round < rounds; round++) {
            sum = keccak256(abi.encode(sum));
        }
        return sum == hash ? bytes4(0xffffffff) : this.isValidSignature.selector;
    }
}
