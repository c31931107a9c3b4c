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
        (_lock, Folder, _rom, Rom) = (@lock, folder, rom, new RomFile(rom));
        Interrupted = ReadUse();
        Rom.Read();
    }

    /// <summary>The ROM of the game.</summary>
    public RomFile Rom { get; }

    /// <summary>The folder of the save file.</summary>
    public string Folder { get; }

    /// <summary>The save file, which exists when the game has saved.</summary>
    public string File => FileIn(Folder, _rom);

    /// <summary>Whose run did not end in order; null when the last one did.</summary>
    public SaveUse? Interrupted { get; }

    /// <summary>Whether that run played the ROM as it is now: the states of another one, or of another build of it, would crash the game.</summary>
    public bool IsOfSameRom => Interrupted is { } use && use.Rom == Rom.Hash;

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

    /// <summary>The hash of the save file; empty when there is none, and null when it cannot be read.</summary>
    public string? Hash()
    {
        try
        {
            using var file = new FileStream(File, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            return Convert.ToHexStringLower(SHA256.HashData(file));
        }
        catch (FileNotFoundException)
        {
            return "";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Notes who uses it from now on.</summary>
    /// <param name="states">The folder of the states.</param>
    /// <param name="runs">The run, and before it those that it continues.</param>
    /// <param name="savedAt">When a client gave the game other save data, with which the run began; null when it began otherwise.</param>
    public void Use(string states, IReadOnlyList<string> runs, DateTimeOffset? savedAt = null)
    {
        try
        {
            // over what is there: on a full disk there may be no room for it once its block is given back
            var use = JsonSerializer.SerializeToUtf8Bytes(new SaveUse(Rom.Hash, states, runs, savedAt), SaveJson.Default.SaveUse);
            _lock.Position = 0;
            _lock.Write(use);
            _lock.Flush(flushToDisk: true);
            _lock.SetLength(use.Length);
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
/// <param name="SavedAt">When a client gave the game other save data, with which the run began: states from before do not go with it.</param>
internal sealed record SaveUse(string Rom, string States, IReadOnlyList<string> Runs, DateTimeOffset? SavedAt = null);

/// <summary>The JSON of lock files.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(SaveUse))]
internal sealed partial class SaveJson : JsonSerializerContext;
