import type { HtmlPage } from '../../handlers/service/html-page.ts'
import { renderPage } from '../page.ts'
import type { PricingOverview } from './document.ts'

/** Renders the price list for people. */
export function renderPricingPage(view: PricingOverview): HtmlPage {
  return renderPage('pricing', view)
}
