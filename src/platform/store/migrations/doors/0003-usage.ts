import { type Kysely, sql } from 'kysely'

/** The counters of free quotas and of the allowances of keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('used', 'int8', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_pkey', ['subject', 'operation', 'period'])
    .execute()
  await takeFunction.execute(db)
  await giveFunction.execute(db)
}

/**
 * Takes one unit from each counter, or from none. It is a function because it must read and add with no other
 * transaction in between, and a single statement does not see rows that were committed while it waited for a
 * lock.
 *
 * `counters`: subject, operation, period, limit, and place, which counts from 0. Returns the place of the
 * first full counter, or null when a unit was taken from each, and the used units of each.
 */
const takeFunction = sql`
create function take_units(counters jsonb)
returns table (full_at integer, used jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  one record;
  first_full integer;
  seen jsonb;
begin
  -- Looked at twice, first without a lock: whoever is refused, however often, shall cost no write.
  for look in 1..2 loop
    if look = 2 then
      -- One at a time and always in this order: two takes that share counters cannot wait for each other.
      for one in
        select wanted.subject, wanted.operation, wanted.period
          from jsonb_to_recordset(counters) as wanted(subject text, operation text, period text)
          order by 1, 2, 3
      loop
        loop
          perform from usage
            where subject = one.subject and operation = one.operation and period = one.period for update;
          exit when found;
          insert into usage (subject, operation, period, used)
            values (one.subject, one.operation, one.period, 0) on conflict do nothing;
        end loop;
      end loop;
    end if;
    select min(wanted.place) filter (where coalesce(usage.used, 0) >= wanted."limit"),
        coalesce(jsonb_agg(coalesce(usage.used, 0) order by wanted.place), '[]')
      into first_full, seen
      from jsonb_to_recordset(counters)
        as wanted(subject text, operation text, period text, "limit" bigint, place integer)
      left join usage on usage.subject = wanted.subject and usage.operation = wanted.operation
        and usage.period = wanted.period;
    if first_full is not null then
      return query select first_full, seen;
      return;
    end if;
  end loop;

  update usage set used = usage.used + 1
    from jsonb_to_recordset(counters) as wanted(subject text, operation text, period text)
    where usage.subject = wanted.subject and usage.operation = wanted.operation
      and usage.period = wanted.period;
  return query select null::integer, coalesce(jsonb_agg(amount::bigint + 1 order by place), '[]')
    from jsonb_array_elements(seen) with ordinality as before(amount, place);
end $$`

/**
 * Gives one unit back to each counter. Locks in the same order as the take, so that the two cannot deadlock.
 */
const giveFunction = sql`
create function give_units(counters jsonb) returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select wanted.subject, wanted.operation, wanted.period
      from jsonb_to_recordset(counters) as wanted(subject text, operation text, period text)
      order by 1, 2, 3
  loop
    update usage set used = usage.used - 1
      where subject = one.subject and operation = one.operation and period = one.period and used > 0;
  end loop;
end $$`
