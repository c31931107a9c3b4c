using System.Security.Cryptography;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The file of a ROM: what an emulator read of it last, and whether it was built again since. One caller at a time reads or looks.</summary>
internal sealed class RomFile(string path)
{
    // linkers write a file in several steps, and other tools then mend its header
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(500);

    private volatile RomContent? _used;
    private volatile RomContent? _new;
    private RomStamp? _seen;
    private long _seenAt;

    /// <summary>The SHA-256 of what an emulator read; empty when it could not be read.</summary>
    public string Hash => _used?.Hash ?? "";

    /// <summary>The CRC32 of the ROM that an emulator read; null when it could not be read.</summary>
    public uint? Crc32 => _used?.Crc32;

    /// <summary>The CRC32 of what the file has now; null when that is what the emulator read, or when not all of it is written.</summary>
    public uint? NewCrc32 => _new?.Crc32;

    /// <summary>An emulator is about to read it. Whether it is another ROM than before, so that the states of that one would crash the game.</summary>
    public bool Read()
    {
        if (TryRead() is not { } now)
        {
            return false; // the emulator says why it does not start
        }

        var before = Hash;
        (_used, _new) = (now, null);
        return before != now.Hash;
    }

    /// <summary>Why an emulator would not start with what the file has now; null when it would.</summary>
    public string? Problem() => TryRead() is not { } now ? $"The ROM {EscapedText.Of(path)} cannot be read."
        : !now.IsWhole && now.Hash != Hash ? $"{EscapedText.Of(path)} is no whole ROM any more." : null;

    /// <summary>Looks at the file. True once when it was built again, and all of it is written: it has been as it is for a while, and is a whole ROM.</summary>
    public bool Look(TimeProvider time)
    {
        var stamp = StampOf();
        if (stamp is null)
        {
            (_new, _seen) = (null, null);
            return false;
        }

        if (stamp == (_new ?? _used)?.Stamp)
        {
            _seen = null;
            return false;
        }

        if (stamp != _seen)
        {
            (_seen, _seenAt) = (stamp, time.GetTimestamp());
            return false;
        }

        if (_seenAt == long.MaxValue || time.GetElapsedTime(_seenAt) < Rest)
        {
            return false;
        }

        _seenAt = long.MaxValue; // it is read once, until it changes again
        if (TryRead() is not { IsWhole: true } now || now.Stamp != stamp)
        {
            _new = null;
            return false;
        }

        if (now.Hash == Hash)
        {
            (_used, _new) = (now, null); // only touched, or the build before again
            return false;
        }

        _new = now;
        return true;
    }

    private RomStamp? StampOf()
    {
        try
        {
            var file = new FileInfo(path);
            file = file.ResolveLinkTarget(returnFinalTarget: true) as FileInfo ?? file;
            return file.Exists ? new RomStamp(file.Length, file.LastWriteTimeUtc) : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private RomContent? TryRead()
    {
        try
        {
            if (StampOf() is not { } stamp)
            {
                return null;
            }

            using var file = File.OpenRead(path);
            var head = RomHeader.Of(file);
            file.Position = 0;
            var archive = RomArchive.IsArchive(head) ? RomArchive.Read(path) : null;
            var (hash, crc32) = SumsOf(file);
            var isWhole = archive is null ? RomHeader.IsWhole(head, file.Length) : archive.Rom is not null;
            return new RomContent(hash, archive?.Rom?.Crc32 ?? crc32, stamp, isWhole);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static (string Hash, uint Crc32) SumsOf(FileStream file)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var sum = Pictures.Crc32.Start;
        var part = new byte[81_920];
        while (file.Read(part) is > 0 and var count)
        {
            hash.AppendData(part, 0, count);
            sum = Pictures.Crc32.Add(sum, part.AsSpan(0, count));
        }

        return (Convert.ToHexStringLower(hash.GetHashAndReset()), ~sum);
    }

    /// <summary>By what a change is noticed without reading the file.</summary>
    private sealed record RomStamp(long Length, DateTime WrittenAt);

    private sealed record RomContent(string Hash, uint Crc32, RomStamp Stamp, bool IsWhole);
}
