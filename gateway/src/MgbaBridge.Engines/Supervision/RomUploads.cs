using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The ROMs that callers have uploaded, in a folder of their own below the data folder.</summary>
/// <param name="options">The limit of their bytes.</param>
/// <param name="data">Where they are kept.</param>
internal sealed class RomUploads(OwnedEmulatorOptions options, DataFolder data)
{
    /// <summary>Bytes of the largest cartridge, and of one upload.</summary>
    public const int MaxBytes = 33_554_432;

    /// <summary>What a name may be.</summary>
    public static string NameFormat { get; } =
        $"A name has up to {MaxName} bytes in UTF-8, none of / \\ : * ? \" < > | and no mark of direction among them, does not begin with a dot or a space, and ends in {Endings}";

    private static string Endings => $"{string.Join(", ", RomFolders.Extensions)} or {Archive}";

    private const string Archive = ".zip";

    private const string FolderName = "roms";
    private const string Incoming = ".upload-";
    private const string InvalidCharacters = "/\\:*?\"<>|";
    private const int MaxName = 200; // with what is appended for its files, less than file systems allow

    private readonly Lock _keeping = new();
    private bool _isSwept;

    /// <summary>Their folder, or null while there are none.</summary>
    public string? Folder
    {
        get
        {
            try
            {
                var folder = Path.Combine(data.Path, FolderName);
                return Directory.Exists(folder) ? folder : null;
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                return null;
            }
        }
    }

    /// <summary>Keeps a ROM, or the only one in a zip archive. The same bytes under the same name are the same ROM.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public async Task<RomUploadResult> AddAsync(string name, Stream content, CancellationToken cancellationToken)
    {
        var folder = data.Below(FolderName);
        Sweep(folder);
        var (received, extracted) = (Path.Combine(folder, $"{Incoming}{Guid.NewGuid():N}"), Path.Combine(folder, $"{Incoming}{Guid.NewGuid():N}"));
        try
        {
            if (!await CopyAsync(content, received, cancellationToken))
            {
                return TooLarge;
            }

            if (!RomArchive.IsArchive(HeadOf(received)))
            {
                return Keep(name, received, folder, []);
            }

            var (entry, leftOut, failure) = await ExtractAsync(received, extracted, cancellationToken);
            return entry is null ? failure : Keep(entry, extracted, folder, leftOut);
        }
        catch (IOException exception) when (exception.HResult == DataFolder.NoSpace)
        {
            throw DataFolder.Full(exception);
        }
        finally
        {
            File.Delete(received);
            File.Delete(extracted);
        }
    }

    /// <summary>Deletes one; the file with what its game has saved stays. False when there is none of this name.</summary>
    public bool Delete(string name)
    {
        if (!IsValidName(name) || Folder is not { } folder || !File.Exists(Path.Combine(folder, name)))
        {
            return false;
        }

        File.Delete(Path.Combine(folder, name));
        return true;
    }

    /// <summary>Whether a file has the bytes of an uploaded ROM.</summary>
    public bool IsSame(string name, string file)
    {
        try
        {
            return Folder is { } folder && Path.Combine(folder, name) is var rom
                && (rom == file || (new FileInfo(rom).Length == new FileInfo(file).Length && HashOf(rom).SequenceEqual(HashOf(file))));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false; // deleted meanwhile
        }
    }

    private static RomUploadResult TooLarge => RomUploadResult.Refused(RomUploadFailure.TooLarge, $"A ROM has at most {MaxBytes} bytes, the size of the largest cartridge.");

    private static RomUploadResult NotARom(string detail) => RomUploadResult.Refused(RomUploadFailure.NotARom, detail);

    private static bool IsValidName(string name) =>
        name.Length > 0 && Encoding.UTF8.GetByteCount(name) <= MaxName && name[0] is not ('.' or ' ') && RomFolders.IsRomName(name)
        && EscapedText.Of(name) == name && !name.Any(letter => char.IsControl(letter) || InvalidCharacters.Contains(letter, StringComparison.Ordinal));

    // what a gateway left that ended during an upload
    private void Sweep(string folder)
    {
        lock (_keeping)
        {
            if (!_isSwept)
            {
                Array.ForEach(Directory.GetFiles(folder, $"{Incoming}*"), File.Delete);
                _isSwept = true;
            }
        }
    }

    /// <summary>False when there are more bytes than allowed.</summary>
    private static async Task<bool> CopyAsync(Stream source, string file, CancellationToken cancellationToken)
    {
        await using var target = new FileStream(file, FileMode.CreateNew, FileAccess.Write, FileShare.None);
        var buffer = new byte[81_920];
        for (var total = 0L; await source.ReadAsync(buffer, cancellationToken) is > 0 and var count;)
        {
            total += count;
            if (total > MaxBytes)
            {
                return false;
            }

            await target.WriteAsync(buffer.AsMemory(0, count), cancellationToken);
        }

        return true;
    }

