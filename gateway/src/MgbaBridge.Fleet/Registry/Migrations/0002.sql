-- Version 2: why the engine failed last, as the leader reports it; empty when it works.
alter table mgba_fleet.fleet add column engine_problem text not null default '';
