// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

interface Balances {
    function balanceOf(address account) external view returns (uint256);
}

/// A wallet contract that pays honestly until it has spent so much that it holds less than `rest`, and from then on
/// burns all gas in odd blocks.
contract LateBurner {
    Balances private immutable token;
    uint256 private immutable rest;

    constructor(Balances token_, uint256 rest_) {
        token = token_;
        rest = rest_;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (token.balanceOf(address(this)) < rest && block.number % 2 == 1) {
            assembly {
                invalid()
            }
        }
        return this.isValidSignature.selector;
    }
}
