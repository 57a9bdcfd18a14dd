/** Anyone may ask for the health of the gateway, and each check asks the chain and the database. */
const reuseMs = 1_000

/** Gives one result to all callers that come while it is made, and for one second after. */
export function reuseForASecond<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => {
    made ??= make().finally(() => {
      setTimeout(() => {
        made = undefined
      }, reuseMs).unref()
    })
    return made
  }
}
