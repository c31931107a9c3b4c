using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Serves operations over HTTP.</summary>
internal static class OperationRoutes
{
    /// <summary>Adds the route of an operation.</summary>
    public static void Map(this IEndpointRouteBuilder routes, Operation operation) =>
        routes.MapMethods(operation.Path, [operation.Method], new Handler(operation).InvokeAsync)
            .WithMetadata(operation.Describe(), operation, operation.IsWithoutToken ? WithoutToken.Instance : RequiredRole.For(operation.Access.Role()));

    /// <summary>Handles the requests of an operation. The first request makes what it needs; for all operations that takes a tenth of the time to start.</summary>
    private sealed class Handler(Operation operation) : IOperationVisitor
    {
        private readonly string[] _query = [.. operation.Describe().QueryNames];
        private readonly bool _isCached = HttpMethods.IsGet(operation.Method) && operation.Describe().Contents.Any(static content => content.MediaType != "application/json");
        private RequestDelegate? _handle = (operation as EndpointOperation)?.Handler;

        public Task InvokeAsync(HttpContext http)
        {
            if (http.Request.QueryString.HasValue && WrongParameter(http.Request.Query) is { } wrong)
            {
                return Problems.BadRequestAsync(http, wrong).AsTask();
            }

            if (_handle is null)
            {
                operation.Accept(this);
            }

            return _handle!(http);
        }

        // a misspelled parameter would otherwise be ignored in silence
        private string? WrongParameter(IQueryCollection query)
        {
            if (query.Keys.FirstOrDefault(name => !_query.Contains(name, StringComparer.OrdinalIgnoreCase) && !(_isCached && IsAgainstCaches(name))) is not { } wrong)
            {
                return null;
            }

            wrong = wrong.Length <= Parameter.MaxQuoted ? wrong : $"{wrong[..Parameter.MaxQuoted]}...";
            return _query.Length == 0
                ? $"There is no query parameter \"{wrong}\": {operation.Method} {operation.Path} takes none."
                : $"There is no query parameter \"{wrong}\". Did you mean {NearestName.Of(wrong, _query)}? {operation.Method} {operation.Path} takes {string.Join(", ", _query)}.";
        }

        // pages add a number to the address of a picture or a stream, so that the browser does not show a kept one
        private static bool IsAgainstCaches(string name) => name is "t" or "_" || (name.Length > 0 && name.All(char.IsAsciiDigit));

        void IOperationVisitor.Visit<TRequest, TCommand, TResponse>(CommandOperation<TRequest, TCommand, TResponse> operation) =>
            _handle = new CommandEndpoint<TRequest, TCommand, TResponse>(operation).InvokeAsync;

