import type { Site } from '../../site/site.ts'
import { readIndustry } from './industry.ts'

/**
 * Whether advice may ask for prices. In many countries the rules for doctors, lawyers and tax advisers limit what they may
 * publish of them, and an owner who followed the advice would be reprimanded by the chamber.
 */
export function mayAskForPrices(site: Site): boolean {
  const { slug } = readIndustry(site)
  return slug !== 'healthcare' && slug !== 'professional-services'
}
