// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/// A wallet contract that agrees to everything as long as nobody pays for the gas, and burns all there
/// is once somebody does.
contract GasBurner {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (tx.gasprice > 0) {
            while (gasleft() > 0) {}
        }
        return this.isValidSignature.selector;
    }
}
