using System.Security.Cryptography;
using System.Text.Json;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// The files of the state store: <c>NAME.state</c> has the bytes, <c>NAME.json</c> what is known about them. Each file is written whole or not at all:
/// first the bytes as <c>NAME.next</c>, then the JSON, by which the state exists, and then the bytes get their name. So a state that is replaced is the
/// old or the new one, wherever that is interrupted.
/// </summary>
/// <param name="folder">Where they are.</param>
/// <param name="logger">Where damaged files are reported.</param>
internal sealed class StateFiles(string folder, ILogger logger)
{
    private const string State = ".state";
    private const string Next = ".next";
    private const string Description = ".json";
    private const string Damaged = ".damaged";

    /// <summary>Reads what is known about all states. Files that an interrupted write left are deleted; damaged ones are set aside and reported.</summary>
    public IEnumerable<StoredState> ReadAll()
    {
        foreach (var leftover in Directory.GetFiles(folder, "*.tmp"))
        {
            File.Delete(leftover);
        }

        foreach (var next in Files($"*{Next}"))
        {
            Complete(next);
        }

        foreach (var file in Files($"*{State}").Where(file => !File.Exists(Path.ChangeExtension(file, Description))))
        {
            File.Delete(file);
        }

        return [.. Files($"*{Description}").Select(ReadDescription).OfType<StoredState>()];
    }

    /// <summary>The file that has the bytes of a state.</summary>
    public string FileOf(StoredState state) => Path.Combine(folder, state.Name + State);

    /// <summary>Writes a state.</summary>
    public void Write(StoredState state, byte[] bytes)
    {
        var next = Path.Combine(folder, state.Name + Next);
        DataFolder.WriteAtomically(next, bytes);
        try
        {
            DataFolder.WriteAtomically(DescriptionOf(state.Name), JsonSerializer.SerializeToUtf8Bytes(state, StoredStateJson.Default.StoredState));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            File.Delete(next);
            throw;
        }

        OwnFiles.Replace(next, FileOf(state));
    }

    /// <summary>Reads the bytes of a state; null, after setting it aside, when they are not what was written.</summary>
    public byte[]? Read(StoredState state)
    {
        try
        {
            var bytes = File.ReadAllBytes(FileOf(state));
            if (HashOf(bytes) == state.Sha256)
            {
                return bytes;
            }

            SetAside(state.Name, "its bytes are not those that were saved");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            SetAside(state.Name, exception.Message);
        }

        return null;
    }

    /// <summary>Deletes a state.</summary>
    public void Delete(StoredState state)
    {
        File.Delete(DescriptionOf(state.Name));
        File.Delete(FileOf(state));
    }

    /// <summary>The undamaged automatic states of runs in a folder that may be of another gateway: nothing in it is changed.</summary>
    public static IEnumerable<(StoredState State, byte[] Bytes)> ReadRuns(string folder, IReadOnlyList<string> runs)
    {
        foreach (var file in Directory.Exists(folder) ? Directory.GetFiles(folder, $"*{Description}") : [])
        {
            (StoredState, byte[])? found = null;
            try
            {
                if (JsonSerializer.Deserialize(File.ReadAllBytes(file), StoredStateJson.Default.StoredState) is { Run: { } run } state && runs.Contains(run)
                    && state.Name == Path.GetFileNameWithoutExtension(file) && StoredState.IsName(state.Name)
                    && File.ReadAllBytes(Path.ChangeExtension(file, State)) is var bytes && HashOf(bytes) == state.Sha256)
                {
                    found = (state, bytes);
                }
            }
            catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
            {
                // it is damaged, or that gateway deletes it at this moment
            }

            if (found is { } whole)
            {
                yield return whole;
            }
        }
    }

    /// <summary>The hash by which damage is found.</summary>
    public static string HashOf(byte[] bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));

    /// <summary>Ends a write that was interrupted: the bytes get their name when they are those of the JSON, and are deleted otherwise.</summary>
    private static void Complete(string next)
    {
        try
        {
            var description = Path.ChangeExtension(next, Description);
            if (File.Exists(description)
                && JsonSerializer.Deserialize(File.ReadAllBytes(description), StoredStateJson.Default.StoredState)?.Sha256 == HashOf(File.ReadAllBytes(next)))
            {
                OwnFiles.Replace(next, Path.ChangeExtension(next, State));
                return;
            }
        }
        catch (JsonException)
        {
            // ReadDescription sets it aside
        }

        File.Delete(next);
    }

    private StoredState? ReadDescription(string file)
    {
        var name = Path.GetFileNameWithoutExtension(file);
        try
        {
            if (JsonSerializer.Deserialize(File.ReadAllBytes(file), StoredStateJson.Default.StoredState) is { } state
                && state.Name == name && StoredState.IsName(name) && new FileInfo(FileOf(state)) is { Exists: true } bytes && bytes.Length == state.Bytes)
            {
                return state;
            }

            SetAside(name, "its files do not match");
        }
        catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
        {
            SetAside(name, exception.Message);
        }

        return null;
    }

    private void SetAside(string name, string reason)
    {
        SupervisionLog.StateDamaged(logger, name, folder, reason);
        foreach (var file in new[] { DescriptionOf(name), Path.Combine(folder, name + State) })
        {
            try
            {
                if (File.Exists(file))
                {
                    File.Move(file, file + Damaged, overwrite: true);
                }
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                SupervisionLog.StateDamaged(logger, name, folder, exception.Message);
            }
        }
    }

    // no links, which would lead to files of others
    private IEnumerable<string> Files(string pattern) => Directory.GetFiles(folder, pattern).Where(file => LocalFiles.KindOf(file) == FileKind.File);

    private string DescriptionOf(string name) => Path.Combine(folder, name + Description);
}
