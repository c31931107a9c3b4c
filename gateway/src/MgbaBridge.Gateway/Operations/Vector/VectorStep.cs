using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Scenarios;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations.States;

namespace MgbaBridge.Gateway.Operations.Vector;

/// <summary>What became of a row.</summary>
/// <param name="Reply">The reply to its step, which has the memory of the rest; null for none.</param>
/// <param name="Failure">Why it failed, or null.</param>
/// <param name="Frame">The frame that it reached.</param>
/// <param name="Epoch">Its epoch.</param>
internal readonly record struct VectorResult(Reply? Reply, Failure? Failure, long Frame, Epoch Epoch)
{
    /// <summary>What the scenario reads in the frame in which the step began.</summary>
    public ReadOnlyMemory<byte> Before { get; init; }

    /// <summary>The memory that was read in the frame that was reached: the numbers, then the scenario's variables.</summary>
    public ReadOnlyMemory<byte> Values { get; init; }

    /// <summary>The picture.</summary>
    public ReadOnlyMemory<byte> Pixels { get; init; }

    /// <summary>How many pixels a row of the picture has.</summary>
    public int Width { get; init; }

    /// <summary>How many rows the picture has.</summary>
    public int Height { get; init; }
}

/// <summary>A step of several emulators.</summary>
/// <param name="invocation">What it runs with.</param>
/// <param name="request">The request.</param>
internal sealed class VectorStep(Invocation invocation, VectorRequest request)
{
    private readonly EmulatorRegistry _emulators = invocation.Get<EmulatorRegistry>();
    private readonly TimeProvider _time = invocation.Get<TimeProvider>();
    private readonly long _began = invocation.Get<TimeProvider>().GetTimestamp();
    private readonly List<ItemKind> _kinds = [];
    private BatchItems? _items;
    private StoredState? _state;
    private Scenario? _scenario;

    /// <summary>Runs it.</summary>
    public async ValueTask<Result<VectorAnswer>> RunAsync()
    {
        if (request.State is { } name && (_state = invocation.Get<StateStore>().Find(invocation.Caller.Kept(name))) is null)
        {
            return StoreOperations.NotFound(name);
        }

        if (request.Scenario is { } judge && (_scenario = invocation.Get<ScenarioStore>().Find(invocation.Caller.Kept(judge))) is null)
        {
            return ScenarioOperations.NotFound(judge);
        }

        AddItems();
        var steps = new Task<VectorResult>[request.Rows.Count];
        for (var row = 0; row < steps.Length; row++)
        {
            steps[row] = StepAsync(request.Rows[row]);
        }

        var results = await Task.WhenAll(steps);
        try
        {
            return VectorAnswer.Of(request, _scenario, results);
        }
        finally
        {
            foreach (var result in results)
            {
                result.Reply?.Dispose();
            }
        }
    }

    private enum ItemKind
    {
        Before,
        Values,
        Pixels,
    }

    private void AddItems()
    {
        if (_scenario is { Before.Count: > 0 })
        {
            Add(new GatherMemory(_scenario.Before), ItemKind.Before);
        }

        IReadOnlyList<MemoryRange> values = _scenario is null ? request.Reads : [.. request.Reads, .. _scenario.After];
        if (values.Count > 0)
        {
            Add(new GatherMemory(values), ItemKind.Values);
        }

        if (request.Pixels is { } pixels)
        {
            Add(pixels, ItemKind.Pixels);
        }
    }

    private void Add<TCommand>(in TCommand command, ItemKind kind)
        where TCommand : struct, ICommand<TCommand>
    {
        (_items ??= new BatchItems()).Add(command, ItemResultKind.Bytes);
        _kinds.Add(kind);
    }

    private async Task<VectorResult> StepAsync(VectorRow row)
    {
        if (!_emulators.TryGet(row.Emulator, invocation.Caller.Owner, out var emulator))
        {
            return Failed(EmulatorOperations.NoSuchEmulator(row.Emulator));
        }

        var frames = row.Frames ?? request.Frames;
        var step = new StepLease(frames, _scenario?.Allowed(row.Keys) ?? row.Keys, _items, State: row.Reset ? _state!.Sha256 : null, Before: _kinds is [ItemKind.Before, ..] ? 1 : null);
        var limit = request.Deadline ?? StepRequest.MaxWait(frames);
        var (reply, failure) = await emulator.SendAsync(step, row.Reset ? _state : null, invocation, () => Within(limit));
        if (failure is null)
        {
            return ResultOf(reply);
        }

        using (reply)
        {
            return Failed(failure) with { Frame = reply.Frame, Epoch = reply.Epoch };
        }
    }

    private RequestOptions Within(TimeSpan limit) => invocation.Options with { Timeout = EpisodeStart.Left(_time, _began, limit), IsTimeoutChosen = request.Deadline is not null };

    private VectorResult ResultOf(Reply reply)
    {
        var result = new VectorResult(reply, null, reply.Frame, reply.Epoch);
        var items = new ItemResults(reply.Tail);
        foreach (var kind in _kinds)
        {
            if (!items.Read())
            {
                throw new UnexpectedReplyException(default(StepLease).Descriptor);
            }

            if (items.ToFailure() is { } failure)
            {
                return result with { Failure = Failure.Of(failure) };
            }

            if (kind == ItemKind.Pixels)
            {
                var values = items.Values;
                result = values.TryReadInteger(out var width) && values.TryReadInteger(out var height)
                    ? result with { Pixels = items.Bytes, Width = (int)width, Height = (int)height }
                    : throw new UnexpectedReplyException(default(ReadPixels).Descriptor);
            }
            else
            {
                result = kind == ItemKind.Before ? result with { Before = items.Bytes } : result with { Values = items.Bytes };
            }
        }

        return result;
    }

    private static VectorResult Failed(Failure failure) => new(null, failure, 0, default);
}
