using Npgsql;

namespace MgbaBridge.Fleet.Registry;

/// <summary>
/// What a host reads and writes. Each write has its condition in the same statement: this host has the session, in this generation, and
/// the lease of the host has not ended. What does not fulfil it changes nothing.
/// </summary>
/// <param name="database">The database.</param>
/// <param name="options">The lease time.</param>
public sealed class HostRegistry(FleetDatabase database, FleetOptions options)
{
    /// <summary>When a session is started again that failed: after a pause that doubles with each failure in a row, up to a minute.</summary>
    internal const string AfterPause = "mgba_fleet.moment() + least(interval '1 second' * power(2, least(s.failures, 6)), interval '1 minute')";

    /// <summary>Whether a session that a host has is wanted, and known to run there.</summary>
    internal const string AsItWas = "(s.desired = 'running' and s.state = 'running')";

    private const string Alive = "h.id = $1 and h.state in ('ready', 'draining') and h.lease_until > mgba_fleet.moment()";

    /// <summary>Seconds that a host leaves a session to others whose last starts failed here: one without room on its disk, or without the ROM, is often idle.</summary>
    public const int LeaveToOthersSeconds = 2;

    /// <summary>
    /// Registers a host, whose lease begins. That of an engine's job takes its session in the same statement. False when the session does not wait for
    /// this generation: another process has it, a later job is wanted, or the session was deleted.
    /// </summary>
    public async Task<bool> RegisterAsync(HostDescription host, CancellationToken cancellationToken) => (await database.QueryAsync(
        """
        with taken as (
          update mgba_fleet.sessions s set generation = $3, host = $1, state = 'placed', script_port = null, detail = '', changed_at = mgba_fleet.moment()
          where s.id = $2 and s.desired = 'running' and ((s.host is null and s.generation = $3 - 1) or (s.host = $1 and s.generation = $3))
            and not exists (select 1 from mgba_fleet.hosts where id = $1 and state = 'gone')
          returning s.id, s.owner),
        registered as (
          insert into mgba_fleet.hosts (id, job, name, version, state, address, port, capacity, registered_at, lease_until, job_name)
          select $1, $4, $5, $6, 'ready', $7, $8, $9, mgba_fleet.moment(), mgba_fleet.moment() + $10, $11
          where $2 is null or exists (select 1 from taken)
          on conflict (id) do update set lease_until = excluded.lease_until where hosts.state <> 'gone'
          returning id),
        logged as (
          insert into mgba_fleet.events (kind, session, owner, generation, host, detail)
          select e.kind, e.session, e.owner, e.generation, $1, e.detail
          from (select 'host.registered' as kind, null as session, null as owner, null::bigint as generation, $5 as detail from registered
            union all select 'session.placed', id, owner, $3, '' from taken) e
          where not exists (select 1 from mgba_fleet.hosts where id = $1)) -- otherwise only its answer was lost
        select count(*) from registered
        """,
        static row => row.GetInt64(0), cancellationToken, Sql.Id(host.Id), Sql.OptionalText(host.Job?.Session), Sql.Long(host.Job?.Generation ?? 0), Sql.OptionalText(host.Job?.ToString()),
        Sql.Text(host.Name), Sql.Text(host.Version), Sql.Text(host.Address), Sql.Integer(host.Port), Sql.Integer(host.Capacity), Sql.Time(options.LeaseTime),
        Sql.OptionalText(host.JobName)))[0] > 0;

    /// <summary>
    /// Takes sessions that wait, those that have waited longest first, as far as the host has room: at most its share of them, so that hosts that look at
    /// the same time have about as many. Returns how many.
    /// </summary>
    public Task<int> TakeAsync(Guid host, CancellationToken cancellationToken) => database.ExecuteAsync(
        $"""
        with me as materialized (
          select h.capacity - (select count(*) from mgba_fleet.sessions s where s.host = h.id) as room from mgba_fleet.hosts h
          where {Alive} and h.state = 'ready' and exists (select 1 from mgba_fleet.sessions s where s.host is null and s.not_before <= mgba_fleet.moment()) for share),
        share as (
          select ceil(count(*)::float8 / greatest(1, (select count(*) from mgba_fleet.hosts o where o.state = 'ready' and o.job is null and o.lease_until > mgba_fleet.moment()))) as most
          from me, mgba_fleet.sessions s where me.room > 0 and s.host is null and s.desired = 'running' and s.not_before <= mgba_fleet.moment()),
        waiting as (
          select s.id from mgba_fleet.sessions s
          where s.host is null and s.desired = 'running' and s.not_before <= mgba_fleet.moment()
            and (s.failures = 0 or s.not_before <= mgba_fleet.moment() - $2 or not exists (
              select 1 from mgba_fleet.events e where e.session = s.id and e.kind = 'session.failed' and e.host = $1 and e.generation > s.generation - s.failures))
          order by s.not_before, s.id limit coalesce((select least(me.room, share.most)::bigint from me, share where me.room > 0), 0)
          for update skip locked),
        taken as (
          update mgba_fleet.sessions s set generation = s.generation + 1, host = $1, state = 'placed', script_port = null, detail = '', changed_at = mgba_fleet.moment()
          from waiting w where s.id = w.id
          returning s.id, s.owner, s.generation)
        insert into mgba_fleet.events (kind, session, owner, generation, host) select 'session.placed', id, owner, generation, $1 from taken
        """,
        cancellationToken, Sql.Id(host), Sql.Time(TimeSpan.FromSeconds(LeaveToOthersSeconds)));

