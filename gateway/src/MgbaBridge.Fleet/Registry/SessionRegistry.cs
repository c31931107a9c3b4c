using System.Security.Cryptography;
using MgbaBridge.Engines.Supervision;
using Npgsql;

namespace MgbaBridge.Fleet.Registry;

/// <summary>Sessions to create.</summary>
/// <param name="Rom">The ROM of all of them, as the hosts name it.</param>
/// <param name="Count">How many.</param>
/// <param name="Owner">Who owns them.</param>
/// <param name="Id">The id of a single one, or null for random ids.</param>
/// <param name="Resources">What the job of each is to get.</param>
/// <param name="Holder">The program that they are for, and end with; null when they outlive who made them.</param>
public sealed record NewSessions(string Rom, int Count, string Owner, string? Id = null, JobResources Resources = default, string? Holder = null)
{
    /// <summary>What their emulators are started with.</summary>
    public EmulatorOptions Options { get; init; } = new();
}

/// <summary>Why sessions were not created.</summary>
public enum SessionFailure
{
    /// <summary>They were.</summary>
    None,

    /// <summary>The fleet would have more than <c>Fleet:MaxSessions</c>.</summary>
    TooMany,

    /// <summary>The owner would have more than <c>Fleet:MaxSessionsPerOwner</c>.</summary>
    OverQuota,

    /// <summary>There is a session with this id.</summary>
    IdTaken,
}

/// <summary>Which sessions there are to be.</summary>
/// <param name="database">The database.</param>
/// <param name="options">The quotas.</param>
public sealed class SessionRegistry(FleetDatabase database, FleetOptions options)
{
    /// <summary>How long temporary sessions are there without a gateway that says that their program runs.</summary>
    public static readonly TimeSpan WithoutProgram = TimeSpan.FromMinutes(1);

    // any number, but the same in all programs: creations count one after the other, so that two of them do not exceed a quota together
    private const long QuotaLock = 0x6D67_6261_0002;

    private const string ShownState = "case when s.desired = 'deleted' then 'deleting' else s.state end";
    private const string StateTaken = "(select t.taken_at from mgba_fleet.states t where t.session = s.id order by t.id desc limit 1)";
    private const string Columns =
        $"s.id, s.owner, s.rom, {ShownState}, s.generation, h.name, h.job_name, {ShownDetail}, s.failures, s.cpus, s.memory, extract(epoch from mgba_fleet.moment() - {StateTaken})::float8 from mgba_fleet.sessions s left join mgba_fleet.hosts h on h.id = s.host";

    /// <summary>The condition of rows that a caller of the owner <c>$1</c> sees; null for the operator.</summary>
    private const string Seen = "($1::text is null or s.owner = $1)";

    /// <summary>Why a session does not run: its last failure, otherwise what all of them wait for.</summary>
    internal const string ShownDetail = "case when s.host is null and s.desired = 'running' and s.detail = '' then (select f.waiting_for from mgba_fleet.fleet f) else s.detail end";

    /// <summary>The states that a session may be in, as lists show them.</summary>
    public static IReadOnlyList<string> States { get; } = ["pending", "placed", "running", "deleting"];

    /// <summary>Creates sessions, which wait for hosts from then on. Either all or none are created.</summary>
    public async Task<(IReadOnlyList<string> Ids, SessionFailure Failure)> CreateAsync(NewSessions sessions, CancellationToken cancellationToken)
    {
        string[] ids = sessions.Id is { } id ? [id] : [.. Enumerable.Range(0, sessions.Count).Select(_ => $"g{RandomNumberGenerator.GetHexString(10, lowercase: true)}")];
        var found = await database.RunAsync(
            async (connection, cancelled) =>
            {
                // two statements of one transaction: the second one counts what others created before it got the lock
                await using var batch = new NpgsqlBatch(connection);
                batch.BatchCommands.Add(new NpgsqlBatchCommand("select pg_advisory_xact_lock($1)") { Parameters = { Sql.Long(QuotaLock) } });
                batch.BatchCommands.Add(new NpgsqlBatchCommand(
                    """
                    with counted as materialized (
                      select count(*) as total, count(*) filter (where owner = $2) as owned, count(*) filter (where id = any ($1)) as taken from mgba_fleet.sessions),
                    created as (
                      insert into mgba_fleet.sessions (id, owner, rom, fps, options, cpus, memory, holder, ends_at, desired, state, not_before, created_at, changed_at)
                      select i, $2, $3, $4, $12, $8, $9::integer, $10, case when $10 is not null then mgba_fleet.moment() + $11 end, 'running', 'pending', mgba_fleet.moment(), mgba_fleet.moment(), mgba_fleet.moment() from unnest($1) as i, counted
                      where total + $5 <= $6 and owned + $5 <= $7 and taken = 0
                      returning id),
                    logged as (insert into mgba_fleet.events (kind, session, owner, generation, detail) select 'session.created', id, $2, 0, $3 from created)
                    select total, taken, (select count(*) from created) from counted
                    """)
                {
                    Parameters =
                    {
                        Sql.Texts(ids), Sql.Text(sessions.Owner), Sql.Text(sessions.Rom), Sql.OptionalNumber(sessions.Options.Fps), Sql.Integer(ids.Length), Sql.Integer(options.MaxSessions),
                        Sql.Integer(options.MaxSessionsPerOwner), Sql.OptionalNumber(sessions.Resources.Cpus), Sql.OptionalNumber(sessions.Resources.Memory),
                        Sql.OptionalText(sessions.Holder), Sql.Time(WithoutProgram), Sql.Texts(SessionOptions.TextsOf(sessions.Options)),
                    },
                });
                await using var reader = await batch.ExecuteReaderAsync(cancelled);
                await reader.NextResultAsync(cancelled);
                await reader.ReadAsync(cancelled);
                return (Total: reader.GetInt64(0), Taken: reader.GetInt64(1), Created: reader.GetInt64(2));
            },
            cancellationToken);
        return found.Created > 0 ? (ids, SessionFailure.None)
            : ([], found.Taken > 0 ? SessionFailure.IdTaken : found.Total + ids.Length > options.MaxSessions ? SessionFailure.TooMany : SessionFailure.OverQuota);
    }

