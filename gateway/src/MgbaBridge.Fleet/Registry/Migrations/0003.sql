-- What the emulator of a session is started with besides, each as name=value; a program that does not know a name starts it without.
alter table mgba_fleet.sessions add column options text[] not null default '{}';
