namespace MgbaBridge.Fleet.Registry;

/// <summary>Lists of what there is and what happened.</summary>
/// <param name="database">The database.</param>
public sealed class FleetLog(FleetDatabase database)
{
    /// <summary>Events after <paramref name="after"/>, oldest first, at most <paramref name="limit"/>; of one session if one is named.</summary>
    public Task<List<FleetEvent>> EventsAsync(string? session, long after, int limit, CancellationToken cancellationToken) => database.QueryAsync(
        "select e.id, e.at, e.kind, e.session, e.generation, e.host, e.detail from mgba_fleet.events e where e.id > $2 and ($1::text is null or e.session = $1) order by e.id limit $3",
        static row => new FleetEvent(
            row.GetInt64(0), row.GetDateTime(1), row.GetString(2), row.IsDBNull(3) ? null : row.GetString(3), row.IsDBNull(4) ? null : row.GetInt64(4), row.IsDBNull(5) ? null : row.GetGuid(5),
            row.GetString(6)),
        cancellationToken, Sql.OptionalText(session), Sql.Long(after), Sql.Integer(limit));

    /// <summary>The hosts, those that live first, at most <paramref name="limit"/>.</summary>
    public Task<List<FleetHost>> HostsAsync(int limit, CancellationToken cancellationToken) => database.QueryAsync(
        """
        select h.id, h.name, h.state, h.version, h.capacity, coalesce(n.sessions, 0), extract(epoch from h.lease_until - mgba_fleet.moment())::float8
        from mgba_fleet.hosts h left join (select host, count(*) as sessions from mgba_fleet.sessions where host is not null group by host) n on n.host = h.id
        order by h.state = 'gone', h.name, h.registered_at desc limit $1
        """,
        static row => new FleetHost(
            row.GetGuid(0), row.GetString(1), row.GetString(2), row.GetString(3), row.GetInt32(4), (int)row.GetInt64(5), Math.Round(row.GetDouble(6), 1)),
        cancellationToken, Sql.Integer(limit));
}
