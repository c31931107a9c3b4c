using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>How a pass compares, in JSON: <c>"increased"</c>.</summary>
public sealed class SearchComparisonConverter() : JsonStringEnumConverter<SearchComparison>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
