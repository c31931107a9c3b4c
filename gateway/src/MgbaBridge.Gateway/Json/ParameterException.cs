using System.Text.Json;

namespace MgbaBridge.Gateway.Json;

/// <summary>A parameter inside a JSON value is wrong.</summary>
/// <param name="message">What is wrong with it, as a sentence.</param>
/// <param name="path">Where it is, as in <c>$.items[2].tap</c>; null for the value itself.</param>
internal sealed class ParameterException(string message, string? path = null) : JsonException(message, path, null, null);
