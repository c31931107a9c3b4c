-- Version 1. Every deadline is compared with mgba_fleet.moment(), the clock of the database; the simulation of the tests replaces it.
create function mgba_fleet.moment() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- The id names the fleet's folder in Fleet:StateStore. What the leader says of the engine: why it failed last, empty when it works; and what sessions wait for.
alter table mgba_fleet.fleet add column id uuid not null default gen_random_uuid(), add column engine_problem text not null default '', add column waiting_for text not null default '';

-- A host is one process of `mgba-bridge node`. Its id is chosen by the process and never used again, so a job that starts twice makes two hosts.
-- `job` is session.generation for the job of an engine, which runs only that; null for a host that was started by hand and takes what waits.
-- `job_name` is what the engine calls this job.
create table mgba_fleet.hosts (
  id uuid primary key,
  job text,
  job_name text,
  name text not null,
  version text not null,
  state text not null check (state in ('ready', 'draining', 'gone')),
  address text not null,
  port integer not null,
  capacity integer not null check (capacity >= 0),
  registered_at timestamptz not null,
  lease_until timestamptz not null
) with (fillfactor = 50);

-- A session is a game that is to run somewhere. Each time a host takes it, and each job that ended before, has a new generation.
create table mgba_fleet.sessions (
  id text primary key,
  owner text not null,
  rom text not null,
  fps double precision,
  cpus double precision,
  memory integer, -- MiB
  desired text not null check (desired in ('running', 'deleted')),
  state text not null check (state in ('pending', 'placed', 'running')),
  generation bigint not null default 0,
  host uuid references mgba_fleet.hosts (id),
  script_port integer,
  nonce text,
  secret text,
  detail text not null default '',
  failures integer not null default 0,
  not_before timestamptz not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  check ((state = 'pending') = (host is null))
) with (fillfactor = 70);

create index sessions_host on mgba_fleet.sessions (host);
create index sessions_owner on mgba_fleet.sessions (owner);
create index sessions_waiting on mgba_fleet.sessions (not_before) where host is null;
create index sessions_deleted on mgba_fleet.sessions (id) where desired = 'deleted';

-- States, compressed; equal ones are stored once. With Fleet:StateStore their bytes are there instead.
create table mgba_fleet.blobs (
  sha256 bytea primary key,
  content bytea not null,
  used_at timestamptz not null
);

create table mgba_fleet.states (
  id bigint generated always as identity primary key,
  session text not null references mgba_fleet.sessions (id) on delete cascade,
  generation bigint not null,
  sha256 bytea not null,
  description text not null,
  bytes bigint not null,
  frame bigint not null,
  taken_at timestamptz not null
);

create index states_session on mgba_fleet.states (session, id desc);
create index states_sha256 on mgba_fleet.states (sha256);

create table mgba_fleet.events (
  id bigint generated always as identity primary key,
  at timestamptz not null default mgba_fleet.moment(),
  kind text not null,
  session text,
  owner text, -- of the session, whose row may be gone
  generation bigint,
  host uuid,
  detail text not null default ''
);

create index events_host on mgba_fleet.events (host, at) where host is not null;
create index events_session on mgba_fleet.events (session, id) where session is not null;
create index events_owner on mgba_fleet.events (owner, id) where owner is not null;

-- Wake-ups: the leader, hosts that were started by hand or gateways may have something to do.
create function mgba_fleet.wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('mgba_fleet', '');
  return null;
end $$;

create trigger wake_for_host after insert or update of state on mgba_fleet.hosts for each statement execute function mgba_fleet.wake();
create trigger wake_for_session after insert or update of desired, host, script_port on mgba_fleet.sessions for each statement execute function mgba_fleet.wake();
