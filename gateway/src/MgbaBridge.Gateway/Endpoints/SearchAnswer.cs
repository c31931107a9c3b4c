using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A search.</summary>
/// <param name="Frame">The script's frame count in the last pass.</param>
/// <param name="Epoch">The epoch it began in; it cannot go on in another: eight hex digits.</param>
/// <param name="Id">Its name in paths.</param>
/// <param name="Type">What the number is.</param>
/// <param name="Endian">Which byte comes first.</param>
/// <param name="Alignment">Where a number may start.</param>
/// <param name="Ranges">What it looks through.</param>
/// <param name="Passes">How often memory was looked at, the start included.</param>
/// <param name="Count">How many places are left.</param>
/// <param name="Memory">How many bytes it keeps in the gateway.</param>
public sealed record SearchAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    string Id,
    NumberType Type,
    Endian Endian,
    int Alignment,
    IReadOnlyList<SearchRange> Ranges,
    long Passes,
    int Count,
    long Memory)
{
    /// <summary>How a search stands.</summary>
    internal static SearchAnswer Of(RamSearch search)
    {
        var (form, state) = (search.Form, search.State);
        SearchRange[] ranges = [.. search.Ranges.Select(range => new SearchRange { Location = range.Location, Length = range.Length })];
        return new SearchAnswer(
            state.Frame, search.Epoch, search.Id, form.Type, form.Endian, form.Alignment, ranges, state.Passes, state.Count, search.Memory);
    }
}
