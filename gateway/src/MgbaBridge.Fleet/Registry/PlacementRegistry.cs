namespace MgbaBridge.Fleet.Registry;

/// <summary>A host as the leader sees it.</summary>
/// <param name="Id">Its id.</param>
/// <param name="IsReady">Whether it takes sessions.</param>
/// <param name="Capacity">Emulators that it takes.</param>
/// <param name="Sessions">Sessions that are placed on it.</param>
/// <param name="ProcessorsFree">Processors that were idle when it renewed its lease last.</param>
/// <param name="LeaseUntil">When its lease ends.</param>
/// <param name="HasExpired">Whether that has passed, by the database's clock.</param>
public sealed record HostRow(Guid Id, bool IsReady, int Capacity, int Sessions, double ProcessorsFree, DateTime LeaseUntil, bool HasExpired);

/// <summary>A session that has no living host.</summary>
/// <param name="Copy">Its id and last generation.</param>
/// <param name="IsWanted">False when it was deleted.</param>
/// <param name="IsDue">Whether its pause after a failure has passed.</param>
/// <param name="Detail">Why it is not placed, as stored.</param>
/// <param name="FailedOn">The hosts where its last starts failed, since it ran, at most <see cref="PlacementRegistry.MaxFailedOn"/>.</param>
public sealed record UnplacedRow(SessionCopy Copy, bool IsWanted, bool IsDue, string Detail, IReadOnlyList<Guid> FailedOn);

/// <summary>Where a session is to run.</summary>
/// <param name="Copy">The session, and the generation before.</param>
/// <param name="Host">The host.</param>
public readonly record struct Placement(SessionCopy Copy, Guid Host);

/// <summary>
/// What the leader reads and writes. Each write is conditional, so that a former leader that does not know yet that it is none can do no harm.
/// </summary>
/// <param name="database">The database.</param>
/// <param name="options">How long events are kept.</param>
public sealed class PlacementRegistry(FleetDatabase database, FleetOptions options)
{
    /// <summary>Sessions that one look returns, and that one statement changes.</summary>
    public const int MaxRows = 1_000;

    /// <summary>Failed starts of a session whose hosts are remembered.</summary>
    public const int MaxFailedOn = 8;

    /// <summary>Sessions that one statement places: a thousand took 0.1 s, and others waited for the hosts' rows meanwhile.</summary>
    public const int MaxPlaced = 200;

    /// <summary>The hosts that are not gone.</summary>
    public Task<List<HostRow>> HostsAsync(CancellationToken cancellationToken) => database.QueryAsync(
        """
        select h.id, h.state = 'ready', h.capacity, coalesce(n.sessions, 0), h.processors_free, h.lease_until, h.lease_until <= mgba_fleet.moment()
        from mgba_fleet.hosts h left join (select host, count(*) as sessions from mgba_fleet.sessions where host is not null group by host) n on n.host = h.id
        where h.state <> 'gone'
        """,
        static row => new HostRow(row.GetGuid(0), row.GetBoolean(1), row.GetInt32(2), (int)row.GetInt64(3), row.GetDouble(4), row.GetDateTime(5), row.GetBoolean(6)), cancellationToken);

    /// <summary>Sessions without a living host, deleted ones first, then those that have waited longest, at most <see cref="MaxRows"/>.</summary>
    public Task<List<UnplacedRow>> UnplacedAsync(CancellationToken cancellationToken) => database.QueryAsync(
        """
        select u.id, u.generation, u.desired = 'running', u.not_before <= mgba_fleet.moment(), u.detail, case when u.failures = 0 then '{}' else array(
            select e.host from mgba_fleet.events e where e.session = u.id and e.kind = 'session.failed' order by e.id desc limit least(u.failures, $2)) end
        from (
          select s.id, s.generation, s.desired, s.not_before, s.detail, s.failures from mgba_fleet.sessions s where s.host is null
          union all
          select s.id, s.generation, s.desired, s.not_before, s.detail, s.failures from mgba_fleet.hosts h join mgba_fleet.sessions s on s.host = h.id where h.state = 'gone') u
        order by u.desired, u.not_before, u.id limit $1
        """,
        static row => new UnplacedRow(HostRegistry.ReadCopy(row), row.GetBoolean(2), row.GetBoolean(3), row.GetString(4), row.GetFieldValue<Guid[]>(5)), cancellationToken,
        Sql.Integer(MaxRows), Sql.Integer(MaxFailedOn));

