using System.IO.Compression;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace MgbaBridge.Fleet.Registry;

/// <summary>A state of a session that a host takes or restores.</summary>
/// <param name="Bytes">The state itself.</param>
/// <param name="Description">What the host needs to know to load it, as it wrote it.</param>
/// <param name="Frame">The script's frame count when it was taken.</param>
public sealed record SessionState(byte[] Bytes, string Description, long Frame);

/// <summary>A stored state of a session.</summary>
/// <param name="State">The state, or null when it cannot be used.</param>
/// <param name="Problem">Why it cannot.</param>
public sealed record FoundState(SessionState? State, string Problem);

/// <summary>
/// States of sessions: compressed, and equal ones are stored once, under their SHA-256. Rows are the index; the bytes are in the database as well, or in
/// <see cref="FleetOptions.StateStore"/>, and there before the row.
/// </summary>
/// <param name="database">The database.</param>
/// <param name="options">How many are kept, and where.</param>
public sealed class StateRegistry(FleetDatabase database, FleetOptions options)
{
    private StateFolder? _folder;

    /// <summary>The largest state that is stored. mGBA's states have less than 1 MiB.</summary>
    public const int MaxBytes = 16 * 1_024 * 1_024;

    /// <summary>
    /// Stores a state, and renews the lease of its host. Null when the copy is fenced: another host has the session, or this one was declared lost. False when
    /// the session was deleted, or is not known to run: as with <see cref="HostRegistry.RenewAsync"/>.
    /// </summary>
    /// <exception cref="ArgumentException">It is larger than <see cref="MaxBytes"/>.</exception>
    /// <exception cref="FleetException">The database or the store cannot be used.</exception>
    public async Task<bool?> SaveAsync(Guid host, SessionCopy copy, SessionState state, CancellationToken cancellationToken)
    {
        if (state.Bytes.Length > MaxBytes)
        {
            throw new ArgumentException($"The state has {state.Bytes.Length} bytes; the fleet stores at most {MaxBytes}.", nameof(state));
        }

        var (hash, content) = (SHA256.HashData(state.Bytes), Compress(state.Bytes));
        var folder = await FolderAsync(cancellationToken);
        if (folder is not null)
        {
            await folder.WriteAsync(hash, content, cancellationToken);
        }

        // a blob that nobody uses any more may be deleted at the same time: writing its time keeps it
        return (await database.QueryAsync(
            $"""
            with renewed as (update mgba_fleet.hosts h set lease_until = mgba_fleet.moment() + $11 where h.id = $1 and h.state <> 'gone' returning h.id),
            fence as materialized (
              select s.id, {HostRegistry.AsItWas} as as_it_was from mgba_fleet.sessions s join renewed on renewed.id = s.host where s.id = $2 and s.generation = $3 for share of s),
            blob as (
              insert into mgba_fleet.blobs (sha256, content, used_at) select $4, $5, mgba_fleet.moment() from fence where $5 is not null
              on conflict (sha256) do update set used_at = excluded.used_at),
            former as (
              delete from mgba_fleet.states where session in (select id from fence) and id <= (
                select id from mgba_fleet.states where session = $2 and taken_at <= mgba_fleet.moment() - $9 order by id desc offset $10 limit 1))
            insert into mgba_fleet.states (session, generation, sha256, description, bytes, frame, taken_at)
            select fence.id, $3, $4, $6, $7, $8, mgba_fleet.moment() from fence
            returning (select as_it_was from fence)
            """,
            static row => (bool?)row.GetBoolean(0), cancellationToken, Sql.Id(host), Sql.Text(copy.Session), Sql.Long(copy.Generation), Sql.Bytes(hash), Sql.OptionalBytes(folder is null ? content : null),
            Sql.Text(state.Description), Sql.Long(state.Bytes.Length), Sql.Long(state.Frame), Sql.Time(folder is null ? TimeSpan.Zero : options.StateHistory),
            Sql.Integer(folder is null ? options.KeptStates - 1 : options.KeptStates), Sql.Time(options.LeaseTime))).FirstOrDefault();
    }

    /// <summary>
    /// Notes why the states of a copy are not stored, where an operator looks: in the detail of its session, and as an event; or, with an empty text, that they are
    /// stored again.
    /// </summary>
    /// <exception cref="FleetException">The database cannot be used.</exception>
    public Task<int> ReportAsync(Guid host, SessionCopy copy, string problem) => database.ExecuteAsync(
        """
        with changed as (
          update mgba_fleet.sessions s set detail = $4 from mgba_fleet.hosts h
          where s.id = $2 and s.generation = $3 and s.host = $1 and h.id = $1 and h.state <> 'gone' returning s.id, s.owner, s.generation)
        insert into mgba_fleet.events (kind, session, owner, generation, host, detail)
        select case when $4 = '' then 'session.saved' else 'session.unsaved' end, id, owner, generation, $1, $4 from changed
        """,
        CancellationToken.None, Sql.Id(host), Sql.Text(copy.Session), Sql.Long(copy.Generation), Sql.Text(problem));

