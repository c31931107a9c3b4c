using System.Globalization;

namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// States that the gateway keeps in its data folder: those that callers name, those from before a game got other save data, and the last ones of each
/// owned emulator. Each kind is bounded by count and bytes. What callers named is only deleted by them; of the other kinds the oldest states make room,
/// but never the newest one of an emulator that runs, from which it continues after a fault.
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
    private readonly HashSet<IReadOnlyList<string>> _running = [];
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

    /// <summary>An emulator runs: the newest state of these runs is not deleted until <see cref="EndRuns"/>.</summary>
    public void BeginRuns(IReadOnlyList<string> runs)
    {
        lock (_gate)
        {
            _running.Add(runs);
        }
    }

    /// <summary>The emulator has ended.</summary>
    public void EndRuns(IReadOnlyList<string> runs)
    {
        lock (_gate)
        {
            _running.Remove(runs);
        }
    }

    /// <summary>Saves a state under a name, in place of one that has it. Null when there is no room.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public StoredState? Save(string name, string emulator, TakenState taken, StateKind kind = StateKind.Named, string? holder = null) =>
        Save(StateOf(name, kind, run: null, emulator, taken) with { Holder = holder }, taken.Bytes);

    /// <summary>Saves a state under a name that no other has. Null when there is no room, or when one has the name.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public StoredState? Add(string name, string emulator, TakenState taken, StateKind kind, out bool exists, string? holder = null)
    {
        lock (_gate)
        {
            exists = Find(name) is not null;
            return exists ? null : Save(name, emulator, taken, kind, holder);
        }
    }

    /// <summary>Saves an automatic state of an emulator's run; the run's oldest one beyond <c>KeptStates</c> is deleted. Null when there is no room.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public StoredState? SaveAutomatic(string emulator, string run, TakenState taken, string? save = null, bool saveIsPending = false)
    {
        var state = StateOf(
            $"{StoredState.AutomaticPrefix}{emulator}.{time.GetUtcNow().UtcDateTime.ToString("yyyyMMdd'T'HHmmssfff", CultureInfo.InvariantCulture)}", StateKind.Automatic, run, emulator, taken);
        var saved = Save(state with { Save = save, SaveIsPending = saveIsPending }, taken.Bytes);
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

    private StoredState StateOf(string name, StateKind kind, string? run, string emulator, TakenState taken) => new(
        name, kind, emulator, taken.Game, taken.Frame, time.GetUtcNow(), taken.Bytes.Length, StateFiles.HashOf(taken.Bytes), HasPicture(taken.Bytes), run);

    private StoredState? Save(StoredState state, byte[] bytes)
    {
        var name = state.Name;
        lock (_gate)
        {
            Open();
            var replaced = _states.GetValueOrDefault(name);
            if (ToDeleteFor(state, replaced) is not { } old)
            {
                return null;
            }

            if (replaced is not null && replaced.Name != name)
            {
                Delete(replaced); // the same name in other letters: the file system may not tell them apart
            }

            Open().Write(state, bytes);
            _states[name] = state;
            old.ForEach(one => Delete(one));
            return state;
        }
    }

    /// <summary>The states that have to be deleted for a new one; null when there is no room for it.</summary>
    private List<StoredState>? ToDeleteFor(StoredState state, StoredState? replaced)
    {
        StoredState[] others = [.. _states.Values.Where(other => other.Kind == state.Kind && other != replaced)];
        var (count, bytes) = (others.Length + 1, others.Sum(other => other.Bytes) + state.Bytes);
        var old = new List<StoredState>();
        var spare = state.Kind == StateKind.Named ? [] : new Queue<StoredState>(others.Except(Newest(state.Run)).OrderBy(Recency));
        for (; count > options.MaxStates || bytes > options.MaxStateBytes; count--)
        {
            if (!spare.TryDequeue(out var oldest))
            {
                return null;
            }

            bytes -= oldest.Bytes;
            old.Add(oldest);
        }

        return old;
    }

    /// <summary>The newest state of each emulator that runs, except the one that this run replaces.</summary>
    private IEnumerable<StoredState> Newest(string? replacedBy) =>
        _running.Where(runs => replacedBy is null || !runs.Contains(replacedBy)).SelectMany(runs => AutomaticOf(runs).Take(1));

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