    /// <summary>Declares hosts lost whose leases have ended: they can renew them no more. Returns how many.</summary>
    public Task<int> DeclareLostAsync(IReadOnlyList<Guid> hosts, CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        with lost as (update mgba_fleet.hosts h set state = 'gone' where h.id = any ($1) and h.state <> 'gone' and h.lease_until <= mgba_fleet.moment() returning h.id, h.name)
        insert into mgba_fleet.events (kind, host, detail) select 'host.lost', id, name from lost
        """,
        cancellationToken, Sql.Ids([.. hosts]));

    /// <summary>Places sessions that have no living host on hosts that live, each in a new generation. Returns how many.</summary>
    public Task<int> PlaceAsync(IReadOnlyList<Placement> placements, CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        with moved as (
          update mgba_fleet.sessions s set generation = s.generation + 1, host = w.host, state = 'placed', script_port = null, detail = '', changed_at = mgba_fleet.moment()
          from unnest($1::text[], $2::bigint[], $3::uuid[]) as w (id, generation, host) join mgba_fleet.hosts h on h.id = w.host
          where s.id = w.id and s.generation = w.generation and s.desired = 'running' and h.state = 'ready' and h.lease_until > mgba_fleet.moment()
            and (s.host is null or exists (select 1 from mgba_fleet.hosts o where o.id = s.host and o.state = 'gone'))
          returning s.id, s.generation, s.host),
        woken as (update mgba_fleet.hosts h set revision = h.revision + 1 where h.id in (select host from moved))
        insert into mgba_fleet.events (kind, session, generation, host) select 'session.placed', id, generation, host from moved
        """,
        cancellationToken, HostRegistry.Ids(placements.Select(placement => placement.Copy)), HostRegistry.Generations(placements.Select(placement => placement.Copy)),
        Sql.Ids([.. placements.Select(placement => placement.Host)]));

    /// <summary>Says why sessions wait.</summary>
    public Task<int> ExplainAsync(IReadOnlyList<SessionCopy> copies, string detail, CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        update mgba_fleet.sessions s set state = 'pending', host = null, script_port = null, detail = $3, changed_at = mgba_fleet.moment()
        from unnest($1::text[], $2::bigint[]) as w (id, generation)
        where s.id = w.id and s.generation = w.generation and s.detail <> $3
          and (s.host is null or exists (select 1 from mgba_fleet.hosts o where o.id = s.host and o.state = 'gone'))
        """,
        cancellationToken, HostRegistry.Ids(copies), HostRegistry.Generations(copies), Sql.Text(detail));

    /// <summary>Removes deleted sessions that no living host has.</summary>
    public Task<int> RemoveAsync(IReadOnlyList<SessionCopy> copies, CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        with removed as (
          delete from mgba_fleet.sessions s using unnest($1::text[], $2::bigint[]) as w (id, generation)
          where s.id = w.id and s.generation = w.generation and s.desired = 'deleted'
            and (s.host is null or exists (select 1 from mgba_fleet.hosts o where o.id = s.host and o.state = 'gone'))
          returning s.id, s.generation)
        insert into mgba_fleet.events (kind, session, generation) select 'session.deleted', id, generation from removed
        """,
        cancellationToken, HostRegistry.Ids(copies), HostRegistry.Generations(copies));

    /// <summary>Deletes what is not needed any more: old events, hosts that are gone, blobs without a state.</summary>
    public Task<int> CleanAsync(CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        with events as (delete from mgba_fleet.events where id in (select id from mgba_fleet.events where at < (select mgba_fleet.moment()) - $1 order by id limit 10000)),
        hosts as (delete from mgba_fleet.hosts h where h.state = 'gone' and h.lease_until < mgba_fleet.moment() - $1 and not exists (select 1 from mgba_fleet.sessions s where s.host = h.id))
        delete from mgba_fleet.blobs where sha256 in (
          select b.sha256 from mgba_fleet.blobs b
          where b.used_at < (select mgba_fleet.moment()) - interval '10 minutes' and not exists (select 1 from mgba_fleet.states t where t.sha256 = b.sha256) limit 10000
          for update skip locked)
        """,
        cancellationToken, Sql.Time(options.KeepEvents));
}
