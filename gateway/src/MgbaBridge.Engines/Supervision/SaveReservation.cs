using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// The save file of a game, which one emulator at a time uses: <c>NAME.sav.lock</c> beside it is locked while the reservation lasts, and the system
/// releases the lock when this process ends. The lock file says who uses the save. It is deleted at an orderly end: one that nobody locks is what a run
/// left that did not end in order.
/// </summary>
internal sealed class SaveReservation : IDisposable
{
    // earlier than any file, so that no other lock file has such a time
    private static readonly DateTime FirstTime = DateTime.UnixEpoch;

    private readonly FileStream _lock;
    private readonly string _rom;

    private SaveReservation(FileStream @lock, string folder, string rom)
    {
        (_lock, Folder, _rom) = (@lock, folder, rom);
        Interrupted = ReadUse();
    }

    /// <summary>The folder of the save file.</summary>
    public string Folder { get; }

    /// <summary>The save file, which exists when the game has saved.</summary>
    public string File => FileIn(Folder, _rom);

    /// <summary>Whose run did not end in order; null when the last one did.</summary>
    public SaveUse? Interrupted { get; }

    /// <summary>Whether that run played the ROM as it is now: the states of another one, or of another build of it, would crash the game.</summary>
    public bool IsOfSameRom => Interrupted is { } use && use.Rom == RomHash();

    /// <summary>Reserves the save file of a ROM in a folder.</summary>
    /// <exception cref="IOException">Another emulator uses it, or the folder cannot be written.</exception>
    public static SaveReservation Take(string folder, string rom)
    {
        var file = FileIn(folder, rom) + ".lock";
        while (true)
        {
            var opened = OwnFiles.OpenOrCreate(file);
            if (IsStill(opened, file))
            {
                return new SaveReservation(opened, folder, rom);
            }

            opened.Dispose();
        }
    }

    /// <summary>Makes the save file that of a state, or removes it when the state has none.</summary>
    public void Replace(byte[]? content)
    {
        if (content is null)
        {
            System.IO.File.Delete(File);
        }
        else
        {
            DataFolder.WriteAtomically(File, content);
        }
    }

    /// <summary>Notes who uses it from now on.</summary>
    public void Use(string states, IReadOnlyList<string> runs)
    {
        try
        {
            _lock.SetLength(0);
            _lock.Position = 0;
            JsonSerializer.Serialize(_lock, new SaveUse(RomHash(), states, runs), SaveJson.Default.SaveUse);
            _lock.Flush(flushToDisk: true);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // as on a full disk: the next run starts from the save file, whatever becomes of this one
        }
    }

    /// <summary>The run has ended in order.</summary>
    public void End()
    {
        try
        {
            _lock.SetLength(0);
        }
        catch (IOException)
        {
            // the next run continues from a state of this one
        }
    }

    /// <summary>Releases it. The lock file stays only if a run did not end in order.</summary>
    public void Dispose()
    {
        var isEmpty = _lock.CanRead && _lock.Length == 0;
        if (OperatingSystem.IsWindows())
        {
            _lock.Dispose(); // an open file cannot be deleted there
        }

        if (isEmpty)
        {
            try
            {
                System.IO.File.Delete(_lock.Name);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // somebody else has it already
            }
        }

        _lock.Dispose();
    }

    private static string FileIn(string folder, string rom) => Path.Combine(folder, $"{Path.GetFileNameWithoutExtension(rom)}.sav");

    /// <summary>Whether the path still leads to the opened file: its last owner may have deleted it after it was opened, and before it was locked.</summary>
    private static bool IsStill(FileStream opened, string file)
    {
        if (OperatingSystem.IsWindows())
        {
            return true;
        }

        System.IO.File.SetLastWriteTimeUtc(opened.SafeFileHandle, FirstTime.AddTicks(Random.Shared.NextInt64(TimeSpan.FromDays(3_650).Ticks)));
        return System.IO.File.GetLastWriteTimeUtc(opened.SafeFileHandle) == System.IO.File.GetLastWriteTimeUtc(file);
    }

    private string RomHash()
    {
        using var rom = System.IO.File.OpenRead(_rom);
        return Convert.ToHexStringLower(SHA256.HashData(rom));
    }

    private SaveUse? ReadUse()
    {
        try
        {
            return _lock.Length == 0 ? null : JsonSerializer.Deserialize(_lock, SaveJson.Default.SaveUse);
        }
        catch (JsonException)
        {
            return null; // a crash of the machine may have cut it
        }
    }
}

/// <summary>Who uses a save file.</summary>
/// <param name="Rom">The SHA-256 of the ROM: its path depends on the way to it.</param>
/// <param name="States">The folder with its automatic states.</param>
/// <param name="Runs">The run, and before it those that it continued, newest first.</param>
internal sealed record SaveUse(string Rom, string States, IReadOnlyList<string> Runs);

/// <summary>The JSON of lock files.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(SaveUse))]
internal sealed partial class SaveJson : JsonSerializerContext;
