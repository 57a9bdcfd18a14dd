/**
 * A reader of plain-text journals that knows nothing of how ours are written: the rules are hledger's
 * (https://hledger.org/hledger.html#journal), as far as our journals go.
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
  /** Millionths. */
  readonly amount: bigint
  readonly commodity: string
}

/** @throws for every line that is none of a journal's. */
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
    // Two spaces or more stand between an account, which may hold single ones, and its amount.
    const posting = /^ {2,}(\S+(?: \S+)*) {2,}(-?)(\d+)\.(\d{6}) ([A-Z]+)$/.exec(line)
    if (!posting) fail('no posting')
    const [, account = '', sign = '', whole = '', fraction = '', commodity = ''] = posting ?? []
    const amount = BigInt(`${sign}${whole}${fraction}`)
    transaction.postings = [...transaction.postings, { account, amount, commodity }]
  }
  return transactions
}

/** What each account holds after all of them, in millionths; accounts that come out even are left out. */
export function balances(transactions: readonly JournalTransaction[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { account, amount } of transactions.flatMap(({ postings }) => postings)) {
    sums.set(account, (sums.get(account) ?? 0n) + amount)
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n))
}
