namespace MgbaBridge.Fleet.Registry;

/// <summary>Lists of what there is and what happened.</summary>
/// <param name="database">The database.</param>
public sealed class FleetLog(FleetDatabase database)
{
    /// <summary>
    /// The newest events or, with <paramref name="after"/>, those that follow it, at most <paramref name="limit"/>, oldest first; of one session if one is named; for an
    /// owner, of its sessions.
    /// </summary>
    public Task<List<FleetEvent>> EventsAsync(string? seenBy, string? session, long? after, int limit, CancellationToken cancellationToken) => database.QueryAsync(
        $"""
        select * from (
          select e.id, e.at, e.kind, e.session, e.generation, e.host, e.detail from mgba_fleet.events e
          where e.id > $2 and ($1::text is null or e.session = $1) and ($4::text is null or e.owner = $4) order by e.id {(after is null ? "desc" : "")} limit $3) e
        order by e.id
        """,
        static row => new FleetEvent(
            row.GetInt64(0), row.GetDateTime(1), row.GetString(2), row.IsDBNull(3) ? null : row.GetString(3), row.IsDBNull(4) ? null : row.GetInt64(4), row.IsDBNull(5) ? null : row.GetGuid(5),
            row.GetString(6)),
        cancellationToken, Sql.OptionalText(session), Sql.Long(after ?? 0), Sql.Integer(limit), Sql.OptionalText(seenBy));

    /// <summary>How many hosts take sessions, and how many emulators together; for an owner, those that have sessions of it.</summary>
    public async Task<(int Hosts, int Capacity)> ReadyAsync(string? seenBy, CancellationToken cancellationToken) => (await database.QueryAsync(
        """
        select count(*), coalesce(sum(h.capacity), 0) from mgba_fleet.hosts h
        where h.state = 'ready' and h.lease_until > mgba_fleet.moment() and ($1::text is null or exists (select 1 from mgba_fleet.sessions s where s.host = h.id and s.owner = $1))
        """,
        static row => ((int)row.GetInt64(0), (int)row.GetInt64(1)), cancellationToken, Sql.OptionalText(seenBy)))[0];

    /// <summary>The hosts, those that live first, at most <paramref name="limit"/>; for an owner, those that have sessions of it, and only these sessions.</summary>
    public Task<List<FleetHost>> HostsAsync(string? seenBy, int limit, CancellationToken cancellationToken) => database.QueryAsync(
        """
        select h.id, h.name, h.state, h.version, h.job_name, h.capacity, coalesce(n.sessions, 0), extract(epoch from h.lease_until - mgba_fleet.moment())::float8
        from mgba_fleet.hosts h
        left join (select host, count(*) as sessions from mgba_fleet.sessions where host is not null and ($2::text is null or owner = $2) group by host) n on n.host = h.id
        where $2::text is null or n.sessions > 0
        order by h.state = 'gone', h.name, h.registered_at desc limit $1
        """,
        static row => new FleetHost(
            row.GetGuid(0), row.GetString(1), row.GetString(2), row.GetString(3), row.IsDBNull(4) ? null : row.GetString(4), row.GetInt32(5), (int)row.GetInt64(6), Math.Round(row.GetDouble(7), 1)),
        cancellationToken, Sql.Integer(limit), Sql.OptionalText(seenBy));
}
