using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Debug;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>Ends a call that runs frames when a point halts the game: no further frame would run until the agent lets it, which waits for its call.</summary>
internal sealed class HaltWatch : IAsyncDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(30);

    private readonly CancellationTokenSource _done = new();
    private readonly Task _watching;

    private HaltWatch(ToolCall call, CancellationTokenSource over) => _watching = WatchAsync(call, over);

    /// <summary>Whether the game was halted.</summary>
    public bool IsHalted { get; private set; }

    /// <summary>Begins to watch.</summary>
    /// <param name="call">The call.</param>
    /// <param name="over">Ends it.</param>
    /// <exception cref="ToolException">The game is halted already.</exception>
    public static async Task<HaltWatch> BeginAsync(ToolCall call, CancellationTokenSource over) => await IsHaltedAsync(call, over.Token)
        ? throw new ToolException("A debugger has halted the game between two instructions.", new NextStep(DebugOperations.Continue, "lets it run"))
        : new HaltWatch(call, over);

    public async ValueTask DisposeAsync()
    {
        await _done.CancelAsync();
        await _watching;
        _done.Dispose();
    }

    private static async Task<bool> IsHaltedAsync(ToolCall call, CancellationToken cancelled)
    {
        using var state = await DebugOperations.Get.InvokeAsync(call.Invocation with { Cancelled = cancelled }, default);
        return state is { Failure: null, Value.Halted: true };
    }

    private async Task WatchAsync(ToolCall call, CancellationTokenSource over)
    {
        try
        {
            do
            {
                await Task.Delay(Interval, call.Get<TimeProvider>(), _done.Token);
                IsHalted = await IsHaltedAsync(call, _done.Token);
            }
            while (!IsHalted);
            await over.CancelAsync();
        }
        catch (OperationCanceledException)
        {
            // the call has ended
        }
    }
}
