using Npgsql;

namespace MgbaBridge.Fleet.Registry;

/// <summary>A host as the leader sees it.</summary>
/// <param name="Id">Its id.</param>
/// <param name="IsReady">Whether it takes sessions.</param>
/// <param name="Capacity">Emulators that it takes.</param>
/// <param name="Sessions">Sessions that it has.</param>
/// <param name="LeaseUntil">When its lease ends.</param>
/// <param name="HasExpired">Whether that has passed, by the database's clock.</param>
public sealed record HostRow(Guid Id, bool IsReady, int Capacity, int Sessions, DateTime LeaseUntil, bool HasExpired);

/// <summary>A session that a job of the engine has to be started or ended for.</summary>
/// <param name="Copy">The job: for a session without a host that of the next generation, for a deleted one that of its host.</param>
/// <param name="IsWanted">False when it was deleted.</param>
/// <param name="IsDue">Whether its pause after a failure has passed.</param>
/// <param name="Owner">Whose it is.</param>
/// <param name="Resources">What it is to get.</param>
public sealed record JobRow(SessionCopy Copy, bool IsWanted, bool IsDue, string Owner, JobResources Resources);

/// <summary>
/// What the leader reads and writes. Each write is conditional, so that a former leader that does not know yet that it is none can do no harm.
/// </summary>
/// <param name="database">The database.</param>
public sealed class LeaderRegistry(FleetDatabase database)
{
    /// <summary>Sessions that one statement returns or removes.</summary>
    public const int MaxRows = 1_000;

    // events and hosts that are gone: somebody who returns after a weekend sees what happened
    private static readonly TimeSpan Kept = TimeSpan.FromDays(7);

    /// <summary>The hosts that are not gone.</summary>
    public Task<List<HostRow>> HostsAsync(CancellationToken cancellationToken) => database.QueryAsync(
        """
        select h.id, h.state = 'ready', h.capacity, coalesce(n.sessions, 0), h.lease_until, h.lease_until <= mgba_fleet.moment()
        from mgba_fleet.hosts h left join (select host, count(*) as sessions from mgba_fleet.sessions where host is not null group by host) n on n.host = h.id
        where h.state <> 'gone'
        """,
        static row => new HostRow(row.GetGuid(0), row.GetBoolean(1), row.GetInt32(2), (int)row.GetInt64(3), row.GetDateTime(4), row.GetBoolean(5)), cancellationToken);

    /// <summary>Declares hosts lost whose leases have ended: they can renew them no more, and their sessions wait for others. Returns how many.</summary>
    public Task<int> DeclareLostAsync(IReadOnlyList<Guid> hosts, CancellationToken cancellationToken) => database.RunAsync(
        async (connection, cancelled) =>
        {
            // two statements of one transaction: the second one sees what a lost host took before the first one had locked its row
            await using var batch = new NpgsqlBatch(connection);
            batch.BatchCommands.Add(new NpgsqlBatchCommand(
                """
                with lost as (update mgba_fleet.hosts h set state = 'gone' where h.id = any ($1) and h.state <> 'gone' and h.lease_until <= mgba_fleet.moment() returning h.id, h.name)
                insert into mgba_fleet.events (kind, host, detail) select 'host.lost', id, name from lost
                """)
            { Parameters = { Sql.Ids([.. hosts]) } });
            batch.BatchCommands.Add(new NpgsqlBatchCommand(
                """
                update mgba_fleet.sessions s set state = 'pending', host = null, script_port = null, detail = '', not_before = mgba_fleet.moment(), changed_at = mgba_fleet.moment()
                from mgba_fleet.hosts h where h.id = any ($1) and h.state = 'gone' and s.host = h.id
                """)
            { Parameters = { Sql.Ids([.. hosts]) } });
            await batch.ExecuteNonQueryAsync(cancelled);
            return (int)batch.BatchCommands[0].RecordsAffected;
        },
        cancellationToken);

