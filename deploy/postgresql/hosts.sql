-- The rights that hosts of a fleet need, as the role mgba_fleet_host: docs/fleet.md, The hosts' own database user. Run it as the user of the gateways,
-- who needs the right to create roles for the first line only, in the fleet's database, once and after each update of its schema.
do $$ begin create role mgba_fleet_host; exception when duplicate_object then null; end $$;

grant usage on schema mgba_fleet to mgba_fleet_host;
grant select (id, name, schema_version) on mgba_fleet.fleet to mgba_fleet_host;
grant select (id, job, state, capacity, lease_until), insert, update (state, lease_until) on mgba_fleet.hosts to mgba_fleet_host;

-- Neither the secrets of scripts, nor who owns which game, nor what is to run.
grant select (id, owner, rom, fps, options, desired, state, generation, host, script_port, failures, not_before),
  update (state, generation, host, script_port, nonce, secret, detail, failures, not_before, changed_at), delete on mgba_fleet.sessions to mgba_fleet_host;
alter table mgba_fleet.sessions enable row level security; -- not for the user of the gateways, whose table it is
drop policy if exists host_reads on mgba_fleet.sessions;
drop policy if exists host_changes on mgba_fleet.sessions;
drop policy if exists host_ends_deleted on mgba_fleet.sessions;
create policy host_reads on mgba_fleet.sessions for select to mgba_fleet_host using (true);
create policy host_changes on mgba_fleet.sessions for update to mgba_fleet_host using (true);
create policy host_ends_deleted on mgba_fleet.sessions for delete to mgba_fleet_host using (desired = 'deleted');

grant select, insert, delete on mgba_fleet.states to mgba_fleet_host;
grant select, insert, update (used_at) on mgba_fleet.blobs to mgba_fleet_host;
grant select (id, kind, session, generation, host), insert (kind, session, owner, generation, host, detail) on mgba_fleet.events to mgba_fleet_host;
