// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.26;

/**
 * The part of Multicall3 (multicall3.com) that the settler, viem and the x402 schemes call, for the local chain.
 * Without it a batch of payments could be settled on a public network only.
 */
contract Multicall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    /// Makes every call in order. A call that fails undoes only itself, or all of them when its
    /// `allowFailure` is false.
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            results[i] = _run(calls[i].target, calls[i].callData, !calls[i].allowFailure);
        }
    }

    /// The same, with one flag for all calls.
    function tryAggregate(bool requireSuccess, Call[] calldata calls)
        external
        payable
        returns (Result[] memory results)
    {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            results[i] = _run(calls[i].target, calls[i].callData, requireSuccess);
        }
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    function _run(address target, bytes calldata callData, bool requireSuccess) private returns (Result memory result) {
        (result.success, result.returnData) = target.call(callData);
        require(result.success || !requireSuccess, "Multicall3: call failed");
    }
}
