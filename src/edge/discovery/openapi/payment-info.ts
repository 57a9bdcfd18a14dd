import type { Operation } from '../../../core/catalog/catalog.ts'
import { formatUsdc, parseUsdc } from '../../../core/money.ts'
import { isForSale, type Served, type Site } from '../site.ts'

/**
 * `x-payment-info` of an operation that a payment opens. One value serves both kinds of directories: x402scan reads
 * `price` and `protocols`, those of MPP read `offers`. No amount or currency stands beside `offers`: a reader of the
 * second kind would take it for the price in a form of its own. Their clients (`mppx`) pay x402's scheme `exact` by the
 * method `evm` with the intent `charge`, and no other scheme of it. An offer does not promise a challenge of MPP: the
 * 402 of the operation is one of x402 only.
 * @returns undefined for an operation that is not sold.
 */
export function paymentInfo({ operation }: Pick<Served, 'operation'>, site: Pick<Site, 'accepts'>) {
  if (operation.access === 'operator' || !isForSale(operation)) return undefined
  const prices = pricesOf(operation)
  const [least, most] = [prices.at(0), prices.at(-1)]
  if (least === undefined || most === undefined) return undefined
  const isFixed = least === most && !isDynamic(operation)
  return {
    price: isFixed
      ? { mode: 'fixed', currency: 'USD', amount: formatUsdc(most) }
      : {
          mode: 'dynamic',
          currency: 'USD',
          min: formatUsdc(isDynamic(operation) ? 0n : least),
          max: formatUsdc(most),
        },
    protocols: [{ x402: {} }],
    offers: site
      .accepts(operation)
      .filter(({ scheme }) => scheme === 'exact')
      .map(({ scheme, network, amount, asset, payTo }) => ({
        intent: 'charge',
        method: 'evm',
        amount,
        currency: asset,
        recipient: payTo,
        network,
        scheme,
        description: operation.description,
      })),
  }
}

function isDynamic({ priced }: Pick<Operation, 'priced'>): boolean {
  return priced?.meter !== undefined || priced?.expression !== undefined
}

/** In atomic units, the least first. */
function pricesOf(operation: Operation | Served['operation']): bigint[] {
  const texts =
    operation.access === 'tier'
      ? Object.values(operation.offers).map(({ priced }) => priced.price)
      : operation.priced
        ? [operation.priced.price]
        : []
  return texts.map(parseUsdc).toSorted((one, other) => (one < other ? -1 : 1))
}
