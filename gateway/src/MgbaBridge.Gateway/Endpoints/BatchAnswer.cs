using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What became of a batch.</summary>
/// <param name="Frame">The frame in which all of it was done.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Done">How many items were done: fewer than `of` when one of them could not be.</param>
/// <param name="Of">How many items there were.</param>
/// <param name="Results">What became of each, in order, up to the first that could not be done.</param>
public readonly record struct BatchAnswer(
    long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, int Done, int Of, IReadOnlyList<ItemAnswer> Results);
