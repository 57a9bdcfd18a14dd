/**
 * A reader of plain-text journals that is independent of our writer: it follows hledger's rules
 * (https://hledger.org/hledger.html#journal), as far as our journals need them.
 */
export interface JournalTransaction {
  readonly date: string
  readonly status: string
  readonly code: string
  readonly description: string
  readonly tags: ReadonlyMap<string, string>
  readonly postings: readonly Posting[]
}

export interface Posting {
  readonly account: string
  /** In the smallest unit of the commodity: millionths of USDC, wei of ETH. */
  readonly amount: bigint
  readonly commodity: string
}

const decimals = new Map([
  ['USDC', 6],
  ['ETH', 18],
])

/**
 * Reads a journal.
 * @throws for every line that does not belong to one.
 */
export function readJournal(text: string): JournalTransaction[] {
  const transactions: { -readonly [Key in keyof JournalTransaction]: JournalTransaction[Key] }[] = []
  let inDirective = false
  for (const [index, line] of text.split('\n').entries()) {
    const fail = (why: string): never => {
      throw new Error(`line ${index + 1}: ${why}: ${JSON.stringify(line)}`)
    }
    if (line === '' || line.startsWith(';')) continue
    if (/^commodity /.test(line)) {
      inDirective = true
      continue
    }
    const head = /^(\d{4}-\d{2}-\d{2}) ([*!]) \(([^()]+)\) (\S.*)$/.exec(line)
    if (head) {
      const [, date = '', status = '', code = '', description = ''] = head
      if (new Date(date).toISOString().slice(0, 10) !== date) fail('no date')
      inDirective = false
      transactions.push({ date, status, code, description, tags: new Map(), postings: [] })
      continue
    }
    if (!/^ /.test(line)) fail('neither a transaction nor indented')
    if (inDirective) continue
    const transaction = transactions.at(-1) ?? fail('indented without a transaction')
    const comment = /^ +; ([a-z]+): (.+)$/.exec(line)
    if (comment) {
      const [, name = '', value = ''] = comment
      transaction.tags = new Map([...transaction.tags, [name, value]])
      continue
    }
    // Two or more spaces separate an amount from its account, whose name may contain single ones.
    const posting = /^ {2,}(\S+(?: \S+)*) {2,}(-?)(\d+)\.(\d+) ([A-Z]+)$/.exec(line)
    if (!posting) fail('no posting')
    const [, account = '', sign = '', whole = '', fraction = '', commodity = ''] = posting ?? []
    if (fraction.length !== decimals.get(commodity)) fail('another number of decimals than its commodity has')
    const amount = BigInt(`${sign}${whole}${fraction}`)
    transaction.postings = [...transaction.postings, { account, amount, commodity }]
  }
  return transactions
}

/** The balance of each account after all transactions, in one commodity, without balances of zero. */
export function balances(
  transactions: readonly JournalTransaction[],
  of: 'USDC' | 'ETH' = 'USDC',
): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { account, amount, commodity } of transactions.flatMap(({ postings }) => postings)) {
    if (commodity === of) sums.set(account, (sums.get(account) ?? 0n) + amount)
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n))
}
