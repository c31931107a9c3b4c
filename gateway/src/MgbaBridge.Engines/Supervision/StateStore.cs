using System.Globalization;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// States that the gateway keeps in its data folder: those that callers name, and the last ones of each owned emulator. Both kinds together are
/// bounded by count and bytes; the oldest automatic states make room.
/// </summary>
/// <param name="options">The limits.</param>
/// <param name="data">Where they are kept.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where damaged states are reported.</param>
public sealed class StateStore(OwnedEmulatorOptions options, DataFolder data, TimeProvider time, ILogger<StateStore> logger)
{
    private const string FolderName = "states";

    private static ReadOnlySpan<byte> PngSignature => [0x89, (byte)'P', (byte)'N', (byte)'G'];

    private readonly Lock _gate = new();
    private readonly Dictionary<string, StoredState> _states = new(StringComparer.OrdinalIgnoreCase);
    private StateFiles? _files;

    /// <summary>All states, newest first.</summary>
    public IReadOnlyList<StoredState> All
    {
        get
        {
            lock (_gate)
            {
                Open();
                return [.. _states.Values.OrderByDescending(state => state.SavedAt)];
            }
        }
    }

    /// <summary>Where the files of the states are.</summary>
    public string Folder => Path.Combine(data.Path, FolderName);

    /// <summary>The automatic states of runs, newest first.</summary>
    public IReadOnlyList<StoredState> AutomaticOf(params IReadOnlyList<string> runs) => [.. All.Where(state => state.Run is { } run && runs.Contains(run)).OrderByDescending(Recency)];

    /// <summary>The state of this name, or null.</summary>
    public StoredState? Find(string? name)
    {
        lock (_gate)
        {
            Open();
            return name is null ? null : _states.GetValueOrDefault(name);
        }
    }

    /// <summary>Saves a state under a name, in place of one that has it. Null when there is no room.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public StoredState? Save(string name, string emulator, TakenState taken) => Save(StateOf(name, run: null, emulator, taken), taken.Bytes);

    /// <summary>Saves a state under a name that no other has. Null when there is no room, or when one has the name.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public StoredState? Add(string name, string emulator, TakenState taken, out bool exists)
    {
        lock (_gate)
        {
            exists = Find(name) is not null;
            return exists ? null : Save(name, emulator, taken);
        }
    }

    /// <summary>Saves an automatic state of an emulator's run; the run's oldest one beyond <c>KeptStates</c> is deleted. Null when there is no room.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public StoredState? SaveAutomatic(string emulator, string run, TakenState taken)
    {
        var saved = Save(StateOf(
            $"{StoredState.AutomaticPrefix}{emulator}.{time.GetUtcNow().UtcDateTime.ToString("yyyyMMdd'T'HHmmssfff", CultureInfo.InvariantCulture)}", run, emulator, taken), taken.Bytes);
        foreach (var old in AutomaticOf(run).Skip(options.KeptStates))
        {
            Delete(old);
        }

        return saved;
    }

    /// <summary>The bytes of a state; null when they are damaged or gone, and then the state is gone as well.</summary>
    public byte[]? Read(StoredState state)
    {
        lock (_gate)
        {
            if (Open().Read(state) is { } bytes)
            {
                return bytes;
            }

            _states.Remove(state.Name);
            return null;
        }
    }

    /// <summary>The file that has the bytes of a state, after checking them; null when they are damaged.</summary>
    public string? CheckedFileOf(StoredState state) => Read(state) is null ? null : Open().FileOf(state);

    /// <summary>Deletes a state. False when it is gone already.</summary>
    public bool Delete(StoredState state)
    {
        lock (_gate)
        {
            if (!_states.Remove(state.Name))
            {
                return false;
            }

            Open().Delete(state);
            return true;
        }
    }

    /// <summary>Copies the automatic states of runs from the folder of another gateway, which has ended or runs.</summary>
    /// <exception cref="IOException">They cannot be written here.</exception>
    public void Adopt(string folder, IReadOnlyList<string> runs)
    {
        if (folder != Folder)
        {
            foreach (var (state, bytes) in StateFiles.ReadRuns(folder, runs).Where(found => Find(found.State.Name) is null))
            {
                Save(state, bytes);
            }
        }
    }

    private StoredState StateOf(string name, string? run, string emulator, TakenState taken) => new(
        name, run is not null, emulator, taken.Game, taken.Frame, time.GetUtcNow(), taken.Bytes.Length, StateFiles.HashOf(taken.Bytes), HasPicture(taken.Bytes), run);

    private StoredState? Save(StoredState state, byte[] bytes)
    {
        var name = state.Name;
        lock (_gate)
        {
            Open();
            var replaced = _states.GetValueOrDefault(name);
            if (!TryMakeRoom(state.Bytes - (replaced?.Bytes ?? 0), replaced is null ? 1 : 0, replaced))
            {
                return null;
            }

            if (replaced is not null && replaced.Name != name)
            {
                Delete(replaced); // the same name in other letters: the file system may not tell them apart
            }

            Open().Write(state, bytes);
            _states[name] = state;
            return state;
        }
    }

    private bool TryMakeRoom(long bytes, int count, StoredState? replaced)
    {
        while (_states.Count + count > options.MaxStates || _states.Values.Sum(state => state.Bytes) + bytes > options.MaxStateBytes)
        {
            if (_states.Values.Where(state => state.IsAutomatic && state != replaced).MinBy(Recency) is not { } oldest)
            {
                return false;
            }

            Delete(oldest);
        }

        return true;
    }

    // one of the future was taken before the clock was set back: it is older than all others
    private (bool IsPast, DateTimeOffset SavedAt) Recency(StoredState state) => (state.SavedAt <= time.GetUtcNow(), state.SavedAt);

    private static bool HasPicture(ReadOnlySpan<byte> bytes) => bytes.StartsWith(PngSignature);

    private StateFiles Open()
    {
        lock (_gate)
        {
            if (_files is null)
            {
                var files = new StateFiles(data.Below(FolderName), logger);
                foreach (var state in files.ReadAll())
                {
                    _states[state.Name] = state;
                }

                _files = files;
            }

            return _files;
        }
    }
}
