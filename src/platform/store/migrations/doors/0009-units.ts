import { type Kysely, sql } from 'kysely'

/**
 * The functions of 0003, for several units at once: an allowance of tokens reserves the maximum of a call and
 * gets the unused part back. A gateway of the previous version, which may still run beside this one, sends no
 * units and means one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await takeFunction.execute(db)
  await giveFunction.execute(db)
}

/**
 * Takes its units from each counter, or from none. It is a function because it must read and add with no
 * other transaction in between, and a single statement does not see rows that were committed while it waited
 * for a lock.
 *
 * `counters`: subject, operation, period, limit, units, and place, which counts from 0. Returns the place of
 * the first counter with too few units left, or null when all were taken, and the used units of each.
 */
const takeFunction = sql`
create or replace function take_units(counters jsonb)
returns table (full_at integer, used jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  one record;
  first_full integer;
  seen jsonb;
  taken jsonb;
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
    select min(state.place) filter (where state.used + state.units > state."limit"),
        coalesce(jsonb_agg(state.used order by state.place), '[]'),
        coalesce(jsonb_agg(state.used + state.units order by state.place), '[]')
      into first_full, seen, taken
      from (
        select wanted.place, wanted."limit", coalesce(wanted.units, 1) units, coalesce(usage.used, 0) used
        from jsonb_to_recordset(counters) as wanted(
          subject text, operation text, period text, "limit" bigint, units bigint, place integer)
        left join usage on usage.subject = wanted.subject and usage.operation = wanted.operation
          and usage.period = wanted.period
      ) state;
    if first_full is not null then
      return query select first_full, seen;
      return;
    end if;
  end loop;

  update usage set used = usage.used + coalesce(wanted.units, 1)
    from jsonb_to_recordset(counters) as wanted(subject text, operation text, period text, units bigint)
    where usage.subject = wanted.subject and usage.operation = wanted.operation
      and usage.period = wanted.period;
  return query select null::integer, taken;
end $$`

/** Gives its units back to each counter, never below zero. Locks in the same order as the take. */
const giveFunction = sql`
create or replace function give_units(counters jsonb) returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select wanted.subject, wanted.operation, wanted.period, coalesce(wanted.units, 1) units
      from jsonb_to_recordset(counters) as wanted(subject text, operation text, period text, units bigint)
      order by 1, 2, 3
  loop
    update usage set used = greatest(used - one.units, 0)
      where subject = one.subject and operation = one.operation and period = one.period and used > 0;
  end loop;
end $$`
