using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What one holder keeps down.</summary>
/// <param name="Holder">Its name: `http` for callers of /v2 who name none, `compat` for those of the compatible paths.</param>
/// <param name="Keys">The keys.</param>
public readonly record struct HolderAnswer(string Holder, [property: JsonConverter(typeof(KeySetConverter))] KeySet Keys);
