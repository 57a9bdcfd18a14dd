// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

interface IBalance {
    function balanceOf(address account) external view returns (uint256);
}

/// A wallet contract that agrees in a trial and burns the gas of the transaction, although sender, gas price and gas
/// limit are the same in both. What differs is the block.
contract Turncoat {
    enum When {
        // in the second half of every `number` blocks
        Block,
        // in one of `number` blocks, by the block's random number
        Random,
        // once the wallet holds less than `number`: when many payments were tried and one of them is settled
        Spent
    }

    IBalance private immutable token;
    When private immutable when;
    uint256 private immutable number;
    uint256 private immutable keep;

    /// @param keep_ the gas that it leaves.
    constructor(IBalance token_, When when_, uint256 number_, uint256 keep_) {
        token = token_;
        when = when_;
        number = number_;
        keep = keep_;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (burnsNow()) {
            while (gasleft() > keep) {}
        }
        return this.isValidSignature.selector;
    }

    function burnsNow() private view returns (bool) {
        if (when == When.Block) return (block.number % number) * 2 >= number;
        if (when == When.Random) return block.prevrandao % number == 0;
        return token.balanceOf(address(this)) < number;
    }
}

/// Makes many such wallets in one transaction. They are clones of one contract, so that each costs little.
contract TurncoatFactory {
    event Made(address wallet);

    function make(uint256 count, IBalance token, Turncoat.When when, uint256 number, uint256 keep) external {
        address first = address(new Turncoat(token, when, number, keep));
        for (uint256 i = 0; i < count; i++) emit Made(Clones.clone(first));
    }
}
