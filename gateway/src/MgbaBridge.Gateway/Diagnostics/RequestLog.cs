using System.Diagnostics;
using MgbaBridge.Client.Diagnostics;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>A request to an emulator that has ended.</summary>
/// <param name="Id">Its number, in the order of their ends.</param>
/// <param name="At">When it was made.</param>
/// <param name="Emulator">The emulator.</param>
/// <param name="Command">The command.</param>
/// <param name="Outcome"><c>ok</c>, <c>left</c> or a failure's name.</param>
/// <param name="Duration">The time from the request to its reply or failure.</param>
/// <param name="Frame">The frame of the reply, or null.</param>
/// <param name="Detail">What went wrong, or null.</param>
internal sealed record LoggedRequest(long Id, DateTimeOffset At, string Emulator, string Command, string Outcome, TimeSpan Duration, long? Frame, string? Detail);

/// <summary>How long requests of one command with one outcome took.</summary>
/// <param name="Command">The command.</param>
/// <param name="Outcome">`ok`, `left` (the caller left), or a failure's name.</param>
/// <param name="Counts">How many took at most as long as each bound and longer than the bound before it; the last of them took longer than all bounds.</param>
public sealed record RequestDurations(string Command, string Outcome, IReadOnlyList<long> Counts);

/// <summary>The newest requests to emulators, of all clients, and how long they took. They are kept only while somebody reads them: otherwise nothing listens to the
/// spans of requests, and none is created.</summary>
internal sealed class RequestLog(TimeProvider time) : IDisposable
{
    /// <summary>How many requests are kept, of all emulators together.</summary>
    public const int MaxEntries = 1000;

    /// <summary>How long after the last reader requests are kept.</summary>
    public static readonly TimeSpan ReaderLimit = TimeSpan.FromSeconds(15);

    private readonly Lock _gate = new();
    private readonly Queue<LoggedRequest> _entries = new(MaxEntries);
    private readonly Dictionary<(string Emulator, string Command, string Outcome), long[]> _durations = [];
    private ActivityListener? _listener;
    private ITimer? _timer;
    private long _last;
    private bool _isOver;

    /// <summary>The requests after one, oldest first and at most <paramref name="limit"/> of the newest, and the number of the last request of any emulator.</summary>
    public (IReadOnlyList<LoggedRequest> Entries, long Last) After(string emulator, long after, int limit)
    {
        lock (_gate)
        {
            Listen();
            return ([.. _entries.Where(entry => entry.Id > after && entry.Emulator == emulator).TakeLast(limit)], _last);
        }
    }

    /// <summary>How long the requests to an emulator took since somebody reads.</summary>
    public IReadOnlyList<RequestDurations> Durations(string emulator)
    {
        lock (_gate)
        {
            return [.. _durations.Where(entry => entry.Key.Emulator == emulator).Select(entry => new RequestDurations(entry.Key.Command, entry.Key.Outcome, [.. entry.Value]))];
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isOver = true;
            Stop();
        }
    }

    private void Listen()
    {
        if (_isOver)
        {
            return;
        }

        _timer ??= time.CreateTimer(static log => ((RequestLog)log!).Rest(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(ReaderLimit, Timeout.InfiniteTimeSpan);
        if (_listener is null)
        {
            _listener = new ActivityListener
            {
                ShouldListenTo = static source => source.Name == ClientTracing.SourceName,
                Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
                ActivityStopped = Add,
            };
            ActivitySource.AddActivityListener(_listener);
        }
    }

    private void Rest()
    {
        lock (_gate)
        {
            Stop();
        }
    }

    private void Stop()
    {
        _listener?.Dispose();
        _listener = null;
        _timer?.Dispose();
        _timer = null;
        _entries.Clear();
        _durations.Clear();
    }

    private void Add(Activity span)
    {
        var (emulator, outcome) = (span.GetTagItem("mgba.emulator") as string, span.GetTagItem("mgba.outcome") as string);
        if (emulator is null || outcome is null)
        {
            return;
        }

        lock (_gate)
        {
            if (_listener is null)
            {
                return;
            }

            while (_entries.Count >= MaxEntries)
            {
                _entries.Dequeue();
            }

            _entries.Enqueue(new LoggedRequest(
                ++_last, span.StartTimeUtc, emulator, span.OperationName, outcome, span.Duration, span.GetTagItem("mgba.frame") as long?, span.StatusDescription));
            if (!_durations.TryGetValue((emulator, span.OperationName, outcome), out var counts))
            {
                _durations[(emulator, span.OperationName, outcome)] = counts = new long[ClientMetrics.DurationBounds.Count + 1];
            }

            counts[ClientMetrics.DurationBounds.Count(bound => bound < span.Duration.TotalSeconds)]++;
        }
    }
}
