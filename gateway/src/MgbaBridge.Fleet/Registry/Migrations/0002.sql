-- The program that a session is for, and until when it is there without it; null for a session that outlives who made it.
alter table mgba_fleet.sessions add column holder text, add column ends_at timestamptz;

create index sessions_holder on mgba_fleet.sessions (holder) where holder is not null;
