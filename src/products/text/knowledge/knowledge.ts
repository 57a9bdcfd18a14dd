import { consulting } from './consulting.ts'
import { dentistry } from './dentistry.ts'
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

/** Trades that work otherwise than their industry, each with a profile of its own. */
export const tradeProfiles = { dentistry } as const satisfies Readonly<Record<string, Industry>>

/** Everything that the engine knows. */
export const profiles: readonly Industry[] = [...Object.values(knowledge), ...Object.values(tradeProfiles)]
