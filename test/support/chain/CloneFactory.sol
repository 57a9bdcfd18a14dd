// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/// Makes minimal clones (EIP-1167) of a contract, many in one transaction.
contract CloneFactory {
    event Made(address clone);

    function make(address implementation, uint256 count) external {
        for (uint256 index = 0; index < count; index++) {
            address clone;
            assembly {
                let code := mload(0x40)
                mstore(code, 0x3d602d80600a3d3981f3363d3d373d3d3d363d73000000000000000000000000)
                mstore(add(code, 0x14), shl(0x60, implementation))
                mstore(add(code, 0x28), 0x5af43d82803e903d91602b57fd5bf30000000000000000000000000000000000)
                clone := create(0, code, 0x37)
            }
            emit Made(clone);
        }
    }
}
