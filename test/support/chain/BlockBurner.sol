// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/// A wallet contract that accepts every signature in even blocks, and burns all gas in odd ones. A trial is made in
/// the newest block and its transaction goes into a later one, so the wallet can agree to the one and burn the other.
contract BlockBurner {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (block.number % 2 == 1) {
            assembly {
                invalid()
            }
        }
        return this.isValidSignature.selector;
    }
}
