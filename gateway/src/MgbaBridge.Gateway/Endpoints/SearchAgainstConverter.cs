using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What a pass compares with, in JSON: <c>"last"</c>.</summary>
public sealed class SearchAgainstConverter() : JsonStringEnumConverter<SearchAgainst>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
