using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using Microsoft.AspNetCore.Http.Features;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>A request for an operation over HTTP: values from path, query and body; JSON, bytes or a problem as the response.</summary>
/// <param name="http">The request.</param>
/// <param name="invocation">For whom, and with what, it runs.</param>
internal readonly struct HttpOperationRequest(HttpContext http, Invocation invocation) : IInterfaceRequest<HttpOperationRequest>
{
    public Invocation Invocation => invocation;

    /// <summary>Serves a request for an operation.</summary>
    public static ValueTask ServeAsync(HttpContext http, EmulatorClient? emulator, Operation operation, IServiceProvider services)
    {
        var wait = Preference.WaitOf(http);
        var options = default(RequestOptions);
        if (operation.TakesHolder && !HolderHeader.TryOptions(http, out options))
        {
            return Problems.BadRequestAsync(http, HolderHeader.ExpectedFormat);
        }

        options = options with { Timeout = wait, IsTimeoutChosen = wait is not null };
        return operation.ServeAsync(new HttpOperationRequest(
            http, new Invocation(emulator!, options, services, http.RequestAborted) { Caller = http.Caller(), KnownTags = EntityTags.Of(http), Upload = operation.TakesUpload ? UploadOf(http) : null }));
    }

    public ValueTask<BoundRequest<TRequest>> ReadAsync<TRequest>(Parameters<TRequest> parameters) => parameters.HasBody ? parameters.ReadAsync(http)
        : parameters.Read(http, HttpParameters.TextOf, out var request) is { } wrong ? RefuseAsync<TRequest>(wrong)
        : ValueTask.FromResult(new BoundRequest<TRequest>(true, request));

    public void Release<TRequest>(Parameters<TRequest> parameters, in BoundRequest<TRequest> request)
    {
        if (parameters.TakesBytes)
        {
            RawBody.Done(http, request.Body);
        }
    }

    public ValueTask WriteAsync<TRequest, TResponse>(Operation<TRequest, TResponse> operation, Result<TResponse> result)
    {
        if (result.Frame is { } frame)
        {
            Headers.SetFrame(http.Response, frame, result.Epoch);
        }

        return result.Failure is { } failure ? Problems.WriteAsync(http, invocation.Emulator?.Id, failure)
            : result.Value is HttpResult response ? SendAsync(response)
            : HttpResponses.WriteAsync(http, operation, result.Value!);
    }

    public ValueTask<EmulatorClient?> SuccessorAsync(EmulatorClient emulator, CommandFailure failure, bool isRead) => FleetPaths.SuccessorAsync(http, emulator, failure, isRead);

    public ValueTask RunLongAsync(Func<HttpOperationRequest, ValueTask> run) => run(this);

    // the operation stops reading at its own limit
    private static Stream UploadOf(HttpContext http)
    {
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
        {
            limit.MaxRequestBodySize = null;
        }

        return http.Request.Body;
    }

    private async ValueTask SendAsync(HttpResult response)
    {
        if (await response.SendAsync(http) is { } failure)
        {
            await Problems.WriteAsync(http, invocation.Emulator?.Id, failure);
        }
    }

    private async ValueTask<BoundRequest<TRequest>> RefuseAsync<TRequest>(string wrong)
    {
        await Problems.BadRequestAsync(http, wrong);
        return default;
    }
}