        void IOperationVisitor.Visit<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation) =>
            _handle = new HandlerEndpoint<TRequest, TResponse>(operation).InvokeAsync;
    }

    private static async Task RunAsync<TRequest, TResponse>(
        HttpContext http, EmulatorClient? emulator, Operation<TRequest, TResponse> operation, OperationHandler<TRequest, TResponse> handler, TRequest request)
    {
        var wait = Preference.WaitOf(http);
        if (!HolderHeader.TryOptions(http, out var options, wait, isTimeoutChosen: wait is not null))
        {
            await Problems.BadRequestAsync(http, HolderHeader.ExpectedFormat);
            return;
        }

        var context = new OperationContext(emulator!, options, http.RequestServices, http.RequestAborted) { KnownTags = EntityTags.Of(http), Caller = http.Caller() };
        var result = await handler(context, request);
        while (emulator is not null && result.Refusal?.Failure is { } failure && await FleetPaths.SuccessorAsync(http, emulator, failure, !operation.IsEffect) is { } successor)
        {
            emulator = successor;
            result = await handler(context with { Emulator = successor }, request);
        }

        using var response = result.Value as IDisposable;
        if (result.Frame is { } frame)
        {
            Headers.SetFrame(http.Response, frame, result.Epoch);
        }

        await (result.Refusal is { } refusal ? Problems.WriteAsync(http, emulator?.Id, refusal) : HttpResponses.WriteAsync(http, operation, result.Value!));
    }

    /// <summary>One command for each request. What it needs is made once; a request allocates no more than its exchange does.</summary>
    private sealed class CommandEndpoint<TRequest, TCommand, TResponse>
        where TCommand : struct, ICommand<TCommand>
    {
        private readonly CommandOperation<TRequest, TCommand, TResponse> _operation;
        private readonly Func<HttpContext, TCommand, Reply, ValueTask> _respond;

        public CommandEndpoint(CommandOperation<TRequest, TCommand, TResponse> operation) => (_operation, _respond) = (operation, WriteAsync);

        public Task InvokeAsync(HttpContext http)
        {
            if (_operation.Request.HasBody)
            {
                return ReadAndSendAsync(http);
            }

            return _operation.Request.Read(http, HttpParameters.TextOf, out var request) is { } wrong ? Problems.BadRequestAsync(http, wrong).AsTask() : SendAsync(http, request);
        }

        private async Task ReadAndSendAsync(HttpContext http)
        {
            try
            {
                var (isRead, request, bytes) = await _operation.Request.ReadAsync(http);
                if (!isRead)
                {
                    return;
                }

                try
                {
                    await SendAsync(http, request);
                }
                finally
                {
                    _operation.Request.Release(http, bytes);
                }
            }
            catch (Exception exception) when (RequestSender.CanAnswer(http, exception))
            {
                await RequestSender.FailedAsync(http, exception);
            }
        }

        private Task SendAsync(HttpContext http, TRequest request)
        {
            if (OperationInvoker.Prepare(_operation, request, CallerOf(http), null, out var run) is { } refusal)
            {
                return Problems.WriteAsync(http, null, refusal).AsTask();
            }

            return run.Handler is { } handler ? RunAsync(http, handler, request)
                : _operation.HasHolder ? http.SendAsHolderAsync(run.Command, _respond, run.Timeout)
                : http.SendAsync(run.Command, _respond, new RequestOptions { Timeout = run.Timeout });
        }

        // its closure is made only here
        private Task RunAsync(HttpContext http, OperationHandler<TRequest, TResponse> handler, TRequest request) =>
            http.WithEmulatorAsync((http, emulator) => OperationRoutes.RunAsync(http, emulator, _operation, handler, request));

        // the access that all requests need was checked before the endpoint
        private Caller CallerOf(HttpContext http) => _operation.AccessOf is null && _operation.Access < Access.Manage ? new Caller(_operation.Access.Role()) : http.Caller();

        private ValueTask WriteAsync(HttpContext http, TCommand command, Reply reply) => HttpResponses.WriteAsync(http, _operation, _operation.Read(command, reply));
    }

    /// <summary>Code of the gateway for each request.</summary>
    private sealed class HandlerEndpoint<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation)
    {
        public Task InvokeAsync(HttpContext http) => http.WithEmulatorAsync(async (http, emulator) =>
        {
            var (isRead, request, bytes) = operation.Request.HasBody ? await operation.Request.ReadAsync(http) : await BindAsync(http);
            if (!isRead)
            {
                return;
            }

            try
            {
                await (OperationInvoker.Prepare(operation, http.Caller(), null) is { } refusal
                    ? Problems.WriteAsync(http, emulator?.Id, refusal).AsTask()
                    : RunAsync(http, emulator, operation, operation.Run, request));
            }
            finally
            {
                operation.Request.Release(http, bytes);
            }
        }, operation is { IsPerEmulator: true, WorksWithoutEmulator: false });

        private async ValueTask<BoundRequest<TRequest>> BindAsync(HttpContext http)
        {
            if (operation.Request.Read(http, HttpParameters.TextOf, out var request) is not { } wrong)
            {
                return new BoundRequest<TRequest>(true, request);
            }

            await Problems.BadRequestAsync(http, wrong);
            return default;
        }
    }
}
