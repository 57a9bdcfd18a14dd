import { sql } from 'kysely'
import type { Queries } from '../../../src/platform/store/database.ts'

/**
 * Lists the sites of the scans of `seedScans`, as completing them would: each site with its newest public basic or full
 * scan. The slug of `site-7.example` is `site-7`.
 */
export async function seedListings(queries: Queries): Promise<void> {
  await sql`
    insert into listings (domain, slug, state, business_name, industry, description, readiness_score, aeo_score, scan_id,
      scanned_at, created_at, updated_at)
    select domain, split_part(domain, '.', 1), 'listed', analysis ->> 'companyName', analysis ->> 'industry',
      analysis ->> 'description', (analysis #>> '{report,readinessScore}')::integer,
      (analysis #>> '{report,aeoScore}')::integer, id, created_at, created_at, created_at
    from (
      select distinct on (domain) * from scans
      where status = 'complete' and owner is null and depth <> 'light' order by domain, created_at desc
    ) as newest`.execute(queries)
  // As autovacuum does after a while: counting then reads the index alone.
  await sql`vacuum analyze listings`.execute(queries)
}
