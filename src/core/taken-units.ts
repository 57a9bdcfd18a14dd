/** Units of a quota that a call has taken from one counter, as the quota door names it. */
export interface TakenUnits {
  readonly subject: string
  readonly operation: string
  readonly period: string
  readonly units: number
}
