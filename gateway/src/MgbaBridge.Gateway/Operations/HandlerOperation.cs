namespace MgbaBridge.Gateway.Operations;

/// <summary>Code of the gateway that runs a request.</summary>
public delegate ValueTask<Result<TResponse>> OperationHandler<in TRequest, TResponse>(Invocation invocation, TRequest request);

/// <summary>An operation that runs code of the gateway: no command at all, or several.</summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public sealed class HandlerOperation<TRequest, TResponse>(Resource resource, string name, string method, string path, Access access)
    : Operation<TRequest, TResponse>(resource, name, method, path, access)
{
    /// <summary>Does the work. A response that is disposable is disposed when it has been written.</summary>
    public required OperationHandler<TRequest, TResponse> Run { get; init; }

    /// <summary>Whether it takes frames: sessions run others meanwhile, and can cancel it.</summary>
    public bool TakesFrames { get; init; }

    /// <summary>Which requests take frames, where not all do.</summary>
    public Func<TRequest, bool>? TakesFramesIf { get; init; }

    internal override bool TakesHolder => HasHolder || !IsHttpOnly;

    internal override string WhyNoItem => IsHttpOnly ? base.WhyNoItem : TakesFrames ? "it takes frames" : "the gateway runs it, and it changes something";

    // the gateway cannot take back what the script has done, so its items come last and only read
    private protected override BatchEntry? MakeBatchEntry() => IsEffect || TakesFrames || IsHttpOnly ? null : BatchEntry.Of(this);

    private protected override bool TakesFramesFor(TRequest request) => TakesFrames || TakesFramesIf?.Invoke(request) == true;

    private protected override ValueTask<Result<TResponse>> RunAsync(Invocation invocation, TRequest request) => Run(invocation, request);
}
