using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A symbol.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Location">Where it is.</param>
/// <param name="Size">How many bytes it has, if that is known.</param>
public readonly record struct SymbolAnswer(string Name, [property: JsonConverter(typeof(LocationConverter))] Location Location, long? Size);
