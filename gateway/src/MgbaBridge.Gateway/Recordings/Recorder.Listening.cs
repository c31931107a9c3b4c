using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Emulator;

namespace MgbaBridge.Gateway.Recordings;

/// <content>What it hears and looks at while it goes on.</content>
public sealed partial class Recorder
{
    private async Task ListenAsync()
    {
        try
        {
            await foreach (var told in _subscription.Waiting.ReadAllAsync(_over.Token))
            {
                Hear(told);
                if (_subscription.TakeLost() > 0)
                {
                    End("the gateway was too busy to hear every key");
                }
            }
        }
        catch (OperationCanceledException)
        {
            // it is over
        }

        _first.TrySetCanceled();
        _behindLast.TrySetCanceled();
    }

    private void Hear(EmulatorEvent told)
    {
        switch (told.Kind)
        {
            case "keys":
                lock (_gate)
                {
                    _inputs.Add(told.ReadKeys());
                }

                _first.TrySetResult();
                break;
            case "frame":
                if (told.Frame > Last)
                {
                    _behindLast.TrySetResult();
                }

                break;
            default:
                End(told.Kind);
                break;
        }
    }

    private async Task HashOftenAsync()
    {
        try
        {
            while (Ended is null)
            {
                using var passed = await Emulator.SendAsync(new Wait(null, [], false, HashEvery), new RequestOptions { Timeout = TimeSpan.FromHours(1) }, _over.Token);
                if ((passed.Failure ?? await HashAsync(_over.Token)) is { } failure)
                {
                    End(failure.Code ?? failure.Rule.Name);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // it is over
        }
    }

    private async Task<FailureReport?> HashAsync(CancellationToken cancellationToken)
    {
        using var snapshot = await Emulator.SendAsync(new GatherMemory(Ranges.Ranges), default, cancellationToken);
        if (snapshot.Failure is { } failure)
        {
            return failure;
        }

        if (snapshot.Epoch != Epoch)
        {
            End("epoch-changed");
            return null;
        }

        var hash = HashedRanges.Hash(snapshot.Tail.Span);
        lock (_gate)
        {
            if (Ended is null && snapshot.Frame > Last)
            {
                _hashes.Add((snapshot.Frame, hash));
                Last = snapshot.Frame;
            }

            if (_inputs.Count + _hashes.Count < MaxLines)
            {
                return null;
            }
        }

        End("full");
        return null;
    }
}
