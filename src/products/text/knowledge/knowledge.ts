import { consulting } from './consulting.ts'
import { education } from './education.ts'
import { finance } from './finance.ts'
import { healthcare } from './healthcare.ts'
import type { Industry, IndustrySlug } from './industry.ts'
import { manufacturing } from './manufacturing.ts'
import { marketing } from './marketing.ts'
import { other } from './other.ts'
import { professionalServices } from './professional-services.ts'
import { realEstate } from './real-estate.ts'
import { retail } from './retail.ts'
import { technology } from './technology.ts'

/** The knowledge about every industry. A slug without an entry does not compile. */
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
