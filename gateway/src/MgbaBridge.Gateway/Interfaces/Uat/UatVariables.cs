using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Interfaces.Uat;

/// <summary>The variables of an emulator: the properties of its game, and the values that the settings name.</summary>
internal sealed class UatVariables(EmulatorClient emulator, SymbolStore store, IReadOnlyList<string> chosen)
{
    private const string NoVariables =
        "This game has no variables: no property map of it is loaded, and Bridge:Doors:Uat:Variables names no value that it has. Load a map by the operation properties.load, or put it into Bridge:Symbols:Folder.";

    private static readonly RequestOptions Reading = new() { OutlastsSilence = true };

    private readonly Dictionary<string, NamedValue> _known = [];
    private readonly List<string> _problems = [];
    private GameContext? _game;
    private ValueReaders? _readers;

    /// <summary>Reads them, all from one frame.</summary>
    /// <param name="all">Whether to return all; otherwise those that have changed since the last time.</param>
    /// <param name="cancelled">The client has left.</param>
    public async Task<UatReading> ReadAsync(bool all, CancellationToken cancelled)
    {
        while (true)
        {
            if (await FindAsync(cancelled) is { } none)
            {
                return none;
            }

            var read = await _readers!.ReadAsync(_game!.Frame, _game.Epoch, cancelled);
            switch (read)
            {
                case { Failure.Code: ErrorCode.EpochChanged }:
                    _game = null; // another game was loaded meanwhile
                    continue;
                case { Failure: { } failure }:
                    return new UatReading([], [failure.Detail]);
                case { Unsettled: true }:
                    return new UatReading([], ["The pointers went elsewhere each time they were followed."]);
                default:
                    return new UatReading([.. Take(read.Values, all)], _problems);
            }
        }
    }

    // the game, and the names that it has now; what to send when there is nothing to read
    private async Task<UatReading?> FindAsync(CancellationToken cancelled)
    {
        if (_game is not null && store.Of(_game.Crc32) == _game.Names)
        {
            return null;
        }

        (_game, var failure) = await GameContext.ReadAsync(emulator, store, Reading, cancelled);
        if (_game is null)
        {
            return failure!.Code == ErrorCode.NoGame ? Gone(failure.Detail) : new UatReading([], [failure.Detail]);
        }

        _problems.Clear();
        var wanted = new List<(GameProperty Property, Location At)>();
        foreach (var name in (_game.Names.Properties?.Properties ?? []).Select(property => property.Name).Union(chosen))
        {
            if (TypedPlace.Find(_game.Names, name, out var property, out var location) is { } problem)
            {
                _problems.Add(problem);
            }
            else
            {
                wanted.Add((property, location));
            }
        }

        if (wanted.Aggregate(default(ValueCost), static (sum, one) => sum + one.Property.Type.Cost).Excess is { } excess)
        {
            return Gone($"All variables together: {excess}");
        }

        if (wanted.Count == 0)
        {
            return Gone([.. _problems, NoVariables]);
        }

        _readers = new ValueReaders(emulator, _game.IsGameBoy, wanted);
        return null;
    }

    // the game is looked for again the next time: another one, or names for this one, may have been loaded
    private UatReading Gone(params string[] problems)
    {
        _game = null;
        return new UatReading([.. Take([], all: true)], problems);
    }

    private IEnumerable<UatVariable> Take(IReadOnlyList<NamedValue> values, bool all)
    {
        foreach (var name in _known.Keys.Except(values.Select(static value => value.Property.Name)).ToArray())
        {
            _known.Remove(name);
            yield return new UatVariable(name, null);
        }

        foreach (var value in values)
        {
            if (all || !_known.TryGetValue(value.Property.Name, out var known) || known.Location is null != value.Location is null || !known.Bytes.Span.SequenceEqual(value.Bytes.Span))
            {
                yield return new UatVariable(value.Property.Name, NamedAnswer.Of(value).Value);
            }

            _known[value.Property.Name] = value;
        }
    }
}

/// <summary>Variables that were read.</summary>
/// <param name="Variables">Their values.</param>
/// <param name="Problems">Why others were not.</param>
internal readonly record struct UatReading(IReadOnlyList<UatVariable> Variables, IReadOnlyList<string> Problems);

[JsonSerializable(typeof(JsonNode))]
internal sealed partial class UatJson : JsonSerializerContext;
