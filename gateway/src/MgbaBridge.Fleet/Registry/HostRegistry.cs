using Npgsql;

namespace MgbaBridge.Fleet.Registry;

/// <summary>
/// What a host reads and writes. Each write has its condition in the same statement: the session is placed on this host, in this generation, and
/// the lease of the host has not ended. What does not fulfil it changes nothing.
/// </summary>
/// <param name="database">The database.</param>
/// <param name="options">The lease time.</param>
public sealed class HostRegistry(FleetDatabase database, FleetOptions options)
{
    private const string Alive = "h.id = $1 and h.state in ('ready', 'draining') and h.lease_until > mgba_fleet.moment()";

    /// <summary>Registers a host, whose lease begins. False when another host that is not gone has taken its job: then this process is a duplicate.</summary>
    public async Task<bool> RegisterAsync(HostDescription host, CancellationToken cancellationToken) => await database.ExecuteAsync(
        """
        with job as (
          update mgba_fleet.jobs j set state = 'taken', host = $1
          where j.id = $2 and j.state <> 'ended' and (j.host is null or j.host = $1 or exists (select 1 from mgba_fleet.hosts o where o.id = j.host and o.state = 'gone'))
          returning j.id),
        registered as (
          insert into mgba_fleet.hosts (id, job, name, version, state, address, port, capacity, processors_free, registered_at, lease_until)
          select $1, $2, $3, $4, 'ready', $5, $6, $7, $8, mgba_fleet.moment(), mgba_fleet.moment() + $9
          where $2 is null or exists (select 1 from job)
          on conflict (id) do update set lease_until = excluded.lease_until where hosts.state <> 'gone'
          returning id)
        insert into mgba_fleet.events (kind, host, detail) select 'host.registered', id, $3 from registered
        """,
        cancellationToken, Sql.Id(host.Id), Sql.OptionalId(host.Job), Sql.Text(host.Name), Sql.Text(host.Version), Sql.Text(host.Address), Sql.Integer(host.Port), Sql.Integer(host.Capacity),
        Sql.Number(host.ProcessorsFree), Sql.Time(options.LeaseTime)) > 0;

    /// <summary>Renews the lease. Returns a number that changes when the host's assignments do; null when the host was declared lost.</summary>
    public async Task<long?> RenewAsync(Guid host, double processorsFree, CancellationToken cancellationToken) =>
        (await database.QueryAsync(
            "update mgba_fleet.hosts h set lease_until = mgba_fleet.moment() + $2, processors_free = $3 where h.id = $1 and h.state <> 'gone' returning h.revision",
            static row => (long?)row.GetInt64(0), cancellationToken, Sql.Id(host), Sql.Time(options.LeaseTime), Sql.Number(processorsFree))).FirstOrDefault();

    /// <summary>The sessions that are placed on a host.</summary>
    public Task<List<Assignment>> AssignmentsAsync(Guid host, CancellationToken cancellationToken) => database.QueryAsync(
        "select s.id, s.generation, s.rom, s.fps, s.desired = 'running', case when s.state = 'running' then s.script_port end from mgba_fleet.sessions s where s.host = $1",
        static row => new Assignment(new SessionCopy(row.GetString(0), row.GetInt64(1)), row.GetString(2), row.IsDBNull(3) ? null : row.GetDouble(3), row.GetBoolean(4), row.IsDBNull(5) ? 0 : row.GetInt32(5)), cancellationToken, Sql.Id(host));

    /// <summary>Reports copies that answer. Returns those that were accepted; the others are not this host's any more and have to end.</summary>
    public Task<List<SessionCopy>> ReportRunningAsync(Guid host, IReadOnlyList<RunningCopy> copies, CancellationToken cancellationToken) => database.QueryAsync(
        $"""
        with changed as (
          update mgba_fleet.sessions s set state = 'running', detail = '', failures = 0, script_port = r.port, nonce = r.nonce, secret = r.secret, changed_at = mgba_fleet.moment()
          from unnest($2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[]) as r (id, generation, port, nonce, secret), mgba_fleet.hosts h
          where s.id = r.id and s.generation = r.generation and s.host = $1 and {Alive}
          returning s.id, s.generation),
        logged as (insert into mgba_fleet.events (kind, session, generation, host) select 'session.running', id, generation, $1 from changed)
        select id, generation from changed
        """,
        ReadCopy, cancellationToken, Sql.Id(host), Ids(copies.Select(copy => copy.Copy)), Generations(copies.Select(copy => copy.Copy)), Sql.Integers([.. copies.Select(copy => copy.Port)]),
        Sql.Texts([.. copies.Select(copy => copy.Nonce)]), Sql.Texts([.. copies.Select(copy => copy.Secret)]));

