namespace MgbaBridge.Fleet.Registry;

/// <summary>Where a session runs.</summary>
/// <param name="Copy">The session and its generation.</param>
/// <param name="Owner">Its owner.</param>
/// <param name="IsRunning">Whether its script answers.</param>
/// <param name="Detail">Why it does not, or empty.</param>
/// <param name="Host">Its host; empty for none.</param>
/// <param name="Address">Where the host's connections are accepted.</param>
/// <param name="Port">The port there; 0 for a host of this machine whose scripts are reached directly.</param>
/// <param name="ScriptPort">The script's port on the host.</param>
/// <param name="Nonce">The script's nonce.</param>
/// <param name="Secret">The script's secret.</param>
/// <param name="LeaseLeft">How long the host's lease lasts; negative when it has ended.</param>
public sealed record SessionRoute(
    SessionCopy Copy, string Owner, bool IsRunning, string Detail, Guid Host, string Address, int Port, int ScriptPort, string Nonce, string Secret, TimeSpan LeaseLeft);

/// <summary>Where sessions run, for gateways.</summary>
/// <param name="database">The database.</param>
public sealed class RouteRegistry(FleetDatabase database)
{
    /// <summary>The routes of these sessions; those that the fleet does not have are missing.</summary>
    public Task<List<SessionRoute>> FindAsync(IReadOnlyCollection<string> sessions, CancellationToken cancellationToken) => database.QueryAsync(
        $"""
        select s.id, s.generation, s.state = 'running' and s.desired = 'running', {SessionRegistry.ShownDetail}, h.id, h.address, h.port, s.script_port, s.nonce, s.secret,
          extract(epoch from h.lease_until - mgba_fleet.moment())::float8, s.owner
        from mgba_fleet.sessions s left join mgba_fleet.hosts h on h.id = s.host where s.id = any ($1)
        """,
        static row =>
        {
            var copy = new SessionCopy(row.GetString(0), row.GetInt64(1));
            return row.IsDBNull(4) || row.IsDBNull(7)
                ? new SessionRoute(copy, row.GetString(11), false, row.GetString(3), Guid.Empty, "", 0, 0, "", "", TimeSpan.Zero)
                : new SessionRoute(
                    copy, row.GetString(11), row.GetBoolean(2), row.GetString(3), row.GetGuid(4), row.GetString(5), row.GetInt32(6), row.GetInt32(7), row.GetString(8), row.GetString(9),
                    TimeSpan.FromSeconds(row.GetDouble(10)));
        },
        cancellationToken, Sql.Texts([.. sessions]));
}
