import type { Site } from '../../site/site.ts'
import { siteLanguage } from '../page-language.ts'
import { readIndustry } from './industry.ts'

/**
 * Whether advice may ask for prices. In many countries the rules for doctors, lawyers and tax advisers limit what they may
 * publish of them, and an owner who followed the advice would be reprimanded by the chamber.
 */
export function mayAskForPrices(site: Site): boolean {
  const { slug } = readIndustry(site)
  return slug !== 'healthcare' && slug !== 'professional-services'
}

/** Whether advice may ask for reviews. In Japan the rules for medical advertising forbid what patients tell of a treatment. */
export function mayAskForReviews(site: Site): boolean {
  return !(readIndustry(site).slug === 'healthcare' && siteLanguage(site) === 'ja')
}
