-- Each program that starts runs these. A newer version only adds to the schema, so that older programs continue beside it (FleetSchemaTests).
create schema if not exists mgba_fleet;
create table if not exists mgba_fleet.fleet (only_row boolean primary key default true check (only_row), name text not null, schema_version integer not null);
