import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { site } from '../../../support/scans/captured.ts'
import { runCheck } from '../../../support/scans/checks.ts'
import { page } from '../../../support/scans/lind-site.ts'

/** A site that has only a folder of a host that a service lends. */

const home = 'https://lind.github.io/dental/'

describe('what a site in a folder does not have', () => {
  test.each(['legal', 'about'])('is told of its home page, and not of the root of the host (%s)', (check) => {
    const outcome = runCheck(entityTrust, check, site({ [home]: page('<p>Crowns and bridges.</p>') }))
    const places = 'evidence' in outcome ? outcome.evidence.map(({ url }) => url) : []
    expect([...new Set(places)]).toEqual([home])
  })
})
