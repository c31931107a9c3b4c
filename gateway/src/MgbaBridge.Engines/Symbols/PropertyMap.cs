using System.Collections.Frozen;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The values of a game that have names.</summary>
/// <param name="Crc32">Which game.</param>
/// <param name="Properties">By name, in the order of the file.</param>
/// <param name="TextTables">By name.</param>
/// <param name="Pack">What a game pack adds, or null.</param>
/// <param name="Memory">About how many bytes it takes.</param>
public sealed record PropertyMap(uint? Crc32, IReadOnlyList<GameProperty> Properties, IReadOnlyDictionary<string, TextTable> TextTables, GamePack? Pack, long Memory)
{
    private readonly FrozenDictionary<string, GameProperty> _byName = Properties.ToFrozenDictionary(property => property.Name, StringComparer.Ordinal);

    /// <summary>Finds a property, or a part of one: <c>edges[3]</c>, <c>node.tag</c>.</summary>
    public GameProperty? Find(string name)
    {
        if (_byName.TryGetValue(name, out var whole))
        {
            return whole;
        }

        for (var cut = Math.Min(name.Length - 1, NameLimits.PropertyName); cut > 0; cut--)
        {
            if (name[cut] is '.' or '[' && _byName.TryGetValue(name[..cut], out var property))
            {
                return PartOf(property, name, cut);
            }
        }

        return null;
    }

    private static GameProperty? PartOf(GameProperty property, string name, int cut)
    {
        var (offset, form) = (0, property.Type);
        while (cut < name.Length)
        {
            var next = name.AsSpan(cut + 1).IndexOfAny('.', '[');
            var end = next < 0 ? name.Length : cut + 1 + next;
            if (!form.TryPart(name.AsSpan(cut, end - cut), out var at, out form))
            {
                return null;
            }

            offset += at;
            cut = end;
        }

        // behind a chain the offset belongs to its last pointer
        return property.Chain.Count > 0
            ? new GameProperty(name, property.At, [.. property.Chain.SkipLast(1), property.Chain[^1] + offset], form)
            : new GameProperty(name, property.At with { Location = property.At.Location with { Offset = property.At.Location.Offset + offset } }, [], form);
    }
}

/// <summary>A value of a game with a name.</summary>
/// <param name="Name">The name.</param>
/// <param name="At">Where it is, or where the first pointer of its chain is.</param>
/// <param name="Chain">For each pointer to be followed, what is added to it. Empty: none is.</param>
/// <param name="Type">What it is.</param>
public sealed record GameProperty(string Name, ValueLocation At, IReadOnlyList<long> Chain, IValueType Type);