    /// <summary>Gives a copy back, which has ended on this host: it is placed again at once.</summary>
    public Task<bool> ReleaseAsync(Guid host, SessionCopy copy, CancellationToken cancellationToken) => GiveBackAsync(host, copy, "session.released", "its host is draining", 0, cancellationToken);

    /// <summary>Reports that a copy could not be started. It is placed again after a pause that doubles with each failure in a row, up to a minute.</summary>
    public Task<bool> ReportFailedAsync(Guid host, SessionCopy copy, string detail, CancellationToken cancellationToken) => GiveBackAsync(host, copy, "session.failed", detail, 1, cancellationToken);

    /// <summary>Reports that a copy of a deleted session has ended.</summary>
    public async Task<bool> ReportEndedAsync(Guid host, SessionCopy copy, CancellationToken cancellationToken) => await database.ExecuteAsync(
        $"""
        with ended as (
          delete from mgba_fleet.sessions s using mgba_fleet.hosts h
          where s.id = $2 and s.generation = $3 and s.host = $1 and s.desired = 'deleted' and {Alive}
          returning s.id, s.generation)
        insert into mgba_fleet.events (kind, session, generation, host) select 'session.deleted', id, generation, $1 from ended
        """,
        cancellationToken, Sql.Id(host), Sql.Text(copy.Session), Sql.Long(copy.Generation)) > 0;

    /// <summary>Takes no more sessions from now on.</summary>
    public async Task<bool> DrainAsync(Guid host, CancellationToken cancellationToken) => await ChangeAsync(host, "draining", "state = 'ready'", cancellationToken);

    /// <summary>Ends a host that has given back all its sessions.</summary>
    public async Task<bool> LeaveAsync(Guid host, CancellationToken cancellationToken) =>
        await ChangeAsync(host, "gone", "state <> 'gone' and not exists (select 1 from mgba_fleet.sessions s where s.host = $1)", cancellationToken);

    /// <summary>Reads a copy from a row.</summary>
    internal static SessionCopy ReadCopy(NpgsqlDataReader row) => new(row.GetString(0), row.GetInt64(1));

    /// <summary>The ids of copies, and their generations.</summary>
    internal static NpgsqlParameter Ids(IEnumerable<SessionCopy> copies) => Sql.Texts([.. copies.Select(copy => copy.Session)]);

    /// <inheritdoc cref="Ids"/>
    internal static NpgsqlParameter Generations(IEnumerable<SessionCopy> copies) => Sql.Longs([.. copies.Select(copy => copy.Generation)]);

    private async Task<bool> ChangeAsync(Guid host, string state, string condition, CancellationToken cancellationToken) => await database.ExecuteAsync(
        $"""
        with changed as (update mgba_fleet.hosts h set state = $2 where h.id = $1 and {condition} returning h.id)
        insert into mgba_fleet.events (kind, host) select 'host.' || $2, id from changed
        """,
        cancellationToken, Sql.Id(host), Sql.Text(state)) > 0;

    private async Task<bool> GiveBackAsync(Guid host, SessionCopy copy, string kind, string detail, int failures, CancellationToken cancellationToken) => await database.ExecuteAsync(
        $"""
        with changed as (
          update mgba_fleet.sessions s set state = 'pending', host = null, script_port = null, detail = $4, failures = s.failures + $5, changed_at = mgba_fleet.moment(),
            not_before = mgba_fleet.moment() + case when $5 = 0 then interval '0' else least(interval '1 second' * power(2, least(s.failures, 6)), interval '1 minute') end
          from mgba_fleet.hosts h
          where s.id = $2 and s.generation = $3 and s.host = $1 and {Alive}
          returning s.id, s.generation)
        insert into mgba_fleet.events (kind, session, generation, host, detail) select '{kind}', id, generation, $1, $4 from changed
        """,
        cancellationToken, Sql.Id(host), Sql.Text(copy.Session), Sql.Long(copy.Generation), Sql.Text(detail), Sql.Integer(failures)) > 0;
}