    private static async Task<(string? Entry, IReadOnlyList<string> LeftOut, RomUploadResult Failure)> ExtractAsync(string archive, string file, CancellationToken cancellationToken)
    {
        try
        {
            await using var zip = await ZipFile.OpenReadAsync(archive, cancellationToken);
            var (rom, leftOut, problem) = RomArchive.Of(zip);
            if (rom is null)
            {
                return (null, [], NotARom(problem!));
            }

            await using var content = await rom.OpenAsync(cancellationToken);
            return await CopyAsync(content, file, cancellationToken) ? (rom.Name, leftOut, default) : (null, [], TooLarge);
        }
        catch (Exception exception) when (exception is InvalidDataException or NotSupportedException)
        {
            return (null, [], NotARom(RomArchive.Damaged(exception)));
        }
    }

    private RomUploadResult Keep(string name, string file, string folder, IReadOnlyList<string> leftOut)
    {
        if (Path.GetExtension(name).Equals(Archive, StringComparison.OrdinalIgnoreCase))
        {
            return NotARom($"{name} is not a zip archive.");
        }

        if (!RomFolders.IsRomName(name))
        {
            return RomUploadResult.Refused(RomUploadFailure.WrongName, $"The name of a ROM ends in {Endings}; this one is \"{name}\".");
        }

        if (!IsValidName(name))
        {
            return RomUploadResult.Refused(RomUploadFailure.WrongName, $"{NameFormat}; this one is \"{name}\".");
        }

        if (!RomHeader.IsRom(HeadOf(file)))
        {
            return NotARom($"{name} is not a GBA, GB or GBC ROM: its header is of none of these consoles.");
        }

        lock (_keeping)
        {
            var target = Path.Combine(folder, name);
            var bytes = new FileInfo(file).Length;
            if (File.Exists(target))
            {
                return HashOf(target).SequenceEqual(HashOf(file))
                    ? new RomUploadResult(new UploadedRom(name, bytes, IsNew: false, leftOut), null, null)
                    : RomUploadResult.Refused(RomUploadFailure.NameTaken, $"Another ROM was uploaded as {name}. Give this one another name, or delete the other first.");
            }

            if (new DirectoryInfo(folder).EnumerateFiles().Where(other => !other.Name.StartsWith('.')).Sum(other => other.Length) + bytes > options.MaxRomBytes)
            {
                return RomUploadResult.Refused(RomUploadFailure.Full, $"The uploaded ROMs would have more than the {options.MaxRomBytes} bytes that Bridge:Owned:MaxRomBytes allows. Delete some, or raise the setting.");
            }

            File.Move(file, target);
            return new RomUploadResult(new UploadedRom(name, bytes, IsNew: true, leftOut), null, null);
        }
    }

    private static byte[] HeadOf(string file)
    {
        using var stream = File.OpenRead(file);
        return RomHeader.Of(stream);
    }

    private static byte[] HashOf(string file)
    {
        using var stream = File.OpenRead(file);
        return SHA256.HashData(stream);
    }
}

/// <summary>A ROM that was uploaded.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Bytes">Its size.</param>
/// <param name="IsNew">Whether it was not there before.</param>
/// <param name="LeftOut">What else was in its archive for a game, and was not used.</param>
internal sealed record UploadedRom(string Name, long Bytes, bool IsNew, IReadOnlyList<string> LeftOut);

/// <summary>Why an upload was refused.</summary>
internal enum RomUploadFailure
{
    /// <summary>The name cannot be that of a ROM.</summary>
    WrongName,

    /// <summary>It is no ROM.</summary>
    NotARom,

    /// <summary>It is larger than a cartridge.</summary>
    TooLarge,

    /// <summary>Another ROM has the name.</summary>
    NameTaken,

    /// <summary>All together would be larger than the settings allow.</summary>
    Full,
}

/// <summary>What came of an upload.</summary>
/// <param name="Rom">The ROM, or null.</param>
/// <param name="Failure">Why there is none, or null.</param>
/// <param name="Detail">What is wrong and what to change; null if nothing is.</param>
internal readonly record struct RomUploadResult(UploadedRom? Rom, RomUploadFailure? Failure, string? Detail)
{
    /// <summary>It was not kept.</summary>
    public static RomUploadResult Refused(RomUploadFailure failure, string detail) => new(null, failure, detail);
}
