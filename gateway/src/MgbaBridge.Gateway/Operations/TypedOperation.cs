using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>An operation with a request and a response.</summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public abstract class Operation<TRequest, TResponse>(Resource resource, string name, string method, string path, Access access) : Operation(resource, name, method, path, access)
{
    /// <summary>The parameters, and what they make.</summary>
    public required Parameters<TRequest> Request
    {
        get;
        init => field = value.For(Method, Path);
    }

    /// <summary>An example of the request's JSON body, for the reference.</summary>
    public string? RequestExample { get; init; }

    /// <summary>What a request needs permission for, where it is not the same for all; null for <see cref="Operation.Access"/>.</summary>
    public Func<TRequest, Access>? AccessOf { get; init; }

    /// <summary>How the response is written as JSON.</summary>
    public LazyJsonTypeInfo<TResponse> Response { get; init; } = new(CommonJson.Or(resource.Json, typeof(TResponse)));

    /// <summary>An example of the response as JSON, for the reference.</summary>
    public string? ResponseExample { get; init; }

    /// <summary>How the response is written as bytes; null for a response that is only JSON.</summary>
    public BytesOf<TResponse>? Bytes { get; init; }

    /// <summary>The bodies that a response may have, where neither its JSON nor its bytes say so; null otherwise.</summary>
    public IReadOnlyList<Content>? Contents { get; init; }

    /// <summary>How the response is written as a message, with bytes behind it; null for its JSON.</summary>
    public MessageWriter<TResponse>? Write { get; init; }

    internal override bool TakesBytes => Request.TakesBytes;

    internal override Type ResponseType => typeof(TResponse);

    internal override bool CanBeBytes => Bytes is not null && Write is null;

    internal override IEnumerable<JsonSerializerContext> JsonContexts => [Response.Context, Resource.Json];

    /// <summary>Runs a request, if its caller may: for every interface.</summary>
    public ValueTask<Result<TResponse>> InvokeAsync(in Invocation invocation, TRequest request)
    {
        if (!IsWithoutToken && Refuse(invocation.Caller, AccessOf?.Invoke(request) ?? Access, IsShared) is { } failure)
        {
            return ValueTask.FromResult<Result<TResponse>>(failure);
        }

        invocation.Session?.Record(Holds);
        return RunAsync(invocation, request);
    }

    internal override ValueTask ServeAsync<TInterface>(TInterface request)
    {
        // what is read already needs no state machine of its own
        var reading = request.ReadAsync(Request);
        return !reading.IsCompletedSuccessfully || Request.TakesBytes ? AwaitAndRunAsync(request, reading)
            : reading.Result is { IsRead: true } bound ? RunAsync(request, bound.Request)
            : default;
    }

    internal override OperationDescription Describe() => new(Name, Resource.Tag, Summary)
    {
        Description = Description,
        Parameters = Request.All,
        Places = Request.Places,
        Body = Body,
        BodyIsOptional = BodyIsOptional,
        BodyExample = RequestExample,
        Inputs = Inputs,
        Contents = Contents ??
        [
            .. Bytes is { IsOnRequest: false } ? [] : (Content[])[new Content("application/json", typeof(TResponse), ResponseExample)],
            .. Bytes?.MediaTypes.Select(mediaType => Content.Of(mediaType, ResponseExample)) ?? [],
        ],
        HasHolder = HasHolder,
        HasEntityTag = Bytes?.EntityTag is not null,
        UsesEmulator = UsesEmulator,
        Statuses = Statuses,
    };

    /// <summary>Whether a request takes frames, so that its caller sends others meanwhile, and can cancel it.</summary>
    private protected abstract bool TakesFramesFor(TRequest request);

    /// <summary>Does the work.</summary>
    private protected abstract ValueTask<Result<TResponse>> RunAsync(Invocation invocation, TRequest request);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask AwaitAndRunAsync<TInterface>(TInterface request, ValueTask<BoundRequest<TRequest>> reading)
        where TInterface : struct, IInterfaceRequest<TInterface>
    {
        var bound = await reading;
        if (!bound.IsRead)
        {
            return;
        }

        try
        {
            await RunAsync(request, bound.Request);
        }
        finally
        {
            request.Release(Request, bound);
        }
    }

    private ValueTask RunAsync<TInterface>(TInterface request, TRequest values)
        where TInterface : struct, IInterfaceRequest<TInterface> => TakesFramesFor(values) ? RunLongAsync(request, values) : RunAndWriteAsync(request, values);

    // its closure is made only here
    private ValueTask RunLongAsync<TInterface>(TInterface request, TRequest values)
        where TInterface : struct, IInterfaceRequest<TInterface> => request.RunLongAsync(request => RunAndWriteAsync(request, values));

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask RunAndWriteAsync<TInterface>(TInterface request, TRequest values)
        where TInterface : struct, IInterfaceRequest<TInterface>
    {
        var invocation = request.Invocation;
        var result = await InvokeAsync(invocation, values);
        while (result.Failure?.OfCommand is { } failure && await request.SuccessorAsync(invocation.Emulator, failure, !IsEffect) is { } successor)
        {
            result.Dispose();
            invocation = invocation with { Emulator = successor };
            result = await InvokeAsync(invocation, values);
        }

        using (result)
        {
            await request.WriteAsync(this, result);
        }
    }
}
