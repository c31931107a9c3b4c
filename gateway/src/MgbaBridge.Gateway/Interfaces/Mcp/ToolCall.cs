using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Mcp;

/// <summary>A call of a tool.</summary>
/// <param name="agent">Who calls.</param>
/// <param name="caller">What its token allows.</param>
/// <param name="emulator">The emulator; null for a tool that is about none.</param>
/// <param name="services">What exists once.</param>
/// <param name="cancelled">Cancelled when the agent cancels the call or leaves, or when a person pauses the agent.</param>
internal sealed class ToolCall(AgentSession agent, Caller caller, EmulatorClient? emulator, IServiceProvider services, CancellationToken cancelled) : IDisposable
{
    private readonly List<IDisposable> _results = [];

    /// <summary>Who calls.</summary>
    public AgentSession Session { get; } = agent;

    /// <summary>What a tool that observes the game afterwards observes.</summary>
    public ObserveRequest Observe { get; init; }

    /// <summary>The tools that the agent has asked for.</summary>
    public Toolsets Toolsets { get; init; }

    /// <summary>The emulator, of a tool that is about one.</summary>
    public EmulatorClient Emulator => emulator!;

    /// <summary>What the agent knows about the emulator.</summary>
    public EmulatorMemory Memory => Session.MemoryOf(Emulator);

    /// <summary>Cancelled when the agent cancels the call or leaves, or when a person pauses the agent.</summary>
    public CancellationToken Cancelled { get; } = cancelled;

    /// <summary>What commands are sent with.</summary>
    public RequestOptions Options => Session.Options;

    /// <summary>Tells the agent how far the call is: how much of how much, and in words. It does nothing if the agent does not want to know.</summary>
    public Func<double, double?, string, Task> Progress { get; init; } = static (_, _, _) => Task.CompletedTask;

    /// <summary>The picture of the result, or null.</summary>
    public ReadOnlyMemory<byte>? Png { get; set; }

    /// <summary>What was done, for people who look at the agent.</summary>
    public string? Note { get; set; }

    /// <summary>How many presses were made.</summary>
    public long Presses { get; set; }

    /// <summary>The frame of the result, or null.</summary>
    public long? Frame { get; set; }

    /// <summary>The settings.</summary>
    public McpOptions Settings => Get<McpOptions>();

    /// <summary>A service of the application.</summary>
    public T Get<T>()
        where T : notnull => services.GetRequiredService<T>();

    /// <summary>Refuses to wait for frames that do not run.</summary>
    /// <exception cref="ToolException">The game does not run.</exception>
    public void CheckRuns()
    {
        if (Emulator.Health is { Answers: true, Advances: false } health)
        {
            throw new ToolException(health.Detail ?? $"The game does not run: the emulator is {health.State}.", "ask the person at the emulator to do that, or load a state; observe and read still work.");
        }
    }

    /// <summary>For whom, and with what, operations run.</summary>
    public Invocation Invocation => new(emulator!, Options, services, Cancelled) { Caller = caller, Session = emulator is null ? null : Memory };

    /// <summary>Runs an operation.</summary>
    /// <exception cref="ToolException">It was refused.</exception>
    public async ValueTask<TResponse> RunAsync<TRequest, TResponse>(Operation<TRequest, TResponse> operation, TRequest request) => ResultOf(await TryRunAsync(operation, request));

    /// <summary>Runs an operation that may be refused.</summary>
    public async ValueTask<Result<TResponse>> TryRunAsync<TRequest, TResponse>(Operation<TRequest, TResponse> operation, TRequest request)
    {
        var result = await operation.InvokeAsync(Invocation, request);
        _results.Add(result);
        return result;
    }

    /// <summary>Runs frames of a game that the agent controls.</summary>
    /// <exception cref="ToolException">It was refused.</exception>
    public async Task StepAsync(GameLease control, long frames, KeySet? keys = null) => ResultOf(await control.StepAsync(frames, keys, Cancelled));

    /// <summary>The value of a result.</summary>
    /// <exception cref="ToolException">It was refused.</exception>
    public T ResultOf<T>(Result<T> result)
    {
        Frame = result.Frame ?? Frame;
        return result.Failure is { } failure ? throw NextSteps.Of(failure, emulator) : result.Value!;
    }

    /// <summary>Gives back what the results of its operations use.</summary>
    public void Dispose() => _results.ForEach(static result => result.Dispose());
}
