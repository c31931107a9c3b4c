using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Recordings;

/// <summary>All recordings, kept in memory: a few, each of bounded length.</summary>
public sealed class RecordingStore : IAsyncDisposable
{
    /// <summary>How many there may be.</summary>
    public const int MaxRecordings = 16;

    private readonly Dictionary<string, Recorder> _all = [];
    private readonly Lock _gate = new();
    private int _starting;

    /// <summary>Begins one; null when there are too many, or with why the emulator cannot.</summary>
    public async Task<(Recorder? Recorder, CommandFailure? Failure)> StartAsync(
        EmulatorClient emulator, HashedRanges? ranges, long hashEvery, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_all.Count + _starting >= MaxRecordings)
            {
                return (null, null);
            }

            _starting++;
        }

        try
        {
            var id = RandomNumberGenerator.GetHexString(8, lowercase: true);
            var started = await Recorder.StartAsync(id, emulator, ranges, hashEvery, cancellationToken);
            lock (_gate)
            {
                if (started.Recorder is { } recorder)
                {
                    _all.Add(id, recorder);
                }
            }

            return started;
        }
        finally
        {
            lock (_gate)
            {
                _starting--;
            }
        }
    }

    /// <summary>The recording of this name, or null.</summary>
    public Recorder? Find(EmulatorClient emulator, string? id)
    {
        lock (_gate)
        {
            return id is not null && _all.TryGetValue(id, out var recorder) && recorder.Emulator == emulator ? recorder : null;
        }
    }

    /// <summary>The recordings of an emulator, oldest first.</summary>
    public IReadOnlyList<Recorder> Of(EmulatorClient emulator)
    {
        lock (_gate)
        {
            return [.. _all.Values.Where(recorder => recorder.Emulator == emulator).OrderBy(recorder => recorder.Start)];
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var recorder in _all.Values.ToArray())
        {
            await ForgetAsync(recorder);
        }
    }

    /// <summary>Ends and forgets one.</summary>
    public async Task ForgetAsync(Recorder recorder)
    {
        lock (_gate)
        {
            if (!_all.Remove(recorder.Id))
            {
                return;
            }
        }

        await recorder.DisposeAsync();
    }
}