    /// <summary>Sessions in the order of their ids, at most <paramref name="limit"/>, from the one after <paramref name="after"/> on.</summary>
    /// <param name="seenBy">The owner who asks; null for the operator.</param>
    /// <param name="owner">Only those of this owner, or null for all.</param>
    /// <param name="state">Only those in this state, or null.</param>
    /// <param name="after">The id, or null.</param>
    /// <param name="limit">How many.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public Task<List<FleetSession>> ListAsync(string? seenBy, string? owner, string? state, string? after, int limit, CancellationToken cancellationToken) => database.QueryAsync(
        $"select {Columns} where {Seen} and ($2::text is null or s.owner = $2) and ($3::text is null or {ShownState} = $3) and ($4::text is null or s.id > $4) order by s.id limit $5",
        Read, cancellationToken, Sql.OptionalText(seenBy), Sql.OptionalText(owner), Sql.OptionalText(state), Sql.OptionalText(after), Sql.Integer(limit));

    /// <summary>The session of this id, or null; for an owner, of its own.</summary>
    public async Task<FleetSession?> FindAsync(string? seenBy, string id, CancellationToken cancellationToken) =>
        (await database.QueryAsync($"select {Columns} where {Seen} and s.id = $2", Read, cancellationToken, Sql.OptionalText(seenBy), Sql.Text(id))).FirstOrDefault();

    /// <summary>Deletes a session: its host ends it, or the leader if no host has it. False if there is none.</summary>
    public async Task<bool> DeleteAsync(string id, CancellationToken cancellationToken) => await database.ExecuteAsync(
        "update mgba_fleet.sessions s set desired = 'deleted', changed_at = mgba_fleet.moment() where s.id = $1",
        cancellationToken, Sql.Text(id)) > 0;

    /// <summary>Deletes all sessions of an owner, or of all owners. Returns how many.</summary>
    /// <param name="seenBy">The owner who asks, whose own are deleted alone; null for the operator.</param>
    /// <param name="owner">The owner, or null for all.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public Task<int> DeleteAllAsync(string? seenBy, string? owner, CancellationToken cancellationToken) => database.ExecuteAsync(
        $"update mgba_fleet.sessions s set desired = 'deleted', changed_at = mgba_fleet.moment() where s.desired = 'running' and {Seen} and ($2::text is null or s.owner = $2)",
        cancellationToken, Sql.OptionalText(seenBy), Sql.OptionalText(owner));

    /// <summary>Says that the programs of these holders run: their temporary sessions do not end. Returns how many sessions they have.</summary>
    public Task<int> RenewAsync(IReadOnlyCollection<string> holders, CancellationToken cancellationToken) => database.ExecuteAsync(
        "update mgba_fleet.sessions set ends_at = mgba_fleet.moment() + $2 where holder = any ($1) and desired = 'running'",
        cancellationToken, Sql.Texts([.. holders]), Sql.Time(WithoutProgram));

    /// <summary>Deletes temporary sessions whose programs no gateway has known for <see cref="WithoutProgram"/>. Returns how many.</summary>
    public Task<int> ExpireAsync(CancellationToken cancellationToken) => database.ExecuteAsync(
        "update mgba_fleet.sessions set desired = 'deleted', changed_at = mgba_fleet.moment() where holder is not null and desired = 'running' and ends_at <= mgba_fleet.moment()",
        cancellationToken);

    /// <summary>How many sessions are in each state; for an owner, of its own.</summary>
    public Task<List<(string State, long Count)>> CountAsync(string? seenBy, CancellationToken cancellationToken) => database.QueryAsync(
        $"select {ShownState}, count(*) from mgba_fleet.sessions s where {Seen} group by 1 order by 1",
        static row => (row.GetString(0), row.GetInt64(1)), cancellationToken, Sql.OptionalText(seenBy));

    /// <summary>The running session whose newest state is oldest, its age, which is what it would lose, and why states are not stored, if so. Null and zero when none runs; for an owner, of its own.</summary>
    public async Task<(string? Session, TimeSpan Age, string? Problem)> OldestStateAsync(string? seenBy, CancellationToken cancellationToken) => (await database.QueryAsync(
        $"""
        select s.id, extract(epoch from mgba_fleet.moment() - coalesce({StateTaken}, s.changed_at))::float8, s.detail
        from mgba_fleet.sessions s where s.state = 'running' and {Seen} order by 2 desc limit 1
        """,
        static row => ((string?)row.GetString(0), TimeSpan.FromSeconds(Math.Max(0, row.GetDouble(1))), (string?)row.GetString(2)), cancellationToken, Sql.OptionalText(seenBy))).FirstOrDefault();

    private static FleetSession Read(NpgsqlDataReader row)
    {
        var (cpus, memory) = Sql.ReadResources(row, 9);
        return new FleetSession(
            row.GetString(0), row.GetString(1), row.GetString(2), row.GetString(3), row.GetInt64(4), row.IsDBNull(5) ? null : row.GetString(5), row.IsDBNull(6) ? null : row.GetString(6),
            row.GetString(7), row.GetInt32(8), cpus, memory, row.IsDBNull(11) ? null : Math.Round(row.GetDouble(11), 1));
    }
}
