using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Names;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A value with a name.</summary>
/// <param name="Name">The name.</param>
/// <param name="Location">Where it was found; left away where a pointer of its chain is 0.</param>
/// <param name="Value">A number, a text, a list, or an object; bytes in base64. Left away where a pointer of its chain is 0.</param>
public readonly record struct NamedAnswer(
    string Name, [property: JsonConverter(typeof(LocationConverter))] Location? Location, JsonNode? Value)
{
    /// <summary>The answer made from what was found.</summary>
    internal static NamedAnswer Of(NamedValue found) =>
        new(found.Property.Name, found.Location, found.Location is null ? null : found.Property.Form.Read(found.Bytes.Span));
}
