using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Serves operations over HTTP.</summary>
internal static class OperationRoutes
{
    /// <summary>Adds the route of an operation.</summary>
    public static void Map(this IEndpointRouteBuilder routes, Operation operation) =>
        routes.MapMethods(operation.Path, [operation.Method], new Handler(operation, routes.ServiceProvider).InvokeAsync)
            .WithMetadata(operation.Describe(), operation, new RequiredRole(operation.IsWithoutToken ? Role.None : operation.Access.Role()));

    /// <summary>Handles the requests of an operation.</summary>
    private sealed class Handler(Operation operation, IServiceProvider services)
    {
        public Operation Operation => operation;

        public IServiceProvider Services => services;

        private readonly string[] _query = [.. operation.Describe().QueryNames];
        private readonly bool _isCached = HttpMethods.IsGet(operation.Method) && operation.Describe().Contents.Any(static content => content.MediaType != "application/json");

        public Task InvokeAsync(HttpContext http)
        {
            if (http.Request.QueryString.HasValue && WrongParameter(http.Request.Query) is { } wrong)
            {
                return Problems.BadRequestAsync(http, wrong).AsTask();
            }

            return http.WithEmulatorAsync(
                this, static (http, emulator, handler) => HttpOperationRequest.ServeAsync(http, emulator, handler.Operation, handler.Services), operation is { IsPerEmulator: true, WorksWithoutEmulator: false });
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
    }
}