    /// <summary>Removes deleted sessions that no host has, at most <see cref="MaxRows"/>. Returns how many.</summary>
    public Task<int> RemoveAsync(CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        with removed as (
          delete from mgba_fleet.sessions where id in (
            select id from mgba_fleet.sessions where desired = 'deleted' and host is null limit $1 for update skip locked)
          returning id, owner, generation)
        insert into mgba_fleet.events (kind, session, owner, generation) select 'session.deleted', id, owner, generation from removed
        """,
        cancellationToken, Sql.Integer(MaxRows));

    /// <summary>Sessions that have no host, or are deleted and have one, at most <see cref="MaxRows"/>; those that have waited longest first.</summary>
    public Task<List<JobRow>> JobsAsync(CancellationToken cancellationToken) => database.QueryAsync(
        """
        select s.id, case when s.host is null then s.generation + 1 else s.generation end, s.desired = 'running', s.not_before <= mgba_fleet.moment(), s.owner, s.cpus, s.memory
        from mgba_fleet.sessions s where s.host is null or s.desired = 'deleted' order by s.not_before, s.id limit $1
        """,
        static row => new JobRow(HostRegistry.ReadCopy(row), row.GetBoolean(2), row.GetBoolean(3), row.GetString(4), Sql.ReadResources(row, 5)), cancellationToken, Sql.Integer(MaxRows));

    /// <summary>
    /// Those of an engine's jobs that nobody wants: their session is deleted, or is or waits for another generation. Generations only rise, so what is not
    /// wanted now never will be.
    /// </summary>
    public Task<List<SessionCopy>> SurplusAsync(IReadOnlyCollection<SessionCopy> jobs, CancellationToken cancellationToken) => database.QueryAsync(
        """
        select j.id, j.generation from unnest($1::text[], $2::bigint[]) as j (id, generation)
        where not exists (
          select 1 from mgba_fleet.sessions s where s.id = j.id and s.desired = 'running' and j.generation = case when s.host is null then s.generation + 1 else s.generation end)
        """,
        HostRegistry.ReadCopy, cancellationToken, HostRegistry.Ids(jobs), HostRegistry.Generations(jobs));

    /// <summary>Notes that jobs ended before a host of them had registered. Their sessions wait for jobs of the next generation, after a pause.</summary>
    public Task<int> FailAsync(IReadOnlyCollection<SessionCopy> jobs, string detail, CancellationToken cancellationToken) => database.ExecuteAsync(
        $"""
        with failed as (
          update mgba_fleet.sessions s set generation = j.generation, failures = s.failures + 1, detail = $3, changed_at = mgba_fleet.moment(), not_before = {HostRegistry.AfterPause}
          from unnest($1::text[], $2::bigint[]) as j (id, generation) where s.id = j.id and s.generation = j.generation - 1 and s.host is null
          returning s.id, s.owner, s.generation)
        insert into mgba_fleet.events (kind, session, owner, generation, detail) select 'job.ended', id, owner, generation, $3 from failed
        """,
        cancellationToken, HostRegistry.Ids(jobs), HostRegistry.Generations(jobs), Sql.Text(detail));

    /// <summary>Notes why the jobs of sessions wait.</summary>
    public Task<int> WaitAsync(IReadOnlyCollection<SessionCopy> jobs, IEnumerable<string> details, CancellationToken cancellationToken) => database.ExecuteAsync(
        """
        update mgba_fleet.sessions s set detail = j.detail
        from unnest($1::text[], $2::bigint[], $3::text[]) as j (id, generation, detail) where s.id = j.id and s.generation = j.generation - 1 and s.host is null and s.detail <> j.detail
        """,
        cancellationToken, HostRegistry.Ids(jobs), HostRegistry.Generations(jobs), Sql.Texts([.. details]));

    /// <summary>Notes for all gateways why the engine failed last, or an empty text, and what sessions wait for.</summary>
    public Task<int> ReportAsync(string engineProblem, string waitingFor, CancellationToken cancellationToken) => database.ExecuteAsync(
        "update mgba_fleet.fleet set engine_problem = $1, waiting_for = $2 where engine_problem <> $1 or waiting_for <> $2", cancellationToken, Sql.Text(engineProblem), Sql.Text(waitingFor));

    /// <summary>Why the engine failed last, or empty.</summary>
    public async Task<string> EngineProblemAsync(CancellationToken cancellationToken) =>
        (await database.QueryAsync("select engine_problem from mgba_fleet.fleet", static row => row.GetString(0), cancellationToken)).FirstOrDefault() ?? "";

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
        cancellationToken, Sql.Time(Kept));
}
