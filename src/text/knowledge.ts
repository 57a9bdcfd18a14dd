import { consulting } from './industries/consulting.ts'
import { education } from './industries/education.ts'
import { finance } from './industries/finance.ts'
import { healthcare } from './industries/healthcare.ts'
import type { Industry, IndustrySlug } from './industries/industry.ts'
import { manufacturing } from './industries/manufacturing.ts'
import { marketing } from './industries/marketing.ts'
import { other } from './industries/other.ts'
import { professionalServices } from './industries/professional-services.ts'
import { realEstate } from './industries/real-estate.ts'
import { retail } from './industries/retail.ts'
import { technology } from './industries/technology.ts'

/** Everything known about every industry; a slug without its file does not compile. */
export const knowledge: Readonly<Record<IndustrySlug, Industry>> = {
  technology,
  healthcare,
  finance,
  retail,
  'professional-services': professionalServices,
  education,
  manufacturing,
  'real-estate': realEstate,
  marketing,
  consulting,
  other,
}