    /// <summary>
    /// Renews the lease, which <see cref="StateRegistry.SaveAsync"/> does, too. Null when the host was declared lost; false when a session of it was deleted, or
    /// is not known to run: its <see cref="AssignmentsAsync"/> are to be looked at.
    /// </summary>
    public async Task<bool?> RenewAsync(Guid host, CancellationToken cancellationToken) =>
        (await database.QueryAsync(
            $"""
            update mgba_fleet.hosts h set lease_until = mgba_fleet.moment() + $2 where h.id = $1 and h.state <> 'gone'
            returning not exists (select 1 from mgba_fleet.sessions s where s.host = $1 and not {AsItWas})
            """,
            static row => (bool?)row.GetBoolean(0), cancellationToken, Sql.Id(host), Sql.Time(options.LeaseTime))).FirstOrDefault();

    /// <summary>The sessions that a host has.</summary>
    public Task<List<Assignment>> AssignmentsAsync(Guid host, CancellationToken cancellationToken) => database.QueryAsync(
        "select s.id, s.generation, s.rom, s.fps, s.desired = 'running', case when s.state = 'running' then s.script_port end, s.options from mgba_fleet.sessions s where s.host = $1",
        static row => new Assignment(new SessionCopy(row.GetString(0), row.GetInt64(1)), row.GetString(2), SessionOptions.Of(row.IsDBNull(3) ? null : row.GetDouble(3), row.GetFieldValue<string[]>(6)), row.GetBoolean(4), row.IsDBNull(5) ? 0 : row.GetInt32(5)), cancellationToken, Sql.Id(host));

    /// <summary>Reports copies that answer. Returns those that were accepted; the others are not this host's any more and have to end.</summary>
    public Task<List<SessionCopy>> ReportRunningAsync(Guid host, IReadOnlyList<RunningCopy> copies, CancellationToken cancellationToken) => database.QueryAsync(
        $"""
        with changed as (
          update mgba_fleet.sessions s set state = 'running', detail = '', failures = 0, script_port = r.port, nonce = r.nonce, secret = r.secret, changed_at = mgba_fleet.moment()
          from unnest($2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[]) as r (id, generation, port, nonce, secret), mgba_fleet.hosts h
          where s.id = r.id and s.generation = r.generation and s.host = $1 and {Alive}
          returning s.id, s.owner, s.generation),
        logged as (insert into mgba_fleet.events (kind, session, owner, generation, host) select 'session.running', id, owner, generation, $1 from changed)
        select id, generation from changed
        """,
        ReadCopy, cancellationToken, Sql.Id(host), Ids(copies.Select(copy => copy.Copy)), Generations(copies.Select(copy => copy.Copy)), Sql.Integers([.. copies.Select(copy => copy.Port)]),
        Sql.Texts([.. copies.Select(copy => copy.Nonce)]), Sql.Texts([.. copies.Select(copy => copy.Secret)]));

    /// <summary>Gives a copy back, which has ended on this host: its session waits for another one.</summary>
    public Task<bool> ReleaseAsync(Guid host, SessionCopy copy, CancellationToken cancellationToken) => GiveBackAsync(host, copy, "session.released", "", 0, cancellationToken);

    /// <summary>Reports that a copy could not be started. Its session waits for another host after a pause: see <see cref="AfterPause"/>.</summary>
    public Task<bool> ReportFailedAsync(Guid host, SessionCopy copy, string detail, CancellationToken cancellationToken) => GiveBackAsync(host, copy, "session.failed", detail, 1, cancellationToken);

    /// <summary>Reports that a copy of a deleted session has ended.</summary>
    public async Task<bool> ReportEndedAsync(Guid host, SessionCopy copy, CancellationToken cancellationToken) => await database.ExecuteAsync(
        $"""
        with ended as (
          delete from mgba_fleet.sessions s using mgba_fleet.hosts h
          where s.id = $2 and s.generation = $3 and s.host = $1 and s.desired = 'deleted' and {Alive}
          returning s.id, s.owner, s.generation)
        insert into mgba_fleet.events (kind, session, owner, generation, host) select 'session.deleted', id, owner, generation, $1 from ended
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
            not_before = case when $5 = 0 then mgba_fleet.moment() else {AfterPause} end
          from mgba_fleet.hosts h
          where s.id = $2 and s.generation = $3 and s.host = $1 and {Alive}
          returning s.id, s.owner, s.generation)
        insert into mgba_fleet.events (kind, session, owner, generation, host, detail) select '{kind}', id, owner, generation, $1, $4 from changed
        """,
        cancellationToken, Sql.Id(host), Sql.Text(copy.Session), Sql.Long(copy.Generation), Sql.Text(detail), Sql.Integer(failures)) > 0;
}
