using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Reads the parameters of operations from HTTP requests.</summary>
internal static class HttpParameters
{
    /// <summary>The text that a request has for a parameter in its path or query.</summary>
    public static ParameterText TextOf { get; } = static (source, parameter, place) =>
    {
        var request = ((HttpContext)source).Request;
        return place switch
        {
            ParameterPlace.Path => request.RouteValues[parameter.PathName] as string,
            ParameterPlace.Query when parameter.IsEncoded => QueryText.EncodedIn(request.QueryString.Value, parameter.Name),
            ParameterPlace.Query when request.QueryString.HasValue => request.Query.TryGetValue(parameter.Name, out var value) ? value.ToString() : null,
            _ => null,
        };
    };

    /// <summary>Reads a request that has a body. False when the response has been written, because something is wrong with it.</summary>
    public static async ValueTask<BoundRequest<TRequest>> ReadAsync<TRequest>(this Parameters<TRequest> parameters, HttpContext http)
    {
        var body = await RawBody.ReadAsync(http);
        string? wrong = null;
        var mark = parameters.TakesBytes ? 0 : EncodedBodies.MarkOf(body, out wrong);
        var request = default(TRequest)!;
        wrong ??= parameters.Read(http, TextOf, body.Slice(mark), out request);
        if (wrong is not null || !parameters.TakesBytes)
        {
            RawBody.Done(http, body);
            body = default;
        }

        if (wrong is null)
        {
            return new BoundRequest<TRequest>(true, request, body);
        }

        await Problems.BadRequestAsync(http, wrong);
        return default;
    }
}
