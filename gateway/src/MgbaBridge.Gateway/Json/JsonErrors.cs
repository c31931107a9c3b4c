using System.Text.Json;

namespace MgbaBridge.Gateway.Json;

/// <summary>Errors of JSON in words.</summary>
internal static class JsonErrors
{
    /// <summary>What is wrong with a body, in words: the serializer speaks of .NET types, which mean nothing to the caller.</summary>
    /// <param name="exception">What the serializer says.</param>
    /// <param name="name">The parameter that it read, or null for the whole body.</param>
    public static string Explain(JsonException exception, string? name = null)
    {
        var path = exception.Path is null or "" or "$" ? "" : name is null ? exception.Path : exception.Path[1..];
        var place = name is not null ? $"{name}{path}" : path.Length == 0 ? "The body" : $"In the body, {path}";
        return exception.Message switch
        {
            var message when exception is ParameterException => $"{place}: {message}",
            var message when message.Contains("could not be mapped", StringComparison.Ordinal) =>
                $"{place} is not a known field; GET /openapi/v1.json describes the fields.",
            var message when message.Contains("missing required properties", StringComparison.Ordinal) =>
                $"{place} lacks {message[(message.LastIndexOf(':') + 1)..].Trim().TrimEnd('.')}.",
            var message when message.Contains("doesn't allow", StringComparison.Ordinal) => $"{place} cannot be null.",
            var message when message.StartsWith("The JSON value could not be converted", StringComparison.Ordinal) =>
                $"{place} has a value of the wrong kind, or a number out of range.",
            var message => $"{place} is not of the documented form: {message}",
        };
    }
}
