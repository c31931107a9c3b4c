using System.IO.Compression;
using System.Security.Cryptography;

namespace MgbaBridge.Fleet.Registry;

/// <summary>A state of a session that a host takes or restores.</summary>
/// <param name="Bytes">The state itself.</param>
/// <param name="Description">What the host needs to know to load it, as it wrote it.</param>
/// <param name="Frame">The script's frame count when it was taken.</param>
public sealed record SessionState(byte[] Bytes, string Description, long Frame);

/// <summary>States of sessions: compressed, and equal ones are stored once, under their SHA-256.</summary>
/// <param name="database">The database.</param>
/// <param name="options">How many are kept.</param>
public sealed class StateRegistry(FleetDatabase database, FleetOptions options)
{
    /// <summary>The largest state that is stored. mGBA's states have less than 1 MiB.</summary>
    public const int MaxBytes = 16 * 1_024 * 1_024;

    /// <summary>Stores a state. False when the copy is fenced: another host has the session, or the lease of this one has ended.</summary>
    /// <exception cref="ArgumentException">It is larger than <see cref="MaxBytes"/>.</exception>
    public async Task<bool> SaveAsync(Guid host, SessionCopy copy, SessionState state, CancellationToken cancellationToken)
    {
        if (state.Bytes.Length > MaxBytes)
        {
            throw new ArgumentException($"The state has {state.Bytes.Length} bytes; the fleet stores at most {MaxBytes}.", nameof(state));
        }

        // a blob that nobody uses any more may be deleted at the same time: writing its time keeps it
        var stored = await database.ExecuteAsync(
            """
            with fence as materialized (
              select s.id from mgba_fleet.sessions s join mgba_fleet.hosts h on h.id = s.host
              where s.id = $2 and s.generation = $3 and s.host = $1 and h.state in ('ready', 'draining') and h.lease_until > mgba_fleet.moment()
              for share of s),
            blob as (
              insert into mgba_fleet.blobs (sha256, content, used_at) select $4, $5, mgba_fleet.moment() from fence
              on conflict (sha256) do update set used_at = excluded.used_at returning sha256)
            insert into mgba_fleet.states (session, generation, sha256, description, bytes, frame, taken_at)
            select fence.id, $3, $4, $6, $7, $8, mgba_fleet.moment() from fence, blob
            """,
            cancellationToken, Sql.Id(host), Sql.Text(copy.Session), Sql.Long(copy.Generation), Sql.Bytes(SHA256.HashData(state.Bytes)), Sql.Bytes(Compress(state.Bytes)),
            Sql.Text(state.Description), Sql.Long(state.Bytes.Length), Sql.Long(state.Frame)) > 0;
        if (stored)
        {
            await database.ExecuteAsync(
                "delete from mgba_fleet.states where session = $1 and id <= (select id from mgba_fleet.states where session = $1 order by id desc offset $2 limit 1)",
                cancellationToken, Sql.Text(copy.Session), Sql.Integer(options.KeptStates));
        }

        return stored;
    }

    /// <summary>The states of a session, newest first; damaged ones are left out.</summary>
    public async Task<IReadOnlyList<SessionState>> NewestAsync(string session, CancellationToken cancellationToken)
    {
        var rows = await database.QueryAsync(
            "select b.sha256, b.content, t.description, t.bytes, t.frame from mgba_fleet.states t join mgba_fleet.blobs b on b.sha256 = t.sha256 where t.session = $1 order by t.id desc limit $2",
            static row => (Hash: row.GetFieldValue<byte[]>(0), Content: row.GetFieldValue<byte[]>(1), Description: row.GetString(2), Bytes: row.GetInt64(3), Frame: row.GetInt64(4)),
            cancellationToken, Sql.Text(session), Sql.Integer(options.KeptStates));
        return [.. rows.Select(row => (row.Hash, row.Description, row.Frame, Bytes: Decompress(row.Content, row.Bytes)))
            .Where(row => row.Bytes is not null && SHA256.HashData(row.Bytes).AsSpan().SequenceEqual(row.Hash))
            .Select(row => new SessionState(row.Bytes!, row.Description, row.Frame))];
    }

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