    /// <summary>The states of a session, newest first, also those that cannot be used.</summary>
    /// <exception cref="FleetException">The database or the store cannot be used.</exception>
    public async IAsyncEnumerable<FoundState> NewestAsync(string session, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var rows = await database.QueryAsync(
            "select t.sha256, b.content, t.description, t.bytes, t.frame from mgba_fleet.states t left join mgba_fleet.blobs b on b.sha256 = t.sha256 where t.session = $1 order by t.id desc",
            static row => (Hash: row.GetFieldValue<byte[]>(0), Content: row.IsDBNull(1) ? null : row.GetFieldValue<byte[]>(1), Description: row.GetString(2), Bytes: row.GetInt64(3), Frame: row.GetInt64(4)),
            cancellationToken, Sql.Text(session));
        var folder = await FolderAsync(cancellationToken);
        foreach (var row in rows)
        {
            var content = row.Content ?? (folder is null ? null : await folder.ReadAsync(row.Hash, cancellationToken));
            var bytes = content is null ? null : Decompress(content, row.Bytes);
            yield return bytes is not null && SHA256.HashData(bytes).AsSpan().SequenceEqual(row.Hash)
                ? new FoundState(new SessionState(bytes, row.Description, row.Frame), "")
                : new FoundState(null, $"the state {Convert.ToHexStringLower(row.Hash)} is {(content is null ? "missing in" : "damaged in")} {(options.StateStore is { Length: > 0 } store ? store : "the database")}");
        }
    }

    /// <summary>
    /// Whether a state of a copy was stored in the last <paramref name="age"/> that has everything up to a frame. Null when the session has moved, or was deleted.
    /// </summary>
    /// <exception cref="FleetException">The database cannot be used.</exception>
    public async Task<bool?> IsStoredAsync(SessionCopy copy, long frame, TimeSpan age, CancellationToken cancellationToken) => (await database.QueryAsync(
        """
        select exists (
          select 1 from mgba_fleet.states t where t.session = s.id and t.generation = s.generation and t.frame >= $3 and t.taken_at >= mgba_fleet.moment() - $4)
        from mgba_fleet.sessions s where s.id = $1 and s.generation = $2
        """,
        static row => (bool?)row.GetBoolean(0), cancellationToken, Sql.Text(copy.Session), Sql.Long(copy.Generation), Sql.Long(frame), Sql.Time(age))).FirstOrDefault();

    /// <summary>Makes the store's folders; nothing without a store.</summary>
    /// <exception cref="FleetException">That was not possible.</exception>
    public async Task MakeStoreAsync(CancellationToken cancellationToken)
    {
        if (await FolderAsync(cancellationToken) is { } folder)
        {
            await folder.MakeAsync(cancellationToken);
        }
    }

    /// <summary>Deletes bytes of the store that no state has, in a part of it. Returns how many.</summary>
    /// <exception cref="FleetException">The database or the store cannot be used.</exception>
    public async Task<int> SweepStoreAsync(CancellationToken cancellationToken) => await FolderAsync(cancellationToken) is not { } folder ? 0 : await folder.SweepAsync(
        options.StateHistory,
        old => database.QueryAsync(
            "select h from unnest($1::bytea[]) h where not exists (select 1 from mgba_fleet.states t where t.sha256 = h)", static row => row.GetFieldValue<byte[]>(0), cancellationToken, Sql.Hashes(old)),
        cancellationToken);

    /// <summary>The fleet's own folder in the store, or null without a store: another fleet of the same name does not delete what it does not know.</summary>
    private async ValueTask<StateFolder?> FolderAsync(CancellationToken cancellationToken) => string.IsNullOrEmpty(options.StateStore) ? null
        : _folder ??= new StateFolder(new Uri(options.StateStore).LocalPath, (await database.QueryAsync("select name || '-' || left(id::text, 8) from mgba_fleet.fleet", static row => row.GetString(0), cancellationToken))[0]);

    private static byte[] Compress(byte[] bytes)
    {
        using var compressed = new MemoryStream();
        using (var brotli = new BrotliStream(compressed, CompressionLevel.Fastest))
        {
            brotli.Write(bytes);
        }

        return compressed.ToArray();
    }

    private static byte[]? Decompress(byte[] content, long length)
    {
        if (length is < 0 or > MaxBytes)
        {
            return null;
        }

        // one byte more than expected shows that there is more
        var bytes = new byte[length + 1];
        return BrotliDecoder.TryDecompress(content, bytes, out var written) && written == length ? bytes[..^1] : null;
    }
}
