import { type Page, renderPage } from '../page.ts'
import type { PricingOverview } from './document.ts'

/** Renders the price list for people. */
export function renderPricingPage(view: PricingOverview): Page {
  return renderPage('pricing', view)
}
