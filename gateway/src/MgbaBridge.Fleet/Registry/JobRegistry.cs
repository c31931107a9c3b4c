using System.Buffers.Binary;

namespace MgbaBridge.Fleet.Registry;

/// <summary>What was requested from an engine, by ids of our own: an engine may use its ids again.</summary>
/// <param name="Id">Its id.</param>
/// <param name="IsWanted">Whether the engine is to run it.</param>
/// <param name="HasHost">Whether a host that lives has taken it.</param>
/// <param name="IsOverdue">Whether it was requested so long ago that a host should have taken it.</param>
/// <param name="IsIdle">Whether its host has had no session for <c>Fleet:IdleHostStop</c>.</param>
public sealed record JobRow(Guid Id, bool IsWanted, bool HasHost, bool IsOverdue, bool IsIdle);

/// <summary>The jobs of an engine.</summary>
/// <param name="database">The database.</param>
/// <param name="options">Limits and times.</param>
public sealed class JobRegistry(FleetDatabase database, FleetOptions options)
{
    private const int IndexAt = 12; // the last four bytes of an id are the index in its request

    /// <summary>The id of one job of a request.</summary>
    public static Guid JobOf(Guid request, int index)
    {
        Span<byte> bytes = stackalloc byte[16];
        request.TryWriteBytes(bytes);
        BinaryPrimitives.WriteInt32BigEndian(bytes[IndexAt..], index);
        return new Guid(bytes);
    }

    /// <summary>Notes a request of so many jobs, as far as <c>Fleet:MaxHosts</c> allows and as others have not requested enough. Returns how many there are to be.</summary>
    public async Task<int> RequestAsync(Guid request, string engine, int count, CancellationToken cancellationToken)
    {
        Guid[] ids = [.. Enumerable.Range(0, Math.Min(count, options.MaxHosts)).Select(index => JobOf(request, index))];
        return await database.ExecuteAsync(
            """
            insert into mgba_fleet.jobs (id, engine, state, requested_at)
            select w.id, $2, 'requested', mgba_fleet.moment()
            from unnest($1) with ordinality as w (id, number),
              (select count(*) as live, count(*) filter (where state = 'requested') as requested from mgba_fleet.jobs where state <> 'ended') j
            where w.number <= least($3 - j.requested, $4 - j.live)
            """,
            cancellationToken, Sql.Ids(ids), Sql.Text(engine), Sql.Integer(ids.Length), Sql.Integer(options.MaxHosts));
    }

    /// <summary>The jobs that have not ended.</summary>
    public Task<List<JobRow>> ListAsync(string engine, CancellationToken cancellationToken) => database.QueryAsync(
        """
        select j.id, coalesce(h.state in ('ready', 'draining'), j.state = 'requested'), coalesce(h.state in ('ready', 'draining'), false), j.requested_at < mgba_fleet.moment() - $2,
          coalesce(h.state = 'ready' and not exists (select 1 from mgba_fleet.sessions s where s.host = h.id)
            and greatest(h.registered_at, (select max(e.at) from mgba_fleet.events e where e.host = h.id)) < mgba_fleet.moment() - $3, false)
        from mgba_fleet.jobs j left join mgba_fleet.hosts h on h.id = j.host
        where j.engine = $1 and j.state <> 'ended'
        """,
        static row => new JobRow(row.GetGuid(0), row.GetBoolean(1), row.GetBoolean(2), row.GetBoolean(3), row.GetBoolean(4)), cancellationToken,
        Sql.Text(engine), Sql.Time(options.HostStartTimeout), Sql.Time(options.IdleHostStop));

    /// <summary>Notes why the engine failed last, or an empty text, for all gateways.</summary>
    public Task<int> ReportEngineAsync(string problem, CancellationToken cancellationToken) =>
        database.ExecuteAsync("update mgba_fleet.fleet set engine_problem = $1 where engine_problem <> $1", cancellationToken, Sql.Text(problem));

    /// <summary>Why the engine failed last, or empty.</summary>
    public async Task<string> EngineProblemAsync(CancellationToken cancellationToken) =>
        (await database.QueryAsync("select engine_problem from mgba_fleet.fleet", static row => row.GetString(0), cancellationToken)).FirstOrDefault() ?? "";

    /// <summary>Ends jobs: no host can take them any more.</summary>
    public Task<int> EndAsync(IReadOnlyList<Guid> jobs, string reason, CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        with ended as (
          update mgba_fleet.jobs j set state = 'ended'
          where j.id = any ($1) and j.state <> 'ended' and not exists (select 1 from mgba_fleet.hosts h where h.id = j.host and h.state <> 'gone')
          returning j.id)
        insert into mgba_fleet.events (kind, detail) select 'job.ended', id::text || ': ' || $2 from ended
        """,
        cancellationToken, Sql.Ids([.. jobs]), Sql.Text(reason));
}
