using System.Buffers.Binary;
using System.IO.Compression;
using MgbaBridge.Client.Buffers;

namespace MgbaBridge.Client.Commands;

/// <summary>What is around the content of a file.</summary>
internal enum ContainerKind
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Compression by gzip.</summary>
    Gzip,

    /// <summary>RetroArch's compression of states and save data.</summary>
    RetroArchZip,

    /// <summary>RetroArch's container of a core's state.</summary>
    RetroArchState,
}

/// <summary>Files in which programs pack states and save data.</summary>
internal static class FileContainer
{
    /// <summary>Bytes from which the kind is known.</summary>
    public const int StartLength = 8;

    private const int BlockHeader = 8;
    private const int Alignment = 8;
    private const int ZipHeader = StartLength + 12;
    private const int GzipFrame = 18; // a header, and at the end a checksum and the length of the content

    private static ReadOnlySpan<byte> Gzip => [0x1F, 0x8B];

    private static ReadOnlySpan<byte> RetroArchZip => "#RZIPv"u8;

    private static ReadOnlySpan<byte> RetroArchState => "RASTATE"u8;

    /// <summary>What these bytes begin with.</summary>
    public static ContainerKind KindOf(ReadOnlySpan<byte> start) =>
        start.StartsWith(Gzip) ? ContainerKind.Gzip
        : start.StartsWith(RetroArchZip) ? ContainerKind.RetroArchZip
        : start.StartsWith(RetroArchState) ? ContainerKind.RetroArchState
        : ContainerKind.None;

    /// <summary>Takes the content out. Returns why that is not possible, for a sentence after "these N bytes", or null.</summary>
    /// <param name="kind">What is around it.</param>
    /// <param name="file">The file.</param>
    /// <param name="content">The content.</param>
    public static string? Open(ContainerKind kind, byte[] file, out byte[] content)
    {
        content = [];
        var name = kind switch
        {
            ContainerKind.Gzip => "are compressed by gzip",
            ContainerKind.RetroArchZip => "are compressed by RetroArch",
            _ => "are a state of RetroArch",
        };
        using var opened = StreamPool.Rent("file in a container");
        try
        {
            var isWhole = kind switch
            {
                ContainerKind.Gzip => file.Length >= GzipFrame && Inflate(new GZipStream(new MemoryStream(file, writable: false), CompressionMode.Decompress), opened)
                    && BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(file.Length - 4)) == opened.Length,
                ContainerKind.RetroArchZip => TryInflateChunks(file, opened),
                _ => TryTakeMemory(file, opened),
            };
            if (isWhole)
            {
                content = opened.ToArray();
                return null;
            }
        }
        catch (InvalidDataException)
        {
            // damaged
        }

        return opened.Length > Limits.Tail
            ? FormattableString.Invariant($"{name}, and more than {Limits.Tail} bytes when unpacked; no state and no save data of a game is that large")
            : $"{name}, and damaged or cut off; copy the file again, or save it anew in the program that wrote it";
    }

    /// <summary>Blocks of a name, a length and bytes; MEM is what the core gave.</summary>
    private static bool TryTakeMemory(ReadOnlySpan<byte> file, Stream opened)
    {
        for (var at = StartLength; at + BlockHeader <= file.Length;)
        {
            var length = BinaryPrimitives.ReadUInt32LittleEndian(file[(at + 4)..]);
            if (length > file.Length - at - BlockHeader)
            {
                return false;
            }

            if (file[at..].StartsWith("MEM "u8))
            {
                opened.Write(file.Slice(at + BlockHeader, (int)length));
                return true;
            }

            at += BlockHeader + (((int)length + Alignment - 1) / Alignment * Alignment);
        }

        return false;
    }

    /// <summary>A header with the size of the chunks and of the whole, then chunks of a length and zlib's bytes.</summary>
    private static bool TryInflateChunks(byte[] file, Stream opened)
    {
        for (var at = ZipHeader; at + 4 <= file.Length;)
        {
            var length = BinaryPrimitives.ReadUInt32LittleEndian(file.AsSpan(at));
            at += 4;
            if (length > file.Length - at || !Inflate(new ZLibStream(new MemoryStream(file, at, (int)length, writable: false), CompressionMode.Decompress), opened))
            {
                return false;
            }

            at += (int)length;
        }

        return file.Length >= ZipHeader && BinaryPrimitives.ReadInt64LittleEndian(file.AsSpan(ZipHeader - 8)) == opened.Length;
    }

    // stops where it is known to be too long; a stream that is cut off ends without an exception
    private static bool Inflate(Stream packed, Stream opened)
    {
        using (packed)
        {
            var buffer = new byte[65_536];
            for (int count; opened.Length <= Limits.Tail && (count = packed.Read(buffer)) > 0;)
            {
                opened.Write(buffer, 0, count);
            }

            return opened.Length <= Limits.Tail;
        }
    }
}
