using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Api.Http;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>Serves operations over HTTP.</summary>
internal static class OperationRoutes
{
    /// <summary>Adds the route of an operation.</summary>
    public static void Map(this IEndpointRouteBuilder routes, Operation operation) =>
        routes.MapMethods(operation.Path, operation.ServesHead ? [operation.Method, HttpMethods.Head] : [operation.Method], new Handler(operation).InvokeAsync)
            .Describe(operation.Describe())
            .WithMetadata(operation, operation.IsWithoutToken ? WithoutToken.Instance : RequiredRole.For(operation.Access.Role()));

    /// <summary>Serves a request by an operation.</summary>
    public static Task InvokeAsync<TRequest, TResponse>(HttpContext http, HandlerOperation<TRequest, TResponse> operation) =>
        new HandlerEndpoint<TRequest, TResponse>(operation).InvokeAsync(http);

    /// <summary>Handles the requests of an operation. The first request makes what it needs; for all operations that takes a tenth of the time to start.</summary>
    private sealed class Handler(Operation operation) : IOperationVisitor
    {
        private const int MaxQuoted = 64;

        private readonly string[] _query = [.. operation.Describe().QueryNames];
        private RequestDelegate? _handle;

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
            if (query.Keys.FirstOrDefault(name => !_query.Contains(name, StringComparer.OrdinalIgnoreCase)) is not { } wrong)
            {
                return null;
            }

            wrong = wrong.Length <= MaxQuoted ? wrong : $"{wrong[..MaxQuoted]}...";
            return _query.Length == 0
                ? $"There is no query parameter \"{wrong}\": {operation.Method} {operation.Path} takes none."
                : $"There is no query parameter \"{wrong}\". Did you mean {NearestName.Of(wrong, _query)}? {operation.Method} {operation.Path} takes {string.Join(", ", _query)}.";
        }

        void IOperationVisitor.Visit<TRequest, TCommand, TResponse>(CommandOperation<TRequest, TCommand, TResponse> operation) =>
            _handle = operation.Endpoint ?? new CommandEndpoint<TRequest, TCommand, TResponse>(operation).InvokeAsync;

        void IOperationVisitor.Visit<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation) =>
            _handle = new HandlerEndpoint<TRequest, TResponse>(operation).InvokeAsync;

        void IOperationVisitor.Visit(EndpointOperation operation) => _handle = operation.Handler;
    }

    /// <summary>One command for each request. What it needs is made once; a request allocates no more than its exchange does.</summary>
    private sealed class CommandEndpoint<TRequest, TCommand, TResponse>
        where TCommand : struct, ICommand<TCommand>
    {
        private readonly CommandOperation<TRequest, TCommand, TResponse> _operation;
        private readonly Func<HttpContext, TCommand, Reply, ValueTask> _respond;

        public CommandEndpoint(CommandOperation<TRequest, TCommand, TResponse> operation)
        {
            _operation = operation;
            _respond = operation.Respond ?? WriteAsync;
        }

        public Task InvokeAsync(HttpContext http)
        {
            if (_operation.Request.HasBody)
            {
                return ReadAndSendAsync(http);
            }

            return _operation.Request.Bind(http, out var request) is { } wrong ? Problems.BadRequestAsync(http, wrong).AsTask() : SendAsync(http, request);
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
            if (_operation.AccessOf is { } accessOf && accessOf(request) is var access && !http.May(access))
            {
                return Problems.RoleNeededAsync(http, access.Role()).AsTask();
            }

            if (_operation.Command(request, out var command) is { } wrong)
            {
                return Problems.BadRequestAsync(http, wrong).AsTask();
            }

            var timeout = _operation.Timeout?.Invoke(request);
            return _operation.HasHolder
                ? http.SendAsHolderAsync(command, _respond, timeout)
                : http.SendAsync(command, _respond, new RequestOptions { Timeout = timeout });
        }

        private ValueTask WriteAsync(HttpContext http, TCommand command, Reply reply) => JsonBody.WriteAsync(http, _operation.Read(command, reply), _operation.Response.Value);
    }

    /// <summary>Code of the gateway for each request.</summary>
    private sealed class HandlerEndpoint<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation)
    {
        public Task InvokeAsync(HttpContext http) => http.WithEmulatorAsync(async (http, emulator) =>
        {
            if (!HolderHeader.TryOptions(http, out var options, Preference.WaitOf(http)))
            {
                await Problems.BadRequestAsync(http, HolderHeader.ExpectedFormat);
                return;
            }

            var (isRead, request, bytes) = operation.Request.HasBody ? await operation.Request.ReadAsync(http) : await BindAsync(http);
            if (!isRead)
            {
                return;
            }

            try
            {
                var result = await operation.Run(new OperationContext(emulator, options, http.RequestServices, http.RequestAborted), request);
                if (result.Frame is { } frame)
                {
                    Headers.SetFrame(http.Response, frame, result.Epoch);
                }

                await (result.Refusal is { } refusal ? Problems.WriteAsync(http, emulator?.Id, refusal)
                    : operation.MediaType is { } mediaType ? RawAnswer.WriteAsync(http, (IBytesAnswer)result.Response!, mediaType)
                    : JsonBody.WriteAsync(http, result.Response!, operation.Response.Value));
            }
            finally
            {
                operation.Request.Release(http, bytes);
            }
        }, operation is { IsPerEmulator: true, WorksWithoutEmulator: false });

        private async ValueTask<BoundRequest<TRequest>> BindAsync(HttpContext http)
        {
            if (operation.Request.Bind(http, out var request) is not { } wrong)
            {
                return new BoundRequest<TRequest>(true, request);
            }

            await Problems.BadRequestAsync(http, wrong);
            return default;
        }
    }
}
