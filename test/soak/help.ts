/** What `npm run soak -- --help` prints. The runs `abuse`, `edge`, `insights` and `webhooks` have options and texts of their own. */
export const soakHelp = `npm run soak -- [run] [options]

Tries to make gateways lose or give away money, and exits with 1 when it succeeds. Prints a line of JSON for each run on
standard output, and a sentence on standard error.

  (no run)      payments while everything around them fails, then many copies of one payment at once
  metered       metered calls by wallets, keys and free callers, compared with the chain, the books and the meter
  abuse         attackers who want work for nothing beside honest payers     (npm run soak -- abuse --help)
  edge          requests, bodies and replies that hold up all other callers  (npm run soak -- edge --help)
  insights      lists, search and analytics over a hundred thousand scans    (npm run soak -- insights --help)
  webhooks      ten thousand deliveries while their gateway is killed        (npm run soak -- webhooks --help)

Without a run:

  --seed TEXT           other payers, faults and moments; 1
  --payments 2000       payments of the first part; 0 leaves it out
  --payers 20           wallets that pay
  --at-once 24          calls at the same time
  --kills 20            how often a gateway is killed
  --outages 7           how often the node is away
  --store-cuts 9        how often all connections to the store break
  --faults 0.03         share of the calls to the node that fail
  --drops 0.15          share of the calls whose caller disconnects
  --doubles 0.1         share of the calls that are sent twice
  --front-runs 0.1      share of the payments that another account submits
  --reorg 5             blocks that the chain drops
  --settled-by WHO      gateway, or facilitator for a remote one
  --timing WHEN         after or before: when the money moves
  --envelopes WHICH     all forms of a payment, or plain ones
  --rounds 200          rounds of the second part, the copies; 0 leaves it out

metered:

  --seed TEXT, --payers 20, --at-once 24
  --calls 10000         calls in all
  --paid 0.15           share of them that wallets pay
  --aborts 0.1          share of them whose caller leaves in the middle
`
