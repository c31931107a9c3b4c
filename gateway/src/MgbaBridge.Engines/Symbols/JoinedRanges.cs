using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Ranges of memory that are read as few: those that touch or overlap are one.</summary>
internal sealed class JoinedRanges
{
    private readonly List<MemoryRange> _ranges = [];
    private readonly int[] _positions;

    /// <summary>Joins ranges.</summary>
    public JoinedRanges(IReadOnlyList<MemoryRange> wanted)
    {
        _positions = new int[wanted.Count];
        long start = 0;
        foreach (var (index, range) in wanted.Index().OrderBy(static one => one.Item.Location.Domain, StringComparer.Ordinal).ThenBy(static one => one.Item.Location.Offset))
        {
            var (domain, offset) = range.Location;
            if (_ranges is [.., var last] && last.Location.Domain == domain && offset <= last.Location.Offset + last.Length)
            {
                _ranges[^1] = last with { Length = Math.Max(last.Length, offset + range.Length - last.Location.Offset) };
            }
            else
            {
                start += _ranges is [.., var before] ? before.Length : 0;
                _ranges.Add(range);
            }

            _positions[index] = (int)(start + offset - _ranges[^1].Location.Offset);
        }
    }

    /// <summary>The ranges to read, without a range in two of them.</summary>
    public IReadOnlyList<MemoryRange> Ranges => _ranges;

    /// <summary>Where each wanted range begins in the bytes of all ranges.</summary>
    public IReadOnlyList<int> Positions => _positions;
}
