using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Client.Emulator;

/// <summary>
/// Distributes the pictures of one emulator to any number of viewers: as many screenshots as the fastest viewer requests, each delivered to all viewers that are
/// due. One request is pending at a time, screenshots take at most a third of the time, and none is taken while the game does not run.
/// </summary>
public sealed class PictureFeed
{
    private const int Share = 2;

    private static readonly TimeSpan Again = TimeSpan.FromSeconds(1);

    private readonly EmulatorClient _client;
    private readonly MonotonicClock _clock;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly List<PictureViewer> _viewers = [];
    private TaskCompletionSource _faster = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Screenshot? _last;
    private long _lastLoads;
    private bool _running;

    internal PictureFeed(EmulatorClient client, TimeProvider time, ILogger logger) => (_client, _time, _logger, _clock) = (client, time, logger, new MonotonicClock(time));

    /// <summary>Adds a viewer. Dispose it to remove it.</summary>
    public PictureViewer Join(double fps)
    {
        var viewer = new PictureViewer(this, TimeSpan.FromSeconds(1 / fps));
        lock (_gate)
        {
            var fastest = _viewers.Count == 0 || _viewers.Min(other => other.Period) > viewer.Period;
            _viewers.Add(viewer);
            if (_last is { } last)
            {
                viewer.Show(last);
            }

            if (!_running)
            {
                _running = true;
                _ = RunAsync();
            }
            else if (fastest)
            {
                _faster.TrySetResult();
            }
        }

        return viewer;
    }

    internal void Leave(PictureViewer viewer)
    {
        lock (_gate)
        {
            _viewers.Remove(viewer);
        }

        viewer.End();
    }

    private async Task RunAsync()
    {
        await Task.Yield();
        var due = _clock.Now;
        while (TryBegin(out var period, out var faster))
        {
            var began = _clock.Now;
            Show(await TryTakeAsync(), period);
            var now = _clock.Now;
            var least = _last is { Failure: not null } ? Again : _clock.Between(began, now) * Share;
            await Task.Delay(least, _time);

            // a timer that is late does not delay the pictures after the next one
            due = Math.Max(_clock.After(due, period), _clock.After(now, least));
            if (_clock.Now < due && await Task.WhenAny(faster, Task.Delay(_clock.Between(_clock.Now, due), _time)) == faster)
            {
                due = _clock.Now;
            }
        }
    }

    private bool TryBegin(out TimeSpan period, out Task faster)
    {
        lock (_gate)
        {
            _running = _viewers.Count > 0;
            period = _running ? _viewers.Min(viewer => viewer.Period) : default;
            _faster = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            faster = _faster.Task;
            if (!_running)
            {
                _last = null;
            }

            return _running;
        }
    }

    /// <summary>A picture, a failure, or null when nothing has changed.</summary>
    private async Task<Screenshot?> TryTakeAsync()
    {
        try
        {
            return await TakeAsync();
        }
        catch (Exception exception)
        {
            // the next one may succeed
            ClientLog.PictureDefect(_logger, _client.Id, exception);
            return Failed(new CommandFailure(CommandFailureKind.ConnectionLost, $"A picture failed inside the gateway, please report this: {exception.Message}"));
        }
    }

    private Screenshot? Failed(CommandFailure failure) => failure.Kind == _last?.Failure?.Kind ? null : new Screenshot(0, default, default, failure);

    private async Task<Screenshot?> TakeAsync()
    {
        // reading the status is cheap; taking a screenshot is not. Before the picture: a state that is loaded in between is noticed the next time
        using var sign = await _client.SendAsync(new ReadScriptStatus());
        var loads = sign.Failure is null ? ReadScriptStatus.ParseLoads(sign) : 0;
        if (sign.Failure is null && _last is { Failure: null } last && (last.Frame, last.Epoch, _lastLoads) == (sign.Frame, sign.Epoch, loads))
        {
            return null;
        }

        using var reply = await _client.SendAsync(new ReadScreen());
        if (reply.Failure is { } failure)
        {
            return Failed(failure);
        }

        _lastLoads = loads;
        return new Screenshot(reply.Frame, reply.Epoch, reply.Tail.ToArray(), null);
    }

    private void Show(Screenshot? picture, TimeSpan period)
    {
        lock (_gate)
        {
            _last = picture ?? _last;
            if (_last is null)
            {
                return;
            }

            var now = _clock.Now;
            foreach (var viewer in _viewers)
            {
                // a viewer that was not due when the game stopped receives the last picture later
                if (now >= viewer.Due && !ReferenceEquals(viewer.Seen, _last))
                {
                    viewer.Due = _clock.After(now, viewer.Period - (period / 2));
                    viewer.Show(_last);
                }
            }
        }
    }
}

/// <summary>A picture for a viewer, or a failure.</summary>
/// <param name="Frame">The frame of the picture.</param>
/// <param name="Epoch">The epoch of the picture.</param>
/// <param name="Png">The picture as PNG.</param>
/// <param name="Failure">The failure, or null.</param>
public sealed record Screenshot(long Frame, Epoch Epoch, ReadOnlyMemory<byte> Png, CommandFailure? Failure);
