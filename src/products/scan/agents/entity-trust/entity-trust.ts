import { unlessMicrodata } from '../../findings/microdata.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { unlessShell } from '../../findings/scripted/shell.ts'
import { type Agent, bySignals, byWords, kindLanguages } from '../agent.ts'
import { judgeAbout } from './about-page.ts'
import { judgeAccountability } from './accountability.ts'
import { judgeAuthorship, judgeCitations } from './authorship.ts'
import { judgeBrandName } from './brand-name.ts'
import { judgeContactFacts } from './contact-facts.ts'
import { judgeLegal } from './legal-notices.ts'
import { judgeProof } from './proof.ts'
import { judgeProfiles } from './social-profiles.ts'

/** Whether engines can tell who runs the site and find others who confirm it. */
export const entityTrust: Agent = {
  id: 'entity-trust',
  name: 'Entity and trust',
  checks: [
    {
      id: 'brand-name',
      title: 'One name everywhere',
      weight: 4,
      run: (site, signals) => unlessShell(needsHome((home) => judgeBrandName(home, site, signals)))(site),
    },
    {
      id: 'nap',
      title: 'Contact facts stand in the markup as on the pages',
      weight: 4,
      run: bySignals((signals, site) =>
        unlessMicrodata(['Organization', 'PostalAddress', 'ContactPoint'], (pages) =>
          judgeContactFacts(pages, site, signals),
        )(site.pages, site),
      ),
    },
    {
      id: 'about',
      title: 'A page tells who stands behind it',
      weight: 3,
      run: byWords(kindLanguages, unlessShell(needsPages(judgeAbout))),
    },
    {
      id: 'authorship',
      title: 'Articles name their authors',
      weight: 3,
      run: unlessShell(needsPages(judgeAuthorship)),
    },
    {
      id: 'profiles',
      title: 'Profiles and sameAs are equal',
      // The score counts profiles as structured-data/same-as. To link one more must not cost points.
      weight: 0,
      run: (site) => unlessShell(needsHome((home) => judgeProfiles(home, site)))(site),
    },
    {
      id: 'legal',
      title: 'Privacy and terms can be read',
      weight: 2,
      run: byWords(kindLanguages, unlessShell(needsPages(judgeLegal))),
    },
    {
      id: 'proof',
      title: 'Others vouch for it',
      weight: 2,
      run: byWords(kindLanguages, bySignals(judgeProof)),
    },
    {
      id: 'citations',
      title: 'Articles link their sources',
      weight: 1,
      run: unlessShell(needsPages(judgeCitations)),
    },
    {
      id: 'accountability',
      title: 'Problems have an address',
      weight: 1,
      run: byWords(kindLanguages, bySignals(judgeAccountability)),
    },
  ],
}
